/**
 * The delimiter runs that are still open (§4). They are a stack, because a pair discards everything that was opened inside it.
 * Openers of one character that the rule of three treats alike form a linked list. A closer compares the heads of six lists to
 * find its nearest allowed opener, and never searches the stack. (The rule never applies to runs of one, so not to `_` and `-`.)
 */
import { WHITE_SPACE, WORD } from '../characters.js'
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

export const NONE = -1

/** Each ASCII character has six lists: three by length modulo three, then three more for runs that can also close. */
const LIST_COUNT = 6
const CAN_CLOSE = 3

/** The words and the white space of link text, or of the leaf outside of link text. They are tracked only while it has an opener. */
export class Words {
  /** Its first opener. */
  readonly base: number
  /** The end of the last word before `wordMark`. */
  lastWord = 0
  wordMark = 0
  /** The end of the last white space of text before `spaceMark`; not tracked while `spaceMark` is -1. */
  lastSpace = 0
  spaceMark = -1

  constructor(base: number) {
    this.base = base
  }
}

export class Openers {
  readonly stack: Opener[] = []
  height = 0
  /** The highest opener of each list, or {@link NONE}. */
  readonly heads: Int32Array = new Int32Array(128 * LIST_COUNT).fill(NONE)
  /** The first opener of the current sequence; and, for delimiters that end with their line, the first one of the current line. */
  base = 0
  lineBase = 0
  /** Those of the leaf; and those of the current link text, or of the leaf outside of one. */
  readonly leafWords: Words = new Words(0)
  words: Words = this.leafWords
  /** The end of the last link; a URL in a label is not a link. */
  linkEnd = 0
}

/** Removes all openers. */
export function clearOpeners(openers: Openers): void {
  dropOpeners(openers, 0)
  openers.base = openers.lineBase = openers.linkEnd = 0
  openers.words = openers.leafWords
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
  const { stack, heads, height, words } = openers
  // Words and white space before the first opener never matter.
  if (height === words.base) {
    words.lastWord = words.wordMark = end
    words.spaceMark = -1
  }
  const list = LIST_COUNT * char + ((end - start) % 3) + ((flags & CLOSES) !== 0 ? CAN_CLOSE : 0)
  const opener = stack[height]
  if (opener === undefined) {
    stack[height] = { char, event, start, end, flags, opened: left, left, list, below: heads[list] as number }
  } else {
    opener.char = char
    opener.event = event
    opener.start = start
    opener.end = end
    opener.flags = flags
    opener.opened = opener.left = left
    opener.list = list
    opener.below = heads[list] as number
  }
  heads[list] = height
  openers.height = height + 1
  if ((flags & IN_WORD) === 0 || words.spaceMark >= 0) return
  words.lastSpace = 0
  words.spaceMark = end
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

/**
 * Returns the nearest opener that the rule of three allows for a closer, or {@link NONE}.
 *
 * @param length - the length of the closer; 0 for any opener
 * @param opens - whether the closer can also open
 */
export function nearestOpener(openers: Openers, char: number, length: number, opens: boolean): number {
  const { stack, heads, height } = openers
  const base = isFlanking(char) ? openers.base : openers.lineBase
  // Usually it is the highest one: the rule applies only if one of the two runs can both open and close.
  const top = height > base ? stack[height - 1] : undefined
  if (top !== undefined && top.char === char && !opens && (top.flags & CLOSES) === 0) return height - 1
  const modulo = length % 3
  let nearest = NONE
  for (let list = 0; list < LIST_COUNT; list += 1) {
    const head = heads[LIST_COUNT * char + list] as number
    const isRuledOut = modulo > 0 && (opens || list >= CAN_CLOSE) && (list + modulo) % 3 === 0
    if (head > nearest && !isRuledOut) nearest = head
  }
  return nearest < base ? NONE : nearest
}

/** Whether a delimiter run of this character is open. */
export function isOpen(openers: Openers, char: number): boolean {
  return nearestOpener(openers, char, 0, false) !== NONE
}

/** The state of the openers around a sequence, while the sequence is read. */
export type Outside = Pick<Openers, 'base' | 'lineBase' | 'words'>

/** Starts a sequence, which cannot use the openers around it. Link text tracks its own words and white space; a forced pair does not. */
export function startSequence(openers: Openers, isLabel: boolean): Outside {
  const { base, lineBase, words, height } = openers
  openers.base = openers.lineBase = height
  if (isLabel) openers.words = new Words(height)
  return { base, lineBase, words }
}

export function endSequence(openers: Openers, outside: Outside): void {
  dropOpeners(openers, openers.base)
  openers.base = outside.base
  openers.lineBase = outside.lineBase
  openers.words = outside.words
}

/** Ends the `_` and `-` that are open: they do not close after a break in their sequence. */
export function passBreak(openers: Openers): void {
  openers.lineBase = openers.height
}

/** Records code, a mention or a link: it counts as a word, and white space in it does not count. */
export function passConstruct({ height, words }: Openers, chars: Uint16Array, start: number, end: number): void {
  if (height === words.base) return
  words.lastWord = words.wordMark = end
  if (words.spaceMark < 0) return
  spaceBefore(words, chars, start)
  words.spaceMark = end
}

/** Returns the end of the last word before `at`. Cost: linear over all calls. */
export function wordBefore(words: Words, chars: Uint16Array, at: number): number {
  words.lastWord = lastOf(WORD, chars, at, words.wordMark) || words.lastWord
  words.wordMark = at
  return words.lastWord
}

/** Returns the end of the last white space of text before `at`. Cost: linear over all calls. */
export function spaceBefore(words: Words, chars: Uint16Array, at: number): number {
  words.lastSpace = lastOf(WHITE_SPACE, chars, at, words.spaceMark) || words.lastSpace
  words.spaceMark = at
  return words.lastSpace
}

/** Returns the end of the last character between two positions that has a trait, or 0. */
function lastOf(trait: number, chars: Uint16Array, end: number, start: number): number {
  let at = end
  while (at > start && (traitsBefore(chars, at) & trait) === 0) at -= lengthBefore(chars, at)
  return at > start ? at : 0
}
