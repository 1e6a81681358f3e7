/**
 * Named links (§3.4). They are found before a leaf is read, since a bare link must know where the next one begins.
 * Links do not nest, so they are a list in the order of the source.
 */
import { CONTROL, traitsAt, WHITE_SPACE } from '../characters.js'
import { endOfBackticks, endOfCode } from './code.js'
import { isEscapableInUrl, skipEscape, skipEscapeInUrl } from './escape.js'
import type { Leaf } from './leaf.js'
import { endOfID, endOfMention } from './mention.js'

const NESTED_BRACKETS_MAX = 32
const SCHEME_LENGTH_MAX = 32

/** A named link: where it starts, where its label ends, where it ends. */
export interface NamedLink {
  readonly start: number
  readonly labelEnd: number
  readonly end: number
}

/** What is known while the links of a leaf are found. */
interface Brackets {
  readonly leaf: Leaf
  readonly links: NamedLink[]
  /** Where the open brackets stand. */
  readonly open: number[]
  /** No link inside a link: the first so many open brackets stand around one. */
  dead: number
}

/** Everything that is no bracket and does not bind tighter than one. */
const plain = /[^\\`<[\]]*/y

/** The named links of a leaf. Cost: linear. */
export function findLinks(leaf: Leaf): NamedLink[] {
  const brackets: Brackets = { leaf, links: [], open: [], dead: 0 }
  let at = leaf.start
  while (at < leaf.end) {
    plain.lastIndex = at
    plain.test(leaf.text)
    at = plain.lastIndex < leaf.end ? readBracket(brackets, plain.lastIndex) : leaf.end
  }
  return brackets.links
}

function readBracket(brackets: Brackets, at: number): number {
  const { leaf } = brackets
  const { text } = leaf
  switch (text.charCodeAt(at)) {
    case 92 /* \ */:
      return skipEscape(text, at)
    case 96 /* ` */:
      {
        const openEnd = endOfBackticks(text, at)
        return Math.max(openEnd, endOfCode(leaf, at, openEnd))
      }
    case 60 /* < */:
      return text.charCodeAt(at + 1) === 64 /* @ */
        ? Math.max(at + 1, endOfMention(text, at, endOfID(text, at + 2)))
        : at + 1
    case 91 /* [ */:
      brackets.open.push(at)
      return at + 1
    default:
      return Math.max(at + 1, closeBracket(brackets, at))
  }
}

/** Takes the nearest open bracket for the `]` at `at`; where the two are a link's, says where that link ends, else -1. */
function closeBracket(brackets: Brackets, at: number): number {
  const { open, links, leaf } = brackets
  const start = open.pop()
  if (start === undefined) return -1
  const end = open.length < brackets.dead ? -1 : endOfTarget(leaf.text, start, at)
  if (end > 0) links.push({ start, labelEnd: at, end })
  brackets.dead = end > 0 ? open.length : Math.min(brackets.dead, open.length)
  return end
}

/** Where the `(url)` ends behind the label from `start` to `labelEnd`, -1 if this is no link. */
function endOfTarget(text: string, start: number, labelEnd: number): number {
  if (text.charCodeAt(labelEnd + 1) !== 40 || isBlank(text, start + 1, labelEnd)) return -1
  const schemeEnd = endOfScheme(text, labelEnd + 2)
  return schemeEnd < 0 ? -1 : endOfUrl(text, schemeEnd)
}

function isBlank(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && (traitsAt(text, at) & WHITE_SPACE) !== 0) at += 1
  return at === end
}

/** What is behind the scheme and its colon, either of which may hold an escape: `ht\-tp\:`. */
function endOfScheme(text: string, start: number): number {
  let length = 0
  for (let at = start; length <= SCHEME_LENGTH_MAX; at += 1) {
    if (text.charCodeAt(at) === 92 && isEscapableInUrl(text.charCodeAt(at + 1))) at += 1
    const char = text.charAt(at)
    if (char === ':') return length > 1 ? at + 1 : -1
    if (!(length === 0 ? /[A-Za-z]/ : /[A-Za-z\d+.-]/).test(char)) return -1
    length += 1
  }
  return -1
}

/**
 * Where the url ends that goes on at `start`: behind the bracket that closes its outer pair; else -1.
 *
 * Cost: linear over all calls. Every call begins behind a bracket of its own, and none sees more than 32 open ones,
 * so that no character is read by more than 33 calls.
 */
function endOfUrl(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 92) {
      at = skipEscapeInUrl(text, at)
      continue
    }
    if (code === 60 || (traitsAt(text, at) & (WHITE_SPACE | CONTROL)) !== 0) return -1
    if (code === 40) depth += 1
    if (code === 41) depth -= 1
    if (depth > NESTED_BRACKETS_MAX) return -1
    at += 1
    if (depth < 0) return at
  }
  return -1
}
