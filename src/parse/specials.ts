/**
 * Where the next character stands that may begin a construct (§3).
 *
 * For each of them the next place is kept, and asked of `indexOf` again once it has been passed: that reads memory as
 * fast as it comes, while looking at every character in turn costs several times what all the rest of the parse does.
 */
import { LETTER, traitsAt, traitsBefore } from '../characters.js'
import { NOWHERE } from './leaf.js'

/** The next place of each, at the last place asked for or behind it. */
export interface Specials {
  readonly text: string
  backslash: number
  backtick: number
  star: number
  underscore: number
  dash: number
  lessThan: number
  /** `http://` or `https://`, found by the `://`, which is rarer than an `h`. */
  url: number
  /** `](`, without which there is no named link. */
  target: number
}

export function createSpecials(text: string): Specials {
  return { text, backslash: -1, backtick: -1, star: -1, underscore: -1, dash: -1, lessThan: -1, url: -1, target: -1 }
}

/** The next special character or url, at `at` or behind it. Cost: linear over all calls with rising `at`. */
export function nextSpecial(specials: Specials, at: number): number {
  const { text } = specials
  if (specials.backslash < at) specials.backslash = find(text, '\\', at)
  if (specials.backtick < at) specials.backtick = find(text, '`', at)
  if (specials.star < at) specials.star = findDelimiter(text, '*', at)
  if (specials.underscore < at) specials.underscore = findDelimiter(text, '_', at)
  if (specials.dash < at) specials.dash = findDelimiter(text, '-', at)
  if (specials.lessThan < at) specials.lessThan = find(text, '<', at)
  if (specials.url < at) specials.url = findScheme(text, at)
  let next = Math.min(specials.backslash, specials.backtick)
  if (specials.star < next) next = specials.star
  if (specials.underscore < next) next = specials.underscore
  if (specials.dash < next) next = specials.dash
  if (specials.lessThan < next) next = specials.lessThan
  return Math.min(specials.url, next)
}

/** Whether a `](` stands between the two. */
export function hasTarget(specials: Specials, start: number, end: number): boolean {
  if (specials.target < start) specials.target = findTarget(specials.text, start)
  return specials.target < end
}

/** By the bracket: one character is found in a third of the time that two take. */
function findTarget(text: string, from: number): number {
  let at = text.indexOf(']', from)
  while (at >= 0 && text.charCodeAt(at + 1) !== 40 /* ( */) at = text.indexOf(']', at + 1)
  return at < 0 ? NOWHERE : at
}

function find(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from)
  return at < 0 ? NOWHERE : at
}

/** snake_case, well-known: a single delimiter in a word is text (§4), and most of them are that. */
export function findDelimiter(text: string, char: string, from: number): number {
  let at = text.indexOf(char, from)
  while (at >= 0 && (traitsBefore(text, at) & traitsAt(text, at + 1) & LETTER) !== 0) at = text.indexOf(char, at + 1)
  return at < 0 ? NOWHERE : at
}

function findScheme(text: string, from: number): number {
  for (let at = text.indexOf('://', from); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at - schemeLength(text, at)
    if (start < at && start >= from) return start
  }
  return NOWHERE
}

function schemeLength(text: string, end: number): number {
  const length = isLetter(text, end - 1, 115 /* s */) ? 5 : 4
  const start = end - length
  const isHttp = isLetter(text, start, 104) && isLetter(text, start + 1, 116) && isLetter(text, start + 2, 116)
  return isHttp && isLetter(text, start + 3, 112) ? length : 0
}

/** Whether the letter at `at` is this one, in either case. */
function isLetter(text: string, at: number, lowerCase: number): boolean {
  return (text.charCodeAt(at) | 32) === lowerCase
}
