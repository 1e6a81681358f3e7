/**
 * Named links (§3.4). They are found before a leaf is read, since a bare link must know where the next one begins.
 * Links do not nest, so they are a list in the order of the source.
 */
import { CONTROL, isBlank, traitsAt, WHITE_SPACE } from '../characters.js'
import { endOfBackticks, endOfCode } from './code.js'
import { isEscapable, isEscapableInUrl, skipEscape } from './escape.js'
import type { Leaf } from './leaf.js'
import { endOfMention } from './mention.js'

const NESTED_BRACKETS_MAX = 32

/** A named link: where it starts, where its label ends, where it ends. */
export interface NamedLink {
  readonly start: number
  readonly labelEnd: number
  readonly end: number
}

/** What is known while the links of a leaf are found. */
export interface Brackets {
  readonly leaf: Leaf
  readonly links: NamedLink[]
  /** Where the open brackets stand. */
  readonly open: number[]
  /** No link inside a link: the first so many open brackets stand around one. */
  dead: number
}

/** Behind a label: the bracket, the scheme and its colon, of which a dash and the colon may be escaped. */
const scheme = /\([A-Za-z](?:[A-Za-z\d+.]|\\?-){1,31}\\?:/y

/** Everything that is no bracket and does not bind tighter than one. */
const plain = /[^\\`<[\]]*/y

/** The named links of a leaf. Cost: linear. */
export function findLinks(leaf: Leaf): readonly NamedLink[] {
  return findBrackets(leaf).links
}

/** The named links of a leaf, and the brackets that none of its `]` has taken. */
export function findBrackets(leaf: Leaf): Brackets {
  const brackets: Brackets = { leaf, links: [], open: [], dead: 0 }
  let at = leaf.start
  while (at < leaf.end) {
    plain.lastIndex = at
    plain.test(leaf.text)
    at = plain.lastIndex < leaf.end ? readBracket(brackets, plain.lastIndex) : leaf.end
  }
  return brackets
}

function readBracket(brackets: Brackets, at: number): number {
  const { leaf } = brackets
  const { text } = leaf
  switch (text.charCodeAt(at)) {
    case 92 /* \ */:
      return skipEscape(text, at, isEscapable)
    case 96 /* ` */:
      {
        const openEnd = endOfBackticks(text, at)
        return Math.max(openEnd, endOfCode(leaf, at, openEnd))
      }
    case 60 /* < */:
      return Math.max(at + 1, endOfMention(text, at))
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
export function endOfTarget(text: string, start: number, labelEnd: number): number {
  scheme.lastIndex = labelEnd + 1
  if (!scheme.test(text) || isBlank(text, start + 1, labelEnd)) return -1
  return endOfUrl(text, scheme.lastIndex)
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
      at = skipEscape(text, at, isEscapableInUrl)
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
