/**
 * The inline pass (§3): reads a leaf from left to right and writes what it finds on the leaf's tape. The switch in
 * `readSpecial` is the grammar on one screen.
 */
import { canBegin, endOfBareLink, endOfScheme } from './bare-link.js'
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
  LINE_SIZE,
  LINK,
  LINK_END,
  MENTION,
  NOWHERE,
  startLeaf,
} from './leaf.js'
import { createLinks, findLinks, LINK_SIZE, type Links } from './link.js'
import { endOfMention } from './mention.js'
import { hasTarget, nextSpecial, type Specials } from './specials.js'

/** All that is known while a leaf is read. One object serves every leaf, as a parse calls nobody back. */
export interface Inline {
  leaf: Leaf
  links: Links
  delimiters: Delimiters
  /** The named link that comes next or, while its label is read, that one. */
  link: number
  isInLabel: boolean
  /** Where the bracket stands that comes next of a named link: the one that starts it, or its label's end. */
  bracketAt: number
  /** The line behind the next break, and where that break stands. */
  line: number
  breakAt: number
}

export function createInline(): Inline {
  return {
    leaf: createLeaf(),
    links: createLinks(),
    delimiters: createDelimiters(),
    link: 0,
    isInLabel: false,
    bracketAt: NOWHERE,
    line: 0,
    breakAt: NOWHERE,
  }
}

/** Reads the leaf that is the text of `specials` from `start` to `end`: the text of a heading, an item or a paragraph. */
export function readLeaf(inline: Inline, specials: Specials, start: number, end: number): void {
  const { leaf, links } = inline
  startLeaf(leaf, specials.text, start, end)
  links.end = 0
  inline.link = 0
  inline.isInLabel = false
  inline.bracketAt = NOWHERE
  inline.line = 0
  findBreak(inline)
  if (hasTarget(specials, start, end)) {
    findLinks(links, leaf)
    findBracket(inline)
  }
  let at = nextStop(inline, specials, start)
  if (at < end) startDelimiters(inline.delimiters, start)
  while (at < end) at = nextStop(inline, specials, readSpecial(inline, at))
  endText(leaf, end)
}

/** The next place that may begin a construct, at `at` or behind it. */
function nextStop(inline: Inline, specials: Specials, at: number): number {
  const next = nextSpecial(specials, at)
  // A code span or a label may have passed line endings.
  while (inline.breakAt < at) findBreak(inline)
  const stop = inline.breakAt < inline.bracketAt ? inline.breakAt : inline.bracketAt
  return stop < next ? stop : next
}

/** Reads the construct that begins at `at`, if one does, and says what is behind it. */
function readSpecial(inline: Inline, at: number): number {
  const { leaf, delimiters } = inline
  switch (leaf.text.charCodeAt(at)) {
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
      return startLink(inline, at)
    case 93 /* ] */:
      return endLink(inline, at)
    case 10 /* LF */:
      return readBreak(inline, at)
    default:
      /* h or H */ return readUrl(inline, at)
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

/** §3.4: a link is read as soon as its label begins; what the label holds comes in between. */
function startLink(inline: Inline, at: number): number {
  const { leaf, links, link } = inline
  const labelEnd = links.ranges[link + 1] ?? 0
  addEvent(leaf, LINK, at, links.ranges[link + 2] ?? 0, labelEnd)
  leaf.textStart = at + 1
  leaf.sourceStart = at + 1
  startLabel(inline.delimiters, leaf.text, at)
  inline.isInLabel = true
  inline.bracketAt = labelEnd
  return at + 1
}

function endLink(inline: Inline, at: number): number {
  const end = inline.links.ranges[inline.link + 2] ?? 0
  addEvent(inline.leaf, LINK_END, at, end, 0)
  endLabel(inline.delimiters, end)
  inline.isInLabel = false
  inline.link += LINK_SIZE
  findBracket(inline)
  return end
}

function findBracket(inline: Inline): void {
  const { links, link } = inline
  inline.bracketAt = link < links.end ? (links.ranges[link] ?? 0) : NOWHERE
}

/** §3.5 */
function readUrl(inline: Inline, at: number): number {
  const { leaf, delimiters } = inline
  const { text } = leaf
  const limit = Math.min(inline.bracketAt, leaf.end)
  if (!canBegin(text, at, limit)) return endOfScheme(text, at)
  const end = endOfBareLink(leaf, at, limit, delimiters)
  addEvent(leaf, inline.isInLabel ? LABEL_URL : BARE_LINK, at, end, 0)
  passConstruct(delimiters, text, at, end)
  if (!inline.isInLabel) delimiters.bareLinkEnd = end
  return end
}

/** §3.7 */
function readBreak(inline: Inline, at: number): number {
  addEvent(inline.leaf, BREAK, at, at + 1, 0)
  passBreak(inline.delimiters)
  findBreak(inline)
  return at + 1
}

/** Line endings are where lines were joined. */
function findBreak(inline: Inline): void {
  const { lines, linesEnd } = inline.leaf
  inline.line += LINE_SIZE
  inline.breakAt = inline.line < linesEnd ? (lines[inline.line] ?? 0) - 1 : NOWHERE
}
