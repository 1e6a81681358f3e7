/** Where a leaf breaks off that is still being typed: in code, in a mention, behind a label, or in text (§3). */
import { traitsBefore, WHITE_SPACE } from '../characters.js'
import { isEscaped } from '../parse/escape.js'
import { delimitersAtEnd } from '../parse/inline.js'
import { EVENT_SIZE, MENTION, NOWHERE } from '../parse/leaf.js'
import { findBrackets, type NamedLink } from '../parse/link.js'
import { endOfMention } from '../parse/mention.js'
import { leafOf } from '../parse/part.js'
import { trimEnd } from './text.js'

/** More closing brackets than the url of a link can need (§3.4). */
const BRACKETS = /* @__PURE__ */ ')'.repeat(33)

/** A leaf that breaks off: text, then code or the url of a link that has no end yet, then what does not show. */
export interface Parts {
  /** Where the text ends, and the code behind it, which `ending` ends. */
  textEnd: number
  end: number
  ending: string
  /** Ends the url, behind which the text breaks off. */
  target: string
  /** Whether marks at the end of the text may be half typed. */
  isBroken: boolean
}

/**
 * Finds where a leaf breaks off.
 *
 * @param text - its text, without spaces at its end
 * @param behind - the spaces and the line ending between it and what comes next
 */
export function breakOff(text: string, behind: string): Parts {
  const isAtEnd = behind === ''
  const code = openCode(text, isAtEnd)
  if (code !== null && code.ending !== '') {
    return { textEnd: code.start, end: code.end, ending: code.ending, target: '', isBroken: false }
  }
  // A label may go on behind a space.
  const mention = code === null ? startOfMention(text + behind) : -1
  const link = code === null && isAtEnd && mention < 0 ? halfLink(text) : null
  let end = code?.start ?? link?.end ?? (mention < 0 ? text.length : mention)
  // A backslash may be about to escape what comes.
  if (isAtEnd && end === text.length && link === null && isEscaped(text, end)) end -= 1
  const target = link?.ending ?? ''
  return { textEnd: end, end, ending: '', target, isBroken: (isAtEnd || end < text.length) && target === '' }
}

interface OpenCode {
  /** Where its backticks stand, and where that ends which shows of its content. */
  start: number
  end: number
  /** What ends it; empty where it has no content yet. */
  ending: string
}

/** The code span that is open: the first backticks without a partner (§3.2). */
function openCode(text: string, isAtEnd: boolean): OpenCode | null {
  const leaf = leafOf(text, '')
  findBrackets(leaf)
  const contentStart = leaf.backticksFrom
  if (contentStart === NOWHERE) return null
  let start = contentStart
  while (start > 0 && text[start - 1] === '`' && !isEscaped(text, start - 1)) start -= 1
  const length = contentStart - start
  let end = text.length
  while (end > contentStart && text[end - 1] === '`') end -= 1
  // Fewer may be the first ones of the partner.
  if (!isAtEnd || text.length - end > length) end = text.length
  end = contentStart + trimEnd(text.slice(contentStart, end)).length
  if (end === contentStart) return { start, end: start, ending: '' }
  return { start, end, ending: (text[end - 1] === '`' ? ' ' : '') + text.slice(start, contentStart) }
}

/** Where the mention begins that the text breaks off in, if it does (§3.3). */
function startOfMention(text: string): number {
  const start = text.lastIndexOf('<')
  const rest = ['>', '|>', '1>', '@1>'].find((rest) => start >= 0 && endOfMention(text + rest, start) > text.length)
  if (rest === undefined) return -1
  // It is one only if the parser comes to it, and not in a code span or behind a backslash.
  const leaf = leafOf(text, rest)
  delimitersAtEnd(leaf)
  const last = leaf.tapeEnd - EVENT_SIZE
  return leaf.tape[last] === MENTION && leaf.tape[last + 1] === start ? start : -1
}

interface HalfLink {
  /** Where that ends which shows of it. */
  end: number
  /** The brackets that end its url; empty where that has no scheme yet, and only the label shows. */
  ending: string
}

/** The named link that the text breaks off behind the label of, if it does (§3.4). */
function halfLink(text: string): HalfLink | null {
  const { length } = text
  // A url holds no white space.
  let start = length
  while (start > 0 && (traitsBefore(text, start) & WHITE_SPACE) === 0) start -= 1
  if (!text.endsWith(']') && text.indexOf('](', start - 1) < 0) return null
  const link = linkPast(text, BRACKETS)
  if (link !== null) return { end: length, ending: ')'.repeat(link.end - length) }
  for (const rest of ['xx:', 'x:', ':', 'x', '(xx:']) {
    const found = linkPast(text, rest + BRACKETS)
    if (found !== null) return { end: found.labelEnd, ending: '' }
  }
  return null
}

/** The link that ends in what stands behind the text. */
function linkPast(text: string, rest: string): NamedLink | null {
  const last = findBrackets(leafOf(text, rest)).links.at(-1)
  return last !== undefined && last.end > text.length ? last : null
}
