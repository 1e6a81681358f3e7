/** Why a run that could open or close has found no partner (§4). */
import {
  canCloseLate,
  canMatch,
  type Delimiters,
  isOpen,
  nearestOpener,
  passBreak,
  passConstruct,
  readRun,
  startDelimiters,
} from '../../parse/emphasis.js'
import { BARE_LINK, BREAK, type Leaf, LINK, LINK_END, RUN, TEXT } from '../../parse/leaf.js'
import { examineRun, type Run, STAR } from '../../parse/run.js'
import { markOf, NOT_LATE, nameOfRun } from './beside.js'
import { copyOf, type Event, type ReadLeaf, type Told } from './leaf.js'

/** A leaf whose runs are read once more, with the parser's own functions and in its order. */
interface Replay {
  /** Those of the sequence that is being read; and of the leaf, while that is a label. */
  delimiters: Delimiters | null
  outer: Delimiters | null
  readonly target: Run
  /** The target's sequence, once it is reached. */
  sequence: Delimiters | null
  /** Why nothing closes the target, and why it closes nothing. */
  opener: Told | null
  closer: Told | null
}

/** Explains a run that is text, but has an event. */
export function explainPartner({ leaf, events }: ReadLeaf, [, start, end]: Event): Told[] {
  const target = examineRun(leaf.text, start, { start: 0, end: 0, after: 0 })
  const replay: Replay = { delimiters: null, outer: null, target, sequence: null, opener: null, closer: null }
  const copy = copyOf(leaf)
  for (const event of events) step(replay, copy, event)
  const { opens, closes, closesLate } = target
  const told = (message: string): Told => ['§4', message, start, end]
  const reasons: Told[] = []
  if (opens) reasons.push(replay.opener ?? told(`${nameOfRun(target)} could open, but nothing closes it.`))
  if (closes || !opens) reasons.push(replay.closer ?? told(`${nameOfRun(target)} could close, but nothing is open.`))
  else if (closesLate) reasons.push(told(NOT_LATE))
  return reasons
}

function step(replay: Replay, leaf: Leaf, [kind, start, end]: Event): void {
  if (kind === RUN) replay.delimiters ??= startDelimiters(leaf, start)
  if (kind === LINK_END) replay.delimiters = replay.outer
  const { delimiters } = replay
  if (delimiters === null || kind === TEXT || kind === LINK_END) return
  if (kind === RUN) {
    ask(replay, delimiters, start)
    readRun(delimiters, start)
  } else if (kind === BREAK) {
    askAtBreak(replay, delimiters, start)
    passBreak(delimiters)
  } else {
    passConstruct(delimiters, start, end)
    if (kind === BARE_LINK) delimiters.bareLinkEnd = end
  }
  if (kind === LINK) {
    replay.outer = delimiters
    replay.delimiters = null
  }
}

/** Asks what the run at `start` will close. */
function ask(replay: Replay, delimiters: Delimiters, start: number): void {
  const { target, sequence, opener } = replay
  if (sequence !== null && (sequence !== delimiters || opener !== null)) return
  const run = start === target.start ? target : examineRun(delimiters.leaf.text, start, delimiters.chain)
  run.remaining = run.length
  const closes = run.closes || (run.closesLate && canCloseLate(delimiters, run))
  const nearest = closes ? nearestOpener(delimiters, run) : null
  if (run === target) {
    replay.sequence = delimiters
    if (nearest !== null) replay.closer = misfit(delimiters, nearest, run)
    else if (run.char === STAR && isOpen(delimiters, STAR)) {
      replay.closer = ['§4', `${nameOfRun(run)} could close, but not what is open: the rule of three.`, start, run.end]
    }
  } else if (sequence !== null && nearest !== null) {
    const fault = misfit(delimiters, nearest, run)
    if (nearest.start === target.start) replay.opener = fault
    else if (nearest.start < target.start && fault === null) {
      replay.opener = [
        '§4',
        `${nameOfRun(target)} could open, but a pair around it closes first.`,
        nearest.start,
        run.end,
      ]
    }
  }
}

function askAtBreak(replay: Replay, delimiters: Delimiters, at: number): void {
  const { target, sequence } = replay
  if (target.char === STAR) return
  if (sequence === null && isOpen(delimiters, target.char)) {
    replay.closer = ['§4', `${nameOfRun(target)} could close, but what was open ended with its line.`, at, target.end]
  } else if (sequence === delimiters) {
    replay.opener ??= ['§4', `${nameOfRun(target)} could open, but is open no longer than its line.`, target.start, at]
  }
}

/** Why two runs do not match, if so: the parser is asked again, with a run that has less in its way. */
function misfit(delimiters: Delimiters, opener: Run, run: Run): Told | null {
  const size = Math.min(run.remaining, opener.remaining, 2)
  const fits = (part: Partial<Run>) => canMatch(delimiters, { ...opener, ...part }, { ...run, ...part }, size)
  if (fits({})) return null
  const noSlash = { isBehindSlash: false, isBeforeSlash: false }
  const fault = fits(noSlash)
    ? 'a slash stands beside a star'
    : fits({ ...noSlash, isInWord: false })
      ? 'one of them is in a word'
      : 'no word stands between them'
  return ['§4', `${markOf(opener)} and ${markOf(run)} make nothing: ${fault}.`, opener.start, run.end]
}
