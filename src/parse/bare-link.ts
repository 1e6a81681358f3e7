/** Bare links (§3.5): where one begins, and where it ends. */
import { ALPHANUMERIC, lengthBefore, traitsAt, traitsBefore, URL_BARRIER, URL_STOP, URL_TAIL } from '../characters.js'
import { type Delimiters, isOpen } from './emphasis.js'
import { endOfShrug, isEscapable, isEscaped, skipEscape } from './escape.js'
import type { Leaf } from './leaf.js'

const STAR = 42

/** What is asked of a leaf. */
type Text = Pick<Leaf, 'text' | 'shrugEnd'>

/** The first character behind the `://` of the scheme that starts at `start`. */
export function endOfScheme(text: string, start: number): number {
  return start + ((text.charCodeAt(start + 4) | 32) === 115 ? 8 : 7)
}

/** Whether a bare link begins with the scheme at `start`: what stands before it, past stars, and what follows decide. */
export function canBegin(text: string, start: number, limit: number): boolean {
  const host = endOfScheme(text, start)
  if (host >= limit) return false
  if ((traitsAt(text, host) & ALPHANUMERIC) === 0 && text.charCodeAt(host) !== 91) return false
  let before = start
  while (before > 0 && text.charCodeAt(before - 1) === STAR) before -= 1
  if (before < start && isEscaped(text, before)) before += 1
  return (traitsBefore(text, before) & URL_BARRIER) === 0
}

/**
 * Where the bare link ends that starts at `start`, not behind `limit`.
 *
 * @param delimiters - those before the link, if there are any
 */
export function endOfBareLink(leaf: Text, start: number, limit: number, delimiters: Delimiters | null): number {
  const { text } = leaf
  // How many closing brackets of each kind are too many. Counted once and kept up to date: recounting after each
  // trimmed one would be quadratic on `https://a))))`.
  let round = 0
  let square = 0
  let curly = 0
  let at = endOfScheme(text, start)
  // What stands before it is escaped, and so is never trimmed.
  let floor = at
  for (;;) {
    plain.lastIndex = at
    plain.test(text)
    at = plain.lastIndex
    if (at >= limit) break
    const code = text.charCodeAt(at)
    if (code === 92) {
      at = skipBackslashes(leaf, at)
      if (text.charCodeAt(at - 1) !== 92) floor = at
      if (text.charCodeAt(at - 1) === 91) square -= 1
      if (text.charCodeAt(at - 1) === 93) square += 1
      continue
    }
    if ((traitsAt(text, at) & URL_STOP) !== 0) break
    if (code === 40) round -= 1
    else if (code === 41) round += 1
    else if (code === 91) square -= 1
    else if (code === 93) square += 1
    else if (code === 123) curly -= 1
    else if (code === 125) curly += 1
    at += 1
  }
  at = Math.min(at, limit)
  for (;;) {
    const code = text.charCodeAt(at - 1)
    if (at <= floor) return at
    else if (code === 41 && round > 0) round -= 1
    else if (code === 93 && square > 0) square -= 1
    else if (code === 125 && curly > 0) curly -= 1
    else if (code === STAR || code === 95 || code === 45) {
      if (delimiters === null || !isOpen(delimiters, code)) return at
    } else if ((traitsBefore(text, at) & URL_TAIL) === 0) return at
    at -= lengthBefore(text, at)
  }
}

/** What neither ends a url nor is counted. */
const plain = /[\w!#$%&'*+,\-./:;=?@^|~]*/y

/** What is behind the backslashes at `at`, what they escape, and the shrug that they may stand in. */
function skipBackslashes(leaf: Text, at: number): number {
  const shrugEnd = endOfShrug(leaf.text, at, leaf.shrugEnd)
  if (shrugEnd < 0) return skipEscape(leaf.text, at, isEscapable)
  leaf.shrugEnd = shrugEnd
  return shrugEnd
}
