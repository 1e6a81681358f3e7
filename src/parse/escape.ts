/** Backslash escapes and the shrug (§3.1). */
import { endOfRun } from './neighbors.js'
import { addEvent, type Reader } from './reader.js'
import { DROPPED, LESS_THAN_SIGN } from './tape.js'
import { codeAt, type EscapeContext, IN_TEXT, isEscapable, LESS_THAN } from './units.js'

/** Text that stays as it is, although it contains a backslash. */
export const SHRUG = '¯\\_(ツ)_/¯'

/** Reads the backslashes at `at`, and returns the position after them and the character that they escape. */
export function readBackslashes(reader: Reader, at: number): number {
  const shrugEnd = endOfShrug(reader, at)
  if (shrugEnd > 0) return shrugEnd
  const chars = reader.chars
  const end = endOfRun(chars, at)
  const escaped = codeAt(chars, end)
  if (!isEscapable(escaped)) return end
  // Each pair becomes one backslash. If one is left over, it escapes the next character, which is text.
  const length = end - at
  addEvent(reader, DROPPED, at, end - (length >> 1), 0, 0)
  if ((length & 1) === 0) return end
  if (escaped === LESS_THAN) addEvent(reader, LESS_THAN_SIGN, end, end + 1, 0, 0)
  return end + 1
}

/** Returns the position after the backslashes at `at` and the character that they escape. */
export function skipEscape(chars: Uint16Array, at: number, context: EscapeContext): number {
  const end = endOfRun(chars, at)
  return ((end - at) & 1) === 1 && isEscapable(codeAt(chars, end), context) ? end + 1 : end
}

/** Returns the end of the shrug whose backslash is at `at`, or 0 if the backslash is not part of a shrug. */
export function endOfShrug(reader: Reader, at: number): number {
  if (reader.chars[at - 1] !== 0xaf /* ¯ */ || at <= reader.shrugEnd) return 0
  if (!reader.source.startsWith(SHRUG, at - 2)) return 0
  reader.shrugEnd = at - 1 + SHRUG.length
  return reader.shrugEnd
}

/**
 * Returns a URL with its escapes resolved. The character after its last backslashes is considered even if it is not part of the
 * URL. A bare link keeps a shrug (§3.5); in the URL of a named link a shrug has no special meaning.
 */
export function resolveEscapes(reader: Reader, start: number, end: number, context: EscapeContext): string {
  const url = reader.source.slice(start - 1, end - 1)
  if (url.indexOf('\\') < 0) return url
  return url.replace(context === IN_TEXT ? BACKSLASHES : /\\+/g, (run, at: number) => {
    const escaped = codeAt(reader.chars, start + at + run.length)
    return run !== SHRUG && isEscapable(escaped, context) ? run.slice(0, run.length >> 1) : run
  })
}

/** A shrug or a run of backslashes. */
export const BACKSLASHES: RegExp = /¯\\_\(ツ\)_\/¯|\\+/g
