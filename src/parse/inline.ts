/**
 * The inline pass (§3): reads a leaf from left to right and writes what it finds on the leaf's tape. The switch in
 * `readSpecial` is the grammar on one screen.
 */
import { canBegin, endOfBareLink, endOfScheme, nextScheme } from './bare-link.js'
import { endOfBackticks, endOfCode } from './code.js'
import {
  createDelimiters,
  type Delimiters,
  endLabel,
  passBreak,
  passConstruct,
  readRun,
  startDelimiters,
  startLabel,
} from './emphasis.js'
import { endOfBackslashes, endOfShrug, isEscapable } from './escape.js'
import {
  addEvent,
  BARE_LINK,
  BREAK,
  CODE,
  createLeaf,
  endText,
  LABEL_URL,
  type Leaf,
  LINK,
  LINK_END,
  MENTION,
  NOWHERE,
  startLeaf,
} from './leaf.js'
import { createLinks, findLinks, LINK_SIZE, type Links } from './link.js'
import { endOfMention } from './mention.js'

/** All that is known while a leaf is read. One object serves every leaf, as a parse calls nobody back. */
export interface Inline {
  leaf: Leaf
  links: Links
  delimiters: Delimiters
  /** Where the next `http://` or `https://` begins. */
  urlAt: number
  /** The named link that comes next or, while its label is read, that one. */
  link: number
  isInLabel: boolean
}

export function createInline(): Inline {
  return {
    leaf: createLeaf(),
    links: createLinks(),
    delimiters: createDelimiters(),
    urlAt: NOWHERE,
    link: 0,
    isInLabel: false,
  }
}

/** Reads a leaf: the text of a heading, an item or a paragraph, its lines trimmed and joined by one LF each. */
export function readLeaf(inline: Inline, text: string): void {
  const { leaf } = inline
  startLeaf(leaf, text)
  findLinks(inline.links, leaf)
  startDelimiters(inline.delimiters)
  inline.urlAt = nextScheme(text, 0)
  inline.link = 0
  inline.isInLabel = false
  let at = nextSpecial(text, 0)
  while (at < text.length || inline.urlAt < text.length) {
    const end = inline.urlAt <= at ? readUrl(inline) : readSpecial(inline, at)
    if (inline.urlAt < end) inline.urlAt = nextScheme(text, end)
    // A url that turned out to be none leaves the special character behind it where it was.
    if (at < end) at = nextSpecial(text, end)
  }
  endText(leaf, text.length)
}

/** Reads the construct that begins with the special character at `at`, if one does, and says what is behind it. */
function readSpecial(inline: Inline, at: number): number {
  const { leaf, delimiters } = inline
  const { text } = leaf
  switch (text.charCodeAt(at)) {
    case 42 /* * */:
    case 95 /* _ */:
    case 45 /* - */:
      return readRun(delimiters, leaf, at)
    case 92 /* \ */:
      return readBackslashes(leaf, at)
    case 96 /* ` */:
      return readCode(inline, at)
    case 60 /* < */:
      return readMention(inline, at)
    case 91 /* [ */:
      return startOf(inline) === at ? startLink(inline, at) : at + 1
    case 93 /* ] */:
      return inline.isInLabel && labelEndOf(inline) === at ? endLink(inline, at) : at + 1
    default:
      /* LF */ addEvent(leaf, BREAK, at, at + 1, 0)
      passBreak(delimiters)
      return at + 1
  }
}

/** §3.1 */
function readBackslashes(leaf: Leaf, at: number): number {
  const { text } = leaf
  const shrugEnd = endOfShrug(text, at, leaf.shrugEnd)
  if (shrugEnd >= 0) {
    leaf.shrugEnd = shrugEnd
    return shrugEnd
  }
  const end = endOfBackslashes(text, at)
  if (!isEscapable(text.charCodeAt(end))) return end
  // Half of them stay; what is escaped by the one left over is text.
  const length = end - at
  endText(leaf, at)
  leaf.sourceStart = at
  leaf.textStart = end - (length >> 1)
  return end + (length & 1)
}

/** §3.2 */
function readCode(inline: Inline, at: number): number {
  const { leaf } = inline
  const openEnd = endOfBackticks(leaf.text, at)
  const end = endOfCode(leaf, at, openEnd)
  if (end < 0) return openEnd
  addEvent(leaf, CODE, at, end, openEnd - at)
  passConstruct(inline.delimiters, leaf.text, at, end)
  return end
}

/** §3.3 */
function readMention(inline: Inline, at: number): number {
  const { leaf } = inline
  const end = endOfMention(leaf.text, at)
  if (end < 0) return at + 1
  addEvent(leaf, MENTION, at, end, 0)
  passConstruct(inline.delimiters, leaf.text, at, end)
  return end
}

/** §3.4 */
function startLink(inline: Inline, at: number): number {
  const { leaf } = inline
  addEvent(leaf, LINK, at, endOf(inline), labelEndOf(inline))
  leaf.textStart = at + 1
  leaf.sourceStart = at + 1
  startLabel(inline.delimiters, leaf.text, at)
  inline.isInLabel = true
  return at + 1
}

function endLink(inline: Inline, at: number): number {
  const end = endOf(inline)
  addEvent(inline.leaf, LINK_END, at, end, 0)
  endLabel(inline.delimiters, end)
  inline.isInLabel = false
  inline.link += LINK_SIZE
  return end
}

/** §3.5 */
function readUrl(inline: Inline): number {
  const { leaf, delimiters, urlAt } = inline
  const { text } = leaf
  const limit = inline.isInLabel ? labelEndOf(inline) : startOf(inline)
  if (!canBegin(text, urlAt, limit)) return endOfScheme(text, urlAt)
  const end = endOfBareLink(leaf, urlAt, limit, delimiters)
  addEvent(leaf, inline.isInLabel ? LABEL_URL : BARE_LINK, urlAt, end, 0)
  passConstruct(delimiters, text, urlAt, end)
  if (!inline.isInLabel) delimiters.bareLinkEnd = end
  return end
}

/** Where the next named link starts: at the text's end if there is none. */
function startOf(inline: Inline): number {
  const { links, link } = inline
  return link < links.end ? (links.ranges[link] ?? 0) : inline.leaf.text.length
}

function labelEndOf(inline: Inline): number {
  return inline.links.ranges[inline.link + 1] ?? 0
}

function endOf(inline: Inline): number {
  return inline.links.ranges[inline.link + 2] ?? 0
}

const special: Uint8Array = new Uint8Array(128).map((_, code) =>
  '\\`*_-[]<\n'.includes(String.fromCharCode(code)) ? 1 : 0,
)
const plain = /[^\\`*_\-[\]<\n]*/y

/** Above this many plain characters the regular expression is faster than the table. */
const TABLE_SPAN = 24

/** Where the next character stands that may begin a construct: at the text's end if there is none. */
function nextSpecial(text: string, from: number): number {
  const end = Math.min(text.length, from + TABLE_SPAN)
  for (let at = from; at < end; at += 1) {
    if (special[text.charCodeAt(at)] === 1) return at
  }
  if (end === text.length) return end
  plain.lastIndex = end
  plain.test(text)
  return plain.lastIndex
}
