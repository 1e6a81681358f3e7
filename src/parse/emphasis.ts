/**
 * Emphasis (§4): CommonMark's algorithm with the dialect's conditions, resolved in the same left-to-right pass that
 * finds the delimiter runs, because the end of a bare link depends on which of them are still open (§3.5).
 *
 * Openers live on one stack. Those that the rule of three treats alike are linked to a list of their own, so that a
 * closer finds its nearest allowed opener among the heads of eight lists and nothing ever searches.
 */
import { lengthBefore, traitsBefore, WHITE_SPACE, WORD } from '../characters.js'
import { addEvent, EVENT_SIZE, grown, type Leaf, RUN } from './leaf.js'
import { createRun, DASH, examineRun, type Run, STAR } from './run.js'

// The lists of openers: 0–2 for stars by their length modulo 3, 3–5 for those that can also close, then one each.
const CAN_CLOSE = 3
const UNDERSCORES = 6
const DASHES = 7

// An opener is six numbers on the stack.
const EVENT = 0 // where its event is on the tape
const REMAINING = 1 // how many stars it still has
const LENGTH = 2 // how many it had
const OPENED = 3 // how many it had left when it began to be an opener
const FLAGS = 4
const BELOW = 5 // the opener below it in its list, -1 at the end
const OPENER_SIZE = 6

const IN_WORD = 1
const BEGINS = 2 // C or a beginner stands before it
const BEHIND_SLASH = 4
const BEFORE_SLASH = 8

/** The delimiter runs of a leaf that are still open, in the sequence that is being read: the leaf's or a label's. */
export interface Delimiters {
  run: Run
  openers: Int32Array
  openersEnd: number
  /** The nearest opener of each list, -1 where it is empty; and those of the leaf while a label is read. */
  heads: Int32Array
  outerHeads: Int32Array
  outerEnd: number
  /** Two numbers a match: how many delimiters of each side it takes, and the match its opener made before it. */
  matches: Int32Array
  matchesEnd: number
  /** Where the last word before `wordMark` ends. */
  lastWord: number
  wordMark: number
  /** Where the last white space of the sequence's text before `spaceMark` ends; not kept while `spaceMark` is -1. */
  lastSpace: number
  spaceMark: number
  outerSpace: number
  outerSpaceMark: number
  /** Where the last bare link ends. */
  bareLinkEnd: number
}

export function createDelimiters(): Delimiters {
  return {
    run: createRun(),
    openers: new Int32Array(32 * OPENER_SIZE),
    openersEnd: 0,
    heads: new Int32Array(8),
    outerHeads: new Int32Array(8),
    outerEnd: 0,
    matches: new Int32Array(64),
    matchesEnd: 0,
    lastWord: 0,
    wordMark: 0,
    lastSpace: 0,
    spaceMark: 0,
    outerSpace: 0,
    outerSpaceMark: 0,
    bareLinkEnd: 0,
  }
}

export function startDelimiters(delimiters: Delimiters, start: number): void {
  delimiters.openersEnd = 0
  clear(delimiters.heads)
  // 0 on the tape means no match.
  delimiters.matchesEnd = 2
  delimiters.lastWord = start
  delimiters.wordMark = start
  delimiters.spaceMark = -1
  delimiters.bareLinkEnd = -1
  delimiters.run.chainEnd = -1
}

/** `fill` costs more than the loop for so few. */
function clear(heads: Int32Array): void {
  for (let list = 0; list <= DASHES; list += 1) heads[list] = -1
}

/** A link's label is a sequence of its own: nothing in it meets a delimiter outside. */
export function startLabel(delimiters: Delimiters, text: string, linkStart: number): void {
  passConstruct(delimiters, text, linkStart, linkStart + 1)
  delimiters.outerHeads.set(delimiters.heads)
  delimiters.outerEnd = delimiters.openersEnd
  delimiters.outerSpace = delimiters.lastSpace
  delimiters.outerSpaceMark = delimiters.spaceMark
  clear(delimiters.heads)
  delimiters.lastWord = linkStart
  delimiters.spaceMark = -1
}

export function endLabel(delimiters: Delimiters, linkEnd: number): void {
  delimiters.heads.set(delimiters.outerHeads)
  delimiters.openersEnd = delimiters.outerEnd
  delimiters.lastWord = linkEnd
  delimiters.wordMark = linkEnd
  delimiters.lastSpace = delimiters.outerSpace
  delimiters.spaceMark = delimiters.outerSpaceMark < 0 ? -1 : linkEnd
}

/** A code span, a mention or a link counts as a word, and what it holds is not the sequence's text. */
export function passConstruct(delimiters: Delimiters, text: string, start: number, end: number): void {
  delimiters.lastWord = end
  delimiters.wordMark = end
  if (delimiters.spaceMark < 0) return
  findSpaceBefore(delimiters, text, start)
  delimiters.spaceMark = end
}

/** `_` and `-` are no longer open behind a break. */
export function passBreak(delimiters: Delimiters): void {
  delimiters.heads[UNDERSCORES] = -1
  delimiters.heads[DASHES] = -1
}

/** Whether a run of this delimiter that can open is still open. */
export function isOpen(delimiters: Delimiters, char: number): boolean {
  return (char === STAR ? nearestStar(delimiters) : headOf(delimiters, listOf(char))) >= 0
}

/** Reads the delimiter run at `start`: it closes what it can, and what is left of it may open. Returns its end. */
export function readRun(delimiters: Delimiters, leaf: Leaf, start: number): number {
  const { run } = delimiters
  examineRun(run, leaf.text, start)
  const isLate = run.closesLate && canCloseLate(delimiters, leaf)
  if (!run.opens && !run.closes && !isLate) return run.end
  addEvent(leaf, RUN, start, run.end, 0)
  const remaining = run.closes || isLate ? close(delimiters, leaf) : run.length
  if (run.opens && remaining > (run.isInWord ? 1 : 0)) open(delimiters, leaf, remaining)
  return run.end
}

/** Matches the run with openers as long as it can, and says what is left of it. */
function close(delimiters: Delimiters, leaf: Leaf): number {
  const { run } = delimiters
  let remaining = run.length
  while (remaining > 0) {
    const opener = nearestOpener(delimiters)
    if (opener < 0) break
    const size = remaining > 1 && fieldOf(delimiters, opener, REMAINING) > 1 ? 2 : 1
    if (!canMatch(delimiters, leaf, opener, remaining, size)) break
    match(delimiters, leaf, opener, size)
    remaining -= size
  }
  return remaining
}

/** The nearest opener of the run's character that the rule of three allows, -1 if there is none. */
function nearestOpener(delimiters: Delimiters): number {
  const { run } = delimiters
  if (run.char !== STAR) return headOf(delimiters, listOf(run.char))
  const modulo = run.length % 3
  let nearest = -1
  for (let list = 0; list < UNDERSCORES; list += 1) {
    const head = headOf(delimiters, list)
    if (head <= nearest) continue
    const isBoth = run.opens || list >= CAN_CLOSE
    const isMultiple = (list + modulo) % 3 === 0 && modulo !== 0
    if (!isBoth || !isMultiple) nearest = head
  }
  return nearest
}

/** Whether the run, with so many delimiters left, can take `size` of them for the nearest opener. */
function canMatch(delimiters: Delimiters, leaf: Leaf, opener: number, remaining: number, size: number): boolean {
  const { run } = delimiters
  const openerEnd = leaf.tape[fieldOf(delimiters, opener, EVENT) + 2] ?? 0
  if (run.char !== STAR) return findWordBefore(delimiters, leaf.text, run.start) > openerEnd
  const left = fieldOf(delimiters, opener, REMAINING)
  const length = fieldOf(delimiters, opener, LENGTH)
  const flags = fieldOf(delimiters, opener, FLAGS)
  const isInWord = (flags & IN_WORD) !== 0
  if (isInWord && !(length === 2 && run.length === 2 && !run.isInWord)) {
    if (findSpaceBefore(delimiters, leaf.text, run.start) > openerEnd) return false
  }
  if (size === 2) return true
  if (isInWord || run.isInWord) return false
  // The slash before the closing star may end a bare link: https://example.com/*
  const closesBehindSlash = run.isBehindSlash && remaining === run.length && delimiters.bareLinkEnd !== run.start
  const opened = fieldOf(delimiters, opener, OPENED)
  const opensBeforeSlash = (flags & BEFORE_SLASH) !== 0 && left === opened
  const opensBehindSlash = (flags & BEHIND_SLASH) !== 0 && left === 1 && opened === length
  if (closesBehindSlash || opensBeforeSlash || opensBehindSlash) return false
  return findWordBefore(delimiters, leaf.text, run.start) > openerEnd
}

/** Pairs the run with an opener; the delimiters between them become text. */
function match(delimiters: Delimiters, leaf: Leaf, opener: number, size: number): void {
  const { openers } = delimiters
  const { tape } = leaf
  const at = delimiters.matchesEnd
  if (at + 2 > delimiters.matches.length) delimiters.matches = grown(delimiters.matches)
  delimiters.matchesEnd = at + 2
  const openingEvent = fieldOf(delimiters, opener, EVENT)
  const closingEvent = leaf.tapeEnd - EVENT_SIZE
  delimiters.matches[at] = size
  delimiters.matches[at + 1] = tape[openingEvent + 3] ?? 0
  tape[openingEvent + 3] = at
  if (tape[closingEvent + 5] === 0) tape[closingEvent + 4] = at
  tape[closingEvent + 5] = (tape[closingEvent + 5] ?? 0) + 1
  const remaining = fieldOf(delimiters, opener, REMAINING) - size
  openers[opener + REMAINING] = remaining
  const isInWord = (fieldOf(delimiters, opener, FLAGS) & IN_WORD) !== 0
  drop(delimiters, remaining > (isInWord ? 1 : 0) ? opener + OPENER_SIZE : opener)
}

/** Takes the openers from `from` on off the stack, and out of their lists. */
function drop(delimiters: Delimiters, from: number): void {
  delimiters.openersEnd = from
  for (let list = 0; list <= DASHES; list += 1) {
    let head = headOf(delimiters, list)
    if (head < from) continue
    while (head >= from) head = fieldOf(delimiters, head, BELOW)
    delimiters.heads[list] = head
  }
}

function open(delimiters: Delimiters, leaf: Leaf, remaining: number): void {
  const { run, heads } = delimiters
  const at = delimiters.openersEnd
  if (at + OPENER_SIZE > delimiters.openers.length) delimiters.openers = grown(delimiters.openers)
  const { openers } = delimiters
  const list = run.char === STAR ? (run.length % 3) + (run.closes ? CAN_CLOSE : 0) : listOf(run.char)
  openers[at + EVENT] = leaf.tapeEnd - EVENT_SIZE
  openers[at + REMAINING] = remaining
  openers[at + LENGTH] = run.length
  openers[at + OPENED] = remaining
  openers[at + FLAGS] =
    (run.isInWord ? IN_WORD : 0) |
    (run.begins ? BEGINS : 0) |
    (run.isBehindSlash ? BEHIND_SLASH : 0) |
    (run.isBeforeSlash ? BEFORE_SLASH : 0)
  openers[at + BELOW] = headOf(delimiters, list)
  heads[list] = at
  delimiters.openersEnd = at + OPENER_SIZE
  if (!run.isInWord || delimiters.spaceMark >= 0) return
  delimiters.lastSpace = 0
  delimiters.spaceMark = run.end
}

/** The rest of *late*: what the nearest open opener of `*` must be, the rule of three left aside. */
function canCloseLate(delimiters: Delimiters, leaf: Leaf): boolean {
  const { run } = delimiters
  const nearest = nearestStar(delimiters)
  if (nearest < 0) return false
  const left = fieldOf(delimiters, nearest, REMAINING)
  if (left !== run.length || fieldOf(delimiters, nearest, LENGTH) !== left) return false
  if ((fieldOf(delimiters, nearest, FLAGS) & BEGINS) === 0) return false
  const openerEnd = leaf.tape[fieldOf(delimiters, nearest, EVENT) + 2] ?? 0
  return findWordBefore(delimiters, leaf.text, run.start) > openerEnd
}

/** The nearest open opener of `*`, the rule of three left aside; -1 if there is none. */
function nearestStar(delimiters: Delimiters): number {
  let nearest = -1
  for (let list = 0; list < UNDERSCORES; list += 1) nearest = Math.max(nearest, headOf(delimiters, list))
  return nearest
}

/** Where the last word before `at` ends. Cost: no character is looked at twice, as `at` only rises. */
function findWordBefore(delimiters: Delimiters, text: string, at: number): number {
  for (let end = at; end > delimiters.wordMark; end -= lengthBefore(text, end)) {
    if ((traitsBefore(text, end) & WORD) === 0) continue
    delimiters.lastWord = end
    break
  }
  delimiters.wordMark = at
  return delimiters.lastWord
}

/** Where the last white space before `at` ends. Cost: as above. */
function findSpaceBefore(delimiters: Delimiters, text: string, at: number): number {
  for (let end = at; end > delimiters.spaceMark; end -= 1) {
    if ((traitsBefore(text, end) & WHITE_SPACE) === 0) continue
    delimiters.lastSpace = end
    break
  }
  delimiters.spaceMark = at
  return delimiters.lastSpace
}

function listOf(char: number): number {
  return char === DASH ? DASHES : UNDERSCORES
}

function headOf(delimiters: Delimiters, list: number): number {
  return delimiters.heads[list] ?? -1
}

function fieldOf(delimiters: Delimiters, opener: number, field: number): number {
  return delimiters.openers[opener + field] ?? 0
}
