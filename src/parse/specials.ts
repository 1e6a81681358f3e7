/**
 * Where the next character stands that may begin a construct (§3).
 *
 * In a text as short as most messages one expression looks for all of them. In a longer one the next place of each is
 * kept, and asked of `indexOf` again once it has been passed: that reads memory as fast as it comes, while looking at
 * every character in turn costs several times what all the rest of the parse does.
 */
import { LETTER, traitsAt, traitsBefore } from '../characters.js'
import { NOWHERE } from './leaf.js'
import { isDelimiter } from './run.js'

/** The next place of each, at the last place asked for or behind it. */
export interface Specials {
  readonly text: string
  /** Of any but a target. */
  next: number
  // Of each one, in a long text.
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
  return {
    text,
    next: -1,
    backslash: -1,
    backtick: -1,
    star: -1,
    underscore: -1,
    dash: -1,
    lessThan: -1,
    url: -1,
    target: -1,
  }
}

/** Up to here the expression is faster than a call of `indexOf` for each character. */
const LENGTH_OF_SHORT = 200

/**
 * What may begin a construct, `]` for a target, and what {@link isPlain} must not overlook. Delimiters in a word of ASCII
 * are no match: most are that, and each match costs as much again.
 */
const special = /[\\`<\]\n\r\0]|:\/\/|[*_-](?![A-Za-z\d])|(?<![A-Za-z\d])[*_-]/g

// V8 compiles an expression for the second text that it reads, for narrow and for wide ones, and counts that one's
// characters: if half of them were stars, all texts after it would be read at a third of the speed.
for (const text of ['a', 'a', '\u2014a', '\u2014a']) special.test(text)

/**
 * Whether a source is short, and for certain nothing but the text of one paragraph, as most messages are: then nothing
 * else needs to be looked at.
 */
export function isPlain(source: string): boolean {
  if (source.length > LENGTH_OF_SHORT || source === '' || hasSpecial(source)) return false
  return source.charCodeAt(0) > 35 /* # */ && source.charCodeAt(source.length - 1) > 32
}

/** Whether a text holds U+0000, a line ending, or what looks as if it might begin a construct within a line. */
export function hasSpecial(text: string): boolean {
  special.lastIndex = 0
  return special.test(text)
}

/** The next special character or url, at `at` or behind it. Cost: linear over all calls with rising `at`. */
export function nextSpecial(specials: Specials, at: number): number {
  if (specials.next < at) {
    specials.next = specials.text.length > LENGTH_OF_SHORT ? nearest(specials, at) : findSpecial(specials.text, at)
  }
  return specials.next
}

function findSpecial(text: string, from: number): number {
  special.lastIndex = from
  while (special.test(text)) {
    const at = special.lastIndex - 1
    const code = text.charCodeAt(at)
    if (code === 92 /* \ */ || code === 96 /* ` */ || code === 60 /* < */) return at
    if (code === 47 /* / */) {
      const start = startOfScheme(text, at - 2)
      if (start >= from) return start
    } else if (isDelimiter(code) && !isInWord(text, at)) return at
  }
  return NOWHERE
}

function nearest(specials: Specials, at: number): number {
  const { text } = specials
  if (specials.backslash < at) specials.backslash = find(text, '\\', at)
  if (specials.backtick < at) specials.backtick = find(text, '`', at)
  if (specials.star < at) specials.star = findDelimiter(text, '*', at)
  if (specials.underscore < at) specials.underscore = findDelimiter(text, '_', at)
  if (specials.dash < at) specials.dash = findDelimiter(text, '-', at)
  if (specials.lessThan < at) specials.lessThan = find(text, '<', at)
  if (specials.url < at) specials.url = findUrl(text, at)
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

/** Where a delimiter stands that is not in a word. */
export function findDelimiter(text: string, char: string, from: number): number {
  let at = text.indexOf(char, from)
  while (at >= 0 && isInWord(text, at)) at = text.indexOf(char, at + 1)
  return at < 0 ? NOWHERE : at
}

/** snake_case, well-known: a single delimiter in a word is text (§4), and most of them are that. */
function isInWord(text: string, at: number): boolean {
  return (traitsBefore(text, at) & traitsAt(text, at + 1) & LETTER) !== 0
}

function findUrl(text: string, from: number): number {
  for (let at = text.indexOf('://', from); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = startOfScheme(text, at)
    if (start >= from) return start
  }
  return NOWHERE
}

/** Where the `http` or `https` begins that ends at `end`, -1 without one. */
function startOfScheme(text: string, end: number): number {
  const start = end - (isLetter(text, end - 1, 115 /* s */) ? 5 : 4)
  const isHttp = isLetter(text, start, 104) && isLetter(text, start + 1, 116) && isLetter(text, start + 2, 116)
  return isHttp && isLetter(text, start + 3, 112) ? start : -1
}

/** Whether the letter at `at` is this one, in either case. */
function isLetter(text: string, at: number, lowerCase: number): boolean {
  return (text.charCodeAt(at) | 32) === lowerCase
}
