/**
 * Where the next character stands that may begin a construct (§3).
 *
 * For each of them the next place is kept, and asked of `indexOf` again once it has been passed: that reads memory as
 * fast as it comes, while looking at every character in turn costs several times what all the rest of the parse does.
 */
import { NOWHERE } from './leaf.js'

/** The next place of each, at the last place asked for or behind it. */
export interface Specials {
  text: string
  backslash: number
  backtick: number
  star: number
  underscore: number
  dash: number
  mention: number
  /** `http://` or `https://`, found by the `://`, which is rarer than an `h`. */
  url: number
  /** `](` */
  target: number
}

export function createSpecials(): Specials {
  return { text: '', backslash: -1, backtick: -1, star: -1, underscore: -1, dash: -1, mention: -1, url: -1, target: -1 }
}

export function startSpecials(specials: Specials, text: string): void {
  specials.text = text
  specials.backslash = -1
  specials.backtick = -1
  specials.star = -1
  specials.underscore = -1
  specials.dash = -1
  specials.mention = -1
  specials.url = -1
  specials.target = -1
}

/** The next special character or url, at `at` or behind it. Cost: linear over all calls with rising `at`. */
export function nextSpecial(specials: Specials, at: number): number {
  const { text } = specials
  if (specials.backslash < at) specials.backslash = find(text, '\\', at)
  if (specials.backtick < at) specials.backtick = find(text, '`', at)
  if (specials.star < at) specials.star = find(text, '*', at)
  if (specials.underscore < at) specials.underscore = find(text, '_', at)
  if (specials.dash < at) specials.dash = find(text, '-', at)
  if (specials.mention < at) specials.mention = find(text, '<@', at)
  if (specials.url < at) specials.url = findScheme(text, at)
  let next = specials.backslash < specials.backtick ? specials.backslash : specials.backtick
  if (specials.star < next) next = specials.star
  if (specials.underscore < next) next = specials.underscore
  if (specials.dash < next) next = specials.dash
  if (specials.mention < next) next = specials.mention
  return specials.url < next ? specials.url : next
}

/** Whether a `](` stands between the two. */
export function hasTarget(specials: Specials, start: number, end: number): boolean {
  if (specials.target < start) specials.target = find(specials.text, '](', start)
  return specials.target < end
}

function find(text: string, char: string, from: number): number {
  const at = text.indexOf(char, from)
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
  const length = (text.charCodeAt(end - 1) | 32) === 115 /* s */ ? 5 : 4
  return text.slice(Math.max(0, end - length), end).toLowerCase() === 'https'.slice(0, length) ? length : 0
}
