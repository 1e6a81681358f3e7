/**
 * The delimiter runs that are still open (§4). They are a stack, because a pair discards everything that was opened inside it.
 * Openers of one character that the rule of three treats alike form a linked list. A closer compares the heads of a few lists to
 * find its nearest allowed opener, and never searches the stack.
 */
import { WHITE_SPACE, WORD } from '../characters.js'
import { delimiterChars } from '../delimiters.js'
import { lengthBefore, traitsBefore } from './neighbors.js'
import { CLOSES, IN_WORD } from './run.js'
import { isFlanking } from './units.js'

export interface Opener {
  char: number
  /** Its event on the tape. */
  event: number
  start: number
  end: number
  /** The flags that its neighbors give it (`run.ts`). */
  flags: number
  /** The number of delimiters when it became an opener, and the number left. */
  opened: number
  left: number
  /** Its list, and the opener below it there. */
  list: number
  below: number
}

export interface Openers {
  readonly stack: Opener[]
  height: number
  /** The highest opener of each list, or -1. */
  readonly heads: Int32Array
  /** The first opener of the current sequence; and, for delimiters that end with their line, the first one of the current line. */
  base: number
  lineBase: number
  /** The first opener of the current link text, or of the leaf outside of one. Words and white space are tracked only while it has an opener. */
  scope: number
  /** The end of the last word before `wordMark`. */
  lastWord: number
  wordMark: number
  /** The end of the last white space of text before `spaceMark`; not tracked while `spaceMark` is -1. */
  lastSpace: number
  spaceMark: number
  /** The end of the last link; a URL in a label is not a link. */
  linkEnd: number
}

export const NONE = -1

/** A flanking character has six lists: three by length modulo three, then three more for runs that can also close. */
const CAN_CLOSE = 3
const LISTS_OF_FLANKING = 6

interface Lists {
  /** The index of the first list of each ASCII character. */
  readonly first: Uint8Array
  readonly count: number
}

const lists: Lists = /* @__PURE__ */ createLists()

function createLists(): Lists {
  const first = new Uint8Array(128)
  let count = 0
  for (const char of delimiterChars) {
    first[char.charCodeAt(0)] = count
    count += isFlanking(char.charCodeAt(0)) ? LISTS_OF_FLANKING : 1
  }
  return { first, count }
}

export function createOpeners(): Openers {
  return {
    stack: [],
    height: 0,
    heads: new Int32Array(lists.count).fill(NONE),
    base: 0,
    lineBase: 0,
    scope: 0,
    lastWord: 0,
    wordMark: 0,
    lastSpace: 0,
    spaceMark: -1,
    linkEnd: 0,
  }
}

/** Removes all openers. */
export function clearOpeners(openers: Openers): void {
  dropOpeners(openers, 0)
  openers.base = openers.lineBase = openers.scope = openers.linkEnd = 0
}

/** Adds a run that opens, with the given number of delimiters left. */
export function pushOpener(
  openers: Openers,
  char: number,
  event: number,
  start: number,
  end: number,
  left: number,
  flags: number,
): void {
  const { stack, heads, height } = openers
  // Words and white space before the first opener never matter.
  if (height === openers.scope) {
    openers.lastWord = openers.wordMark = end
    openers.spaceMark = -1
  }
  const first = lists.first[char] ?? 0
  const list = isFlanking(char) ? first + ((end - start) % 3) + ((flags & CLOSES) !== 0 ? CAN_CLOSE : 0) : first
  const opener = stack[height]
  if (opener === undefined) {
    stack[height] = { char, event, start, end, flags, opened: left, left, list, below: heads[list] ?? NONE }
  } else {
    opener.char = char
    opener.event = event
    opener.start = start
    opener.end = end
    opener.flags = flags
    opener.opened = opener.left = left
    opener.list = list
    opener.below = heads[list] ?? NONE
  }
  heads[list] = height
  openers.height = height + 1
  if ((flags & IN_WORD) === 0 || openers.spaceMark >= 0) return
  openers.lastSpace = 0
  openers.spaceMark = end
}

/** Removes the openers from `height` on: delimiters inside a pair that are still open are text. */
export function dropOpeners(openers: Openers, height: number): void {
  const { stack, heads } = openers
  for (let top = openers.height - 1; top >= height; top -= 1) {
    const opener = stack[top]
    if (opener !== undefined) heads[opener.list] = opener.below
  }
  if (openers.height > height) openers.height = height
  if (openers.lineBase > height) openers.lineBase = height
}

/** Returns the nearest opener of a `boundary` character, or {@link NONE}. */
export function nearestBoundary({ heads, lineBase }: Openers, char: number): number {
  const head = heads[lists.first[char] ?? 0] ?? NONE
  return head >= lineBase ? head : NONE
}

/** Returns the nearest opener of a `flanking` character, without the rule of three. */
export function nearestFlanking({ heads, base }: Openers, char: number): number {
  const first = lists.first[char] ?? 0
  let nearest = base - 1
  for (let list = first; list < first + LISTS_OF_FLANKING; list += 1) {
    const head = heads[list] ?? NONE
    if (head > nearest) nearest = head
  }
  return nearest < base ? NONE : nearest
}

/** Returns the nearest opener of a `flanking` character that the rule of three allows for a closer. `opens` says whether the closer can also open. */
export function nearestAllowed(openers: Openers, char: number, length: number, opens: boolean): number {
  const { stack, heads, base, height } = openers
  // Usually it is the highest one: the rule applies only if one of the two runs can both open and close.
  const top = height > base ? stack[height - 1] : undefined
  if (top !== undefined && top.char === char && !opens && (top.flags & CLOSES) === 0) return height - 1
  const first = lists.first[char] ?? 0
  const modulo = length % 3
  let nearest = base - 1
  for (let list = 0; list < LISTS_OF_FLANKING; list += 1) {
    const head = heads[first + list] ?? NONE
    if (head <= nearest) continue
    const isRuledOut = modulo > 0 && (opens || list >= CAN_CLOSE) && (list + modulo) % 3 === 0
    if (!isRuledOut) nearest = head
  }
  return nearest < base ? NONE : nearest
}

/** Whether a delimiter run of this character is open. */
export function isOpen(openers: Openers, char: number): boolean {
  return (isFlanking(char) ? nearestFlanking(openers, char) : nearestBoundary(openers, char)) !== NONE
}

/** The state of the openers around a sequence, while the sequence is read. */
export interface Outside {
  base: number
  lineBase: number
  scope: number
  lastWord: number
  wordMark: number
  lastSpace: number
  spaceMark: number
}

/** Starts a sequence, which cannot use the openers around it. Link text tracks its own words and white space; a forced pair does not. */
export function startSequence(openers: Openers, outside: Outside, isLabel: boolean): void {
  outside.base = openers.base
  outside.lineBase = openers.lineBase
  outside.scope = openers.scope
  outside.lastWord = openers.lastWord
  outside.wordMark = openers.wordMark
  outside.lastSpace = openers.lastSpace
  outside.spaceMark = openers.spaceMark
  openers.base = openers.lineBase = openers.height
  if (isLabel) openers.scope = openers.height
}

export function endSequence(openers: Openers, outside: Outside, isLabel: boolean): void {
  dropOpeners(openers, openers.base)
  openers.base = outside.base
  openers.lineBase = outside.lineBase
  if (!isLabel) return
  openers.scope = outside.scope
  openers.lastWord = outside.lastWord
  openers.wordMark = outside.wordMark
  openers.lastSpace = outside.lastSpace
  openers.spaceMark = outside.spaceMark
}

/** Ends the `_` and `-` that are open: they do not close after a break in their sequence. */
export function passBreak(openers: Openers): void {
  openers.lineBase = openers.height
}

/** Records code, a mention or a link: it counts as a word, and white space in it does not count. */
export function passConstruct(openers: Openers, chars: Uint16Array, start: number, end: number): void {
  if (openers.height === openers.scope) return
  openers.lastWord = openers.wordMark = end
  if (openers.spaceMark < 0) return
  spaceBefore(openers, chars, start)
  openers.spaceMark = end
}

/** The end of the last word before `at`. Cost: linear over all calls. */
export function wordBefore(openers: Openers, chars: Uint16Array, at: number): number {
  for (let end = at; end > openers.wordMark; end -= lengthBefore(chars, end)) {
    if ((traitsBefore(chars, end) & WORD) === 0) continue
    openers.lastWord = end
    break
  }
  openers.wordMark = at
  return openers.lastWord
}

/** The end of the last white space of text before `at`. Cost: linear over all calls. */
export function spaceBefore(openers: Openers, chars: Uint16Array, at: number): number {
  for (let end = at; end > openers.spaceMark; end -= lengthBefore(chars, end)) {
    if ((traitsBefore(chars, end) & WHITE_SPACE) === 0) continue
    openers.lastSpace = end
    break
  }
  openers.spaceMark = at
  return openers.lastSpace
}
