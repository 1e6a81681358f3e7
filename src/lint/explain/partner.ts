/**
 * Why a run that could open or close has found no partner (§4). The parser is asked while it reads: before it comes to the run,
 * which openers there are, and behind every stop whether the run is still open.
 */
import { canCloseLate, misfitOf } from '../../parse/emphasis.js'
import { endOfRun } from '../../parse/neighbours.js'
import { isOpen, NONE, nearestAllowed, nearestBoundary, type Opener } from '../../parse/openers.js'
import type { Range, Reader } from '../../parse/reader.js'
import { BEFORE_SLASH, BEHIND_SLASH, CLOSES, CLOSES_LATE, IN_WORD, NEEDS_OPEN_STAR, OPENS } from '../../parse/run.js'
import { BREAK, EVENT_SIZE } from '../../parse/tape.js'
import { isDelimiter, isFlanking, kindOf, STAR } from '../../parse/units.js'
import { markOf, type Run, runAt } from './run.js'
import type { Told } from './told.js'

/** The run that holds a place, and what becomes of it. */
export interface Watch {
  readonly at: number
  /** Null until the parser comes to it. */
  run: Run | null
  /** Whether it can close where it stands: late, or before a star, that depends on what is open. */
  closes: boolean
  /** Why it closes nothing, and why nothing closes it; null where there is nothing to close, and nothing that would. */
  closer: Told | null
  opener: Told | null
  /** While it is open: its place among the openers, and the sequence that it stands in. */
  index: number
  sequence: Range | null
  /** What it is on the tape. */
  event: number
  /** Where what the run that is being read would close starts. */
  nearestStart: number
}

export function createWatch(at: number): Watch {
  return {
    at,
    run: null,
    closes: false,
    closer: null,
    opener: null,
    index: NONE,
    sequence: null,
    event: 0,
    nearestStart: 0,
  }
}

/** Asks what the parser will make of what stands at `start`. */
export function askBefore(watch: Watch, reader: Reader, start: number): void {
  const { chars } = reader
  if (!isDelimiter(chars[start] ?? 0)) return
  if (watch.run === null) {
    if (start > watch.at || watch.at >= endOfRun(chars, start)) return
    const run = runAt(reader, start, reader.chain)
    watch.run = run
    watch.closes = canClose(reader, run)
    if (watch.closes) watch.closer = whyNothingIsClosed(reader, run)
    watch.sequence = reader.sequence
    watch.event = reader.tapeEnd
  } else if (watch.index !== NONE && reader.sequence === watch.sequence) {
    const run = runAt(reader, start, reader.chain)
    const nearest = canClose(reader, run) ? nearestOf(reader, run) : undefined
    watch.nearestStart = nearest?.start ?? start
    if (nearest?.event === watch.event) watch.opener ??= misfit(reader, nearest, run)
  }
}

/** Asks what the parser has made of what stands at `start`. */
export function askBehind(watch: Watch, reader: Reader, start: number): void {
  const { run, event, index } = watch
  const { stack, height, lineBase } = reader.openers
  if (run === null) return
  if (run.start === start) {
    if (height > 0 && stack[height - 1]?.event === event) watch.index = height - 1
  } else if (index === NONE) return
  else if (index >= height || stack[index]?.event !== event) {
    watch.index = NONE
    // Else its sequence has ended.
    if (!isDelimiter(reader.chars[start] ?? 0)) return
    const from = Math.min(watch.nearestStart, run.start)
    watch.opener ??= could(run, 'open', 'a pair around it closes first', from, endOfRun(reader.chars, start))
  } else if (!isFlanking(run.char) && reader.sequence === watch.sequence && index < lineBase) {
    watch.index = NONE
    watch.opener ??= could(run, 'open', 'is open no longer than its line', run.start, start)
  }
}

export function could(
  run: Run,
  what: 'open' | 'close',
  but: string,
  start: number = run.start,
  end: number = run.end,
): Told {
  return ['§4', `This ${markOf(run)} could ${what}, but ${but}.`, start, end]
}

/** Whether a run can close, as its neighbours and what is open let it. */
function canClose(reader: Reader, { char, start, end, flags }: Run): boolean {
  if ((flags & CLOSES_LATE) !== 0) return canCloseLate(reader, char, start, end - start)
  if ((flags & NEEDS_OPEN_STAR) !== 0) return isOpen(reader.openers, STAR)
  return (flags & CLOSES) !== 0
}

/** What it would close. */
function nearestOf({ openers }: Reader, { char, start, end, flags }: Run): Opener | undefined {
  if (!isFlanking(char)) return openers.stack[nearestBoundary(openers, char)]
  return openers.stack[nearestAllowed(openers, char, end - start, (flags & OPENS) !== 0)]
}

function whyNothingIsClosed(reader: Reader, run: Run): Told | null {
  const { openers, tape } = reader
  const nearest = nearestOf(reader, run)
  if (nearest !== undefined) return misfit(reader, nearest, run)
  if (isFlanking(run.char)) {
    return isOpen(openers, run.char) ? could(run, 'close', 'not what is open: the rule of three') : null
  }
  const before = openers.stack[nearestBoundary({ ...openers, lineBase: openers.base }, run.char)]
  if (before === undefined) return null
  let event = before.event
  while (tape[event] !== BREAK) event += EVENT_SIZE
  return could(run, 'close', 'what was open ended with its line', tape[event + 3])
}

/** Why two runs do not match, if so: the parser is asked again, with less in their way. */
function misfit(reader: Reader, opener: Opener, run: Run): Told | null {
  const length = run.end - run.start
  const kind = kindOf(run.char, length > 1 && opener.left > 1 ? 2 : 1)
  const fitsWithout = (flags: number): boolean => {
    const other = { ...opener, flags: opener.flags & ~flags }
    return misfitOf(reader, other, run.start, length, length, run.flags & ~flags, kind) === null
  }
  if (fitsWithout(0)) return null
  const fault = fitsWithout(BEHIND_SLASH | BEFORE_SLASH)
    ? 'a slash stands beside one of them'
    : fitsWithout(BEHIND_SLASH | BEFORE_SLASH | IN_WORD)
      ? 'one of them is in a word'
      : 'no word stands between them'
  return ['§4', `${markOf(opener)} and ${markOf(run)} make nothing: ${fault}.`, opener.start, run.end]
}
