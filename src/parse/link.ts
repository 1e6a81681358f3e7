/**
 * Named links (§3.4). They are found before a leaf is read, since a bare link must know where the next one begins.
 * Links do not nest, so they are kept as a list in the order of the source.
 */
import { CONTROL, traitsAt, WHITE_SPACE } from '../characters.js'
import { endOfBackticks, endOfCode } from './code.js'
import { isEscapableInUrl, skipEscape, skipEscapeInUrl } from './escape.js'
import { grown, type Leaf } from './leaf.js'
import { endOfMention } from './mention.js'

/** The named links of a leaf: of each, where it starts, where its label ends, and where it ends. */
export interface Links {
  ranges: Int32Array
  end: number
  /** Where the open brackets stand, and how many there are. */
  brackets: Int32Array
  depth: number
  /** No link inside a link: the first so many open brackets stand around one. */
  dead: number
}

export const LINK_SIZE = 3
const NESTED_BRACKETS_MAX = 32
const SCHEME_LENGTH_MAX = 32

export function createLinks(): Links {
  return { ranges: new Int32Array(8 * LINK_SIZE), end: 0, brackets: new Int32Array(32), depth: 0, dead: 0 }
}

/** Finds the named links of a leaf. Cost: linear. */
export function findLinks(links: Links, leaf: Leaf): void {
  links.depth = 0
  links.dead = 0
  let at = leaf.start
  while (at < leaf.end) {
    plain.lastIndex = at
    plain.test(leaf.text)
    at = plain.lastIndex < leaf.end ? readBracket(links, leaf, plain.lastIndex) : leaf.end
  }
}

/** Everything that is no bracket and does not bind tighter than one. */
const plain = /[^\\`<[\]]*/y

function readBracket(links: Links, leaf: Leaf, at: number): number {
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
      return Math.max(at + 1, endOfMention(text, at))
    case 91 /* [ */:
      if (links.depth === links.brackets.length) links.brackets = grown(links.brackets)
      links.brackets[links.depth] = at
      links.depth += 1
      return at + 1
    default:
      return Math.max(at + 1, closeBracket(links, text, at))
  }
}

/** Takes the nearest open bracket for the `]` at `at`; where the two are a link's, says where that link ends, else -1. */
function closeBracket(links: Links, text: string, at: number): number {
  if (links.depth === 0) return -1
  links.depth -= 1
  const { depth } = links
  const start = links.brackets[depth] ?? 0
  const end = depth < links.dead ? -1 : endOfTarget(text, start, at)
  if (end > 0) addLink(links, start, at, end)
  links.dead = end > 0 ? depth : Math.min(links.dead, depth)
  return end
}

function addLink(links: Links, start: number, labelEnd: number, end: number): void {
  if (links.end + LINK_SIZE > links.ranges.length) links.ranges = grown(links.ranges)
  links.ranges[links.end] = start
  links.ranges[links.end + 1] = labelEnd
  links.ranges[links.end + 2] = end
  links.end += LINK_SIZE
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
    if (!(length === 0 ? /[A-Za-z]/ : /[\w+.-]/).test(char) || char === '_') return -1
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
