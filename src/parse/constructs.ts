/** The constructs whose content is not parsed: escapes (§3.1), code spans (§3.2), mentions (§3.3) and files (§2). */
import * as Trait from '../characters.js'
import { traitsTable } from '../characters.js'
import { CODE, DROPPED, LESS_THAN_SIGN, MENTION } from './events.js'
import { addEvent, type ParseState, passConstruct } from './state.js'
import * as Unit from './units.js'
import {
  codeAt,
  type EscapeContext,
  endOfRun,
  isEscapable,
  lengthAt,
  positionAt,
  stopAt,
  traitsAt,
  traitsBefore,
} from './units.js'

/** A shrug, which is text (§3.1): its backslash is not an escape. */
export const SHRUG = '¯\\_(ツ)_/¯'

/** Reads the backslashes at `at`. Returns the position after them and after the character that they escape, if any. */
export function readBackslashes(state: ParseState, at: number): number {
  const shrugEnd = endOfShrug(state, at)
  if (shrugEnd > 0) return shrugEnd
  const chars = state.chars
  const end = endOfRun(chars, at)
  const followingCode = codeAt(chars, end)
  if (!isEscapable(followingCode)) return end
  // Each pair of backslashes becomes one backslash. A backslash that is left over escapes the next character, which is then text.
  const length = end - at
  addEvent(state, DROPPED, at, end - (length >> 1), 0)
  if ((length & 1) === 0) return end
  if (followingCode === Unit.LESS_THAN) addEvent(state, LESS_THAN_SIGN, end, end + 1, 0)
  return end + 1
}

/** Returns the position after the backslashes at `at` and after the character that they escape, if any. */
export function skipEscape(chars: Uint16Array, at: number, context: EscapeContext): number {
  const end = endOfRun(chars, at)
  return ((end - at) & 1) === 1 && isEscapable(codeAt(chars, end), context) ? end + 1 : end
}

/** Returns the end of the shrug whose backslash is at `at`, or 0 if the backslash is not part of a shrug. */
export function endOfShrug(state: ParseState, at: number): number {
  if (state.chars[at - 1] !== 0xaf /* ¯ */ || at <= state.shrugEnd) return 0
  if (!state.source.startsWith(SHRUG, at - 2)) return 0
  state.shrugEnd = at - 1 + SHRUG.length
  return state.shrugEnd
}

/**
 * Returns a URL with its escapes resolved. The character after the URL decides whether backslashes at the end of the URL escape.
 * A bare link keeps a shrug (§3.5); in the URL of a named link a shrug has no special meaning.
 */
export function resolveEscapes(state: ParseState, start: number, end: number, context: EscapeContext): string {
  const url = state.source.slice(start - 1, end - 1)
  if (url.indexOf('\\') < 0) return url
  return url.replace(context === Unit.IN_TEXT ? BACKSLASHES : /\\+/g, (run, at: number) => {
    const followingCode = codeAt(state.chars, start + at + run.length)
    return run !== SHRUG && isEscapable(followingCode, context) ? run.slice(0, run.length >> 1) : run
  })
}

/** A shrug or a run of backslashes. */
export const BACKSLASHES: RegExp = /¯\\_\(ツ\)_\/¯|\\+/g

/** The value of `backticksFrom` while no search for closing backticks has failed. */
export const NO_FAILED_SEARCH = 0x3fffffff

/** Reads the code span at `at`, or the backticks there if nothing closes them. Returns the position after what was read. */
export function readCode(state: ParseState, stop: number, at: number): number {
  const openEnd = endOfRun(state.chars, at)
  const end = endOfCode(state, stop, openEnd)
  if (end === 0) return openEnd
  // If the next stop is the closing run, the content has no line ending and no character that HTML escapes.
  const isPlain = state.stops[stop + openEnd - at] === end - openEnd + at
  addEvent(state, CODE, at, end, isPlain ? 1 : 0)
  passConstruct(state, at, end)
  return end
}

/**
 * Returns the end of the code span that starts at stop `opener` and whose opening backticks end at `openEnd`; 0 if nothing
 * closes them, or if the backtick is an apostrophe.
 *
 * Cost: linear over all calls. A successful search reads only the code, which the caller skips. A search from an apostrophe
 * ends at the next single backtick, where the next search begins. The first search that fails has read every run up to the
 * end of the leaf, and has noted them in `lastBackticks`, so later searches that would fail read nothing.
 */
export function endOfCode(state: ParseState, opener: number, openEnd: number): number {
  const { chars, stops, lastStop } = state
  const openStart = positionAt(stops, opener)
  const length = openEnd - openStart
  // A single backtick after a letter may be an apostrophe, for example: don`t and it`s
  const isAfterLetter = length === 1 && (traitsBefore(chars, openStart) & Trait.LETTER) !== 0
  if (isAfterLetter && (traitsAt(chars, openEnd) & Trait.WHITE_SPACE) !== 0) return 0
  if (openEnd >= state.backticksFrom && (state.lastBackticks?.get(length) ?? 0) <= openEnd) return 0
  let at = openEnd
  for (let stop = opener + 1; stop < lastStop; stop += 1) {
    const start = positionAt(stops, stop)
    if (start < at || stopAt(chars, start) !== Unit.STOP_BACKTICK) continue
    at = endOfRun(chars, start)
    if (at - start === length) return isAfterLetter && isNextWord(chars, start, at) ? 0 : at
    noteBackticks(state, at - start, at)
  }
  state.backticksFrom = Math.min(state.backticksFrom, openEnd)
  return 0
}

/** Whether the backtick from `start` to `end` belongs to another word, so that it does not close code that begins after a letter. */
function isNextWord(chars: Uint16Array, start: number, end: number): boolean {
  return (traitsBefore(chars, start) & Trait.WHITE_SPACE) !== 0 || (traitsAt(chars, end) & Trait.LETTER) !== 0
}

function noteBackticks(state: ParseState, length: number, end: number): void {
  state.lastBackticks ??= new Map()
  if ((state.lastBackticks.get(length) ?? 0) < end) state.lastBackticks.set(length, end)
}

/** A line ending and the spaces next to it. A match starts at the first of these, so that a search is linear. */
const lineEnding = /(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*/g

/** Returns the value of the code span from `start` to `end`. A line ending and its spaces become one space (§3.2). */
export function codeValue({ chars, source }: ParseState, start: number, end: number, isPlain: boolean): string {
  const length = endOfRun(chars, start) - start
  const content = source.slice(start + length - 1, end - length - 1)
  const hasLineEnding = !isPlain && (content.includes('\n') || content.includes('\r'))
  return withoutPadding(hasLineEnding ? content.replace(lineEnding, ' ') : content)
}

/** Removes one space from both ends of the value of a code span, if both ends have a space and not all characters are spaces. */
function withoutPadding(value: string): string {
  const last = value.length - 1
  const isPadded = value.charCodeAt(0) === 32 && value.charCodeAt(last) === 32
  return isPadded && /[^ ]/.test(value) ? value.slice(1, last) : value
}

const ID_LENGTH_MAX = 128
const LABEL_LENGTH_MAX = 256
const ID_END: number = Trait.ENDS_ID_OR_LABEL | Trait.CONTROL | Trait.WHITE_SPACE
const LABEL_END: number = Trait.ENDS_ID_OR_LABEL | Trait.CONTROL

/** An id that needs no pipe after it: ASCII letters, digits, `_` and `-`, at least one of them a digit. */
const plainID = /^(?=[\w-]*\d)[\w-]+$/

/** Reads the mention whose `<` is at `at`, or only the `<`. Returns the position after what was read. */
export function readMention(state: ParseState, at: number): number {
  const end = endOfMention(state, at)
  if (end === 0) {
    addEvent(state, LESS_THAN_SIGN, at, at + 1, 0)
    return at + 1
  }
  addEvent(state, MENTION, at, end, 0)
  passConstruct(state, at, end)
  return end
}

/** Returns the end of the mention whose `<` is at `start`, or 0 if no mention starts there. Cost: at most 388 characters are read. */
export function endOfMention({ chars, source }: ParseState, start: number): number {
  if (chars[start + 1] !== Unit.AT_SIGN) return 0
  const idEnd = endOfName(chars, start + 2, ID_END, ID_LENGTH_MAX)
  if (chars[idEnd] !== Unit.GREATER_THAN) return endOfLabel(chars, start + 2, idEnd)
  return needsNoPipe(source.slice(start + 1, idEnd - 1)) ? idEnd + 1 : 0
}

/** Whether the text from `start` to `end`, which begins with a `<`, is a file. */
export function isFile({ chars }: ParseState, start: number, end: number): boolean {
  if (chars[start + 1] !== Unit.EXCLAMATION_MARK) return false
  return endOfLabel(chars, start + 2, endOfName(chars, start + 2, ID_END, ID_LENGTH_MAX)) === end
}

/** The id and the label of a mention or a file. The label is null if it is missing or empty. */
export interface Reference {
  readonly id: string
  readonly label: string | null
}

/** Returns the id and the label of the mention or file from `start` to `end`. */
export function referenceAt({ source, chars }: ParseState, start: number, end: number): Reference {
  let pipe = start + 2
  while (pipe < end - 1 && chars[pipe] !== Unit.PIPE) pipe += 1
  return { id: source.slice(start + 1, pipe - 1), label: pipe < end - 2 ? source.slice(pipe, end - 2) : null }
}

/** Whether a mention of this id needs no pipe. */
export function needsNoPipe(id: string): boolean {
  return plainID.test(id)
}

/** Returns the position after the pipe, the label and the `>` that follow the id from `start` to `idEnd`; 0 if they do not follow. */
function endOfLabel(chars: Uint16Array, start: number, idEnd: number): number {
  if (idEnd === start || chars[idEnd] !== Unit.PIPE) return 0
  const end = endOfName(chars, idEnd + 1, LABEL_END, LABEL_LENGTH_MAX)
  return chars[end] === Unit.GREATER_THAN ? end + 1 : 0
}

/** Returns the end of at most `lengthMax` characters that have none of `excludedTraits`. */
function endOfName(chars: Uint16Array, start: number, excludedTraits: number, lengthMax: number): number {
  let at = start
  for (let charactersLeft = lengthMax; charactersLeft > 0; charactersLeft -= 1) {
    const code = codeAt(chars, at)
    if (((code < 128 ? (traitsTable[code] as number) : traitsAt(chars, at)) & excludedTraits) !== 0) break
    at += code < 128 ? 1 : lengthAt(chars, at)
  }
  return at
}
