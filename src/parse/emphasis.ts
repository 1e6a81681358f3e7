/**
 * Emphasis (§4): CommonMark's algorithm with the dialect's conditions, resolved in the same left-to-right pass that
 * finds the delimiter runs, because the end of a bare link depends on which of them are still open (§3.5).
 *
 * Openers that the rule of three treats alike are linked to a list of their own, the nearest first, so that a closer
 * finds its nearest allowed opener among the heads of eight lists and nothing ever searches.
 */
import { lengthBefore, traitsBefore, WHITE_SPACE, WORD } from '../characters.js'
import { addEvent, EVENT_SIZE, type Leaf, RUN } from './leaf.js'
import { type Chain, DASH, examineRun, type Run, STAR } from './run.js'

// The lists of openers: 0–2 for stars by their length modulo 3, 3–5 for those that can also close, then one each.
const CAN_CLOSE = 3
const UNDERSCORES = 6
const DASHES = 7

/** The delimiter runs of a leaf that are still open, in the sequence that is being read: the leaf's or a label's. */
export interface Delimiters {
  readonly leaf: Leaf
  readonly chain: Chain
  /** The nearest opener of each list. */
  readonly heads: (Run | null)[]
  /** Where the last word before `wordMark` ends. */
  lastWord: number
  wordMark: number
  /** Where the last white space of the sequence's text before `spaceMark` ends; not kept while `spaceMark` is -1. */
  lastSpace: number
  spaceMark: number
  /** Where the last bare link ends. */
  bareLinkEnd: number
}

/** Those of the sequence whose first run stands at `at`: what stands before an opener never matters. */
export function startDelimiters(leaf: Leaf, at: number): Delimiters {
  return {
    leaf,
    chain: { start: 0, end: 0, after: 0 },
    heads: [null, null, null, null, null, null, null, null],
    lastWord: at,
    wordMark: at,
    lastSpace: 0,
    spaceMark: -1,
    bareLinkEnd: -1,
  }
}

/** A code span, a mention or a link counts as a word, and what it holds is not the sequence's text. */
export function passConstruct(delimiters: Delimiters, start: number, end: number): void {
  delimiters.lastWord = end
  delimiters.wordMark = end
  if (delimiters.spaceMark < 0) return
  findSpaceBefore(delimiters, start)
  delimiters.spaceMark = end
}

/** `_` and `-` are no longer open behind a break. */
export function passBreak({ heads }: Delimiters): void {
  heads[UNDERSCORES] = null
  heads[DASHES] = null
}

/** Whether a run of this delimiter that can open is still open. */
export function isOpen(delimiters: Delimiters, char: number): boolean {
  return (char === STAR ? nearestStar(delimiters, -1, false) : headOf(delimiters, listOf(char))) !== null
}

/** Reads the delimiter run at `start`: it closes what it can, and what is left of it may open. Returns its end. */
export function readRun(delimiters: Delimiters, start: number): number {
  const { leaf } = delimiters
  const run = examineRun(leaf.text, start, delimiters.chain)
  const isLate = run.closesLate && canCloseLate(delimiters, run)
  if (!run.opens && !run.closes && !isLate) return run.end
  addEvent(leaf, RUN, start, run.end, 0)
  run.event = leaf.tapeEnd - EVENT_SIZE
  run.remaining = run.length
  if (run.closes || isLate) close(delimiters, run)
  if (run.opens && isLeft(run)) open(delimiters, run)
  return run.end
}

/** One star that `strong` leaves over in a word is text. */
function isLeft({ remaining, isInWord }: Run): boolean {
  return remaining > (isInWord ? 1 : 0)
}

/** Matches the run with openers as long as it can. */
function close(delimiters: Delimiters, run: Run): void {
  while (run.remaining > 0) {
    const opener = nearestOpener(delimiters, run)
    if (opener === null) return
    const size = Math.min(run.remaining, opener.remaining, 2)
    if (!canMatch(delimiters, opener, run, size)) return
    match(delimiters, opener, run, size)
  }
}

/** The nearest opener of the run's character that the rule of three allows. */
export function nearestOpener(delimiters: Delimiters, run: Run): Run | null {
  if (run.char !== STAR) return headOf(delimiters, listOf(run.char))
  return nearestStar(delimiters, run.length % 3, run.opens)
}

/** The nearest open opener of `*` that the rule of three allows for a closer; `modulo` -1 leaves the rule aside. */
function nearestStar(delimiters: Delimiters, modulo: number, opens: boolean): Run | null {
  let nearest: Run | null = null
  for (let list = 0; list < UNDERSCORES; list += 1) {
    const head = headOf(delimiters, list)
    if (head === null || (nearest !== null && head.event < nearest.event)) continue
    const isBoth = opens || list >= CAN_CLOSE
    if (!(isBoth && modulo > 0 && (list + modulo) % 3 === 0)) nearest = head
  }
  return nearest
}

/** Whether the run can take `size` delimiters of the nearest opener, and give as many of its own. */
export function canMatch(delimiters: Delimiters, opener: Run, run: Run, size: number): boolean {
  if (run.char !== STAR) return findWordBefore(delimiters, run.start) > opener.end
  if (opener.isInWord && !(opener.length === 2 && run.length === 2 && !run.isInWord)) {
    if (findSpaceBefore(delimiters, run.start) > opener.end) return false
  }
  if (size === 2) return true
  if (opener.isInWord || run.isInWord) return false
  // The slash before the closing star may end a bare link: https://example.com/*
  const closesBehindSlash = run.isBehindSlash && run.remaining === run.length && delimiters.bareLinkEnd !== run.start
  const opensBeforeSlash = opener.isBeforeSlash && opener.remaining === opener.opened
  const opensBehindSlash = opener.isBehindSlash && opener.remaining === 1 && opener.opened === opener.length
  if (closesBehindSlash || opensBeforeSlash || opensBehindSlash) return false
  return findWordBefore(delimiters, run.start) > opener.end
}

/** Pairs the run with an opener; the delimiters between them become text. */
function match(delimiters: Delimiters, opener: Run, run: Run, size: number): void {
  const { leaf } = delimiters
  const { tape, matches, matchesEnd: at } = leaf
  matches[at] = size
  matches[at + 1] = tape[opener.event + 3] ?? 0
  leaf.matchesEnd = at + 2
  tape[opener.event + 3] = at
  const count = tape[run.event + 5] ?? 0
  if (count === 0) tape[run.event + 4] = at
  tape[run.event + 5] = count + 1
  run.remaining -= size
  opener.remaining -= size
  drop(delimiters, isLeft(opener) ? opener.event + 1 : opener.event)
}

/** Takes the openers whose events are at `event` or behind it out of their lists. */
function drop({ heads }: Delimiters, event: number): void {
  for (let list = 0; list <= DASHES; list += 1) {
    let head = heads[list] ?? null
    while (head !== null && head.event >= event) head = head.below
    heads[list] = head
  }
}

function open(delimiters: Delimiters, run: Run): void {
  const list = run.char === STAR ? (run.length % 3) + (run.closes ? CAN_CLOSE : 0) : listOf(run.char)
  run.opened = run.remaining
  run.below = headOf(delimiters, list)
  delimiters.heads[list] = run
  if (!run.isInWord || delimiters.spaceMark >= 0) return
  delimiters.lastSpace = 0
  delimiters.spaceMark = run.end
}

/** The rest of *late*: what the nearest open opener of `*` must be, the rule of three left aside. */
export function canCloseLate(delimiters: Delimiters, run: Run): boolean {
  const opener = nearestStar(delimiters, -1, false)
  if (opener === null || !opener.begins || opener.length !== run.length || opener.remaining !== run.length) return false
  return findWordBefore(delimiters, run.start) > opener.end
}

/** Where the last word before `at` ends. Cost: no character is looked at twice, as `at` only rises. */
function findWordBefore(delimiters: Delimiters, at: number): number {
  const { text } = delimiters.leaf
  for (let end = at; end > delimiters.wordMark; end -= lengthBefore(text, end)) {
    if ((traitsBefore(text, end) & WORD) === 0) continue
    delimiters.lastWord = end
    break
  }
  delimiters.wordMark = at
  return delimiters.lastWord
}

/** Where the last white space before `at` ends. Cost: as above. */
function findSpaceBefore(delimiters: Delimiters, at: number): number {
  for (let end = at; end > delimiters.spaceMark; end -= 1) {
    if ((traitsBefore(delimiters.leaf.text, end) & WHITE_SPACE) === 0) continue
    delimiters.lastSpace = end
    break
  }
  delimiters.spaceMark = at
  return delimiters.lastSpace
}

function listOf(char: number): number {
  return char === DASH ? DASHES : UNDERSCORES
}

function headOf(delimiters: Delimiters, list: number): Run | null {
  return delimiters.heads[list] ?? null
}
