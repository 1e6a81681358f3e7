/**
 * The inline pass (§3): reads a leaf from left to right and writes what it finds on the leaf's tape. The switch in
 * `readSpecial` is the grammar on one screen.
 */
import { canBegin, endOfBareLink, endOfScheme } from './bare-link.js'
import { endOfBackticks, endOfCode } from './code.js'
import { type Delimiters, passBreak, passConstruct, readRun, startDelimiters } from './emphasis.js'
import { endOfBackslashes, endOfShrug, isEscapable } from './escape.js'
import {
  addEvent,
  BARE_LINK,
  BREAK,
  CODE,
  endText,
  LABEL_URL,
  type Leaf,
  LINK,
  LINK_END,
  MENTION,
  NOWHERE,
  startText,
} from './leaf.js'
import { LINE_SIZE } from './lines.js'
import { findLinks, type NamedLink } from './link.js'
import { endOfMention } from './mention.js'
import { createSpecials, hasTarget, nextSpecial, type Specials } from './specials.js'

/** What is known while a leaf is read. */
interface Inline {
  readonly leaf: Leaf
  /** Those of the sequence that is being read, a label's or the leaf's; null before the first one. */
  delimiters: Delimiters | null
  /** Those of the leaf, while a label is read. */
  outer: Delimiters | null
  isInLabel: boolean
  readonly links: readonly NamedLink[]
  /** The named link that comes next or, while its label is read, that one; and where its next bracket stands. */
  link: number
  bracketAt: number
  /** The line before the next break, and where that break stands. */
  line: number
  breakAt: number
}

const NO_LINKS: readonly NamedLink[] = []

/** Reads a leaf. Whether it wrote anything on its tape: there is nothing where all of it is text as it stands. */
export function readLeaf(leaf: Leaf, specials: Specials): boolean {
  const { start, end } = leaf
  const hasLinks = hasTarget(specials, start, end)
  if (leaf.linesEnd <= LINE_SIZE && !hasLinks && nextSpecial(specials, start) >= end) return false
  readInline(leaf, specials, hasLinks ? findLinks(leaf) : NO_LINKS)
  if (leaf.tapeEnd === 0 && leaf.textStart === start) return false
  endText(leaf, end)
  return true
}

/** The delimiter runs that are still open at the end of a leaf; null where it has none at all. */
export function delimitersAtEnd(leaf: Leaf): Delimiters | null {
  return readInline(leaf, createSpecials(leaf.text), findLinks(leaf)).delimiters
}

function readInline(leaf: Leaf, specials: Specials, links: readonly NamedLink[]): Inline {
  const { start, end } = leaf
  const bracketAt = links[0]?.start ?? NOWHERE
  const inline: Inline = {
    leaf,
    delimiters: null,
    outer: null,
    isInLabel: false,
    links,
    link: 0,
    bracketAt,
    line: -LINE_SIZE,
    breakAt: start - 1,
  }
  let at = nextStop(inline, specials, start)
  while (at < end) at = nextStop(inline, specials, readSpecial(inline, at))
  return inline
}

/** The next place that may begin a construct, at `at` or behind it. */
function nextStop(inline: Inline, specials: Specials, at: number): number {
  const next = nextSpecial(specials, at)
  // A code span or a label may have passed line endings.
  while (inline.breakAt < at) findBreak(inline)
  return Math.min(next, inline.breakAt, inline.bracketAt)
}

/** Line endings are where lines were joined. */
function findBreak(inline: Inline): void {
  const { lines, linesEnd } = inline.leaf
  inline.line += LINE_SIZE
  const { line } = inline
  inline.breakAt += (lines[line + 2] ?? 0) - (lines[line + 1] ?? 0) + 1
  if (line + LINE_SIZE >= linesEnd) inline.breakAt = NOWHERE
}

/** Reads the construct that begins at `at`, if one does, and says what is behind it. */
function readSpecial(inline: Inline, at: number): number {
  switch (inline.leaf.text.charCodeAt(at)) {
    case 42 /* * */:
    case 95 /* _ */:
    case 45 /* - */:
      inline.delimiters ??= startDelimiters(inline.leaf, at)
      return readRun(inline.delimiters, at)
    case 92 /* \ */:
      return readBackslashes(inline.leaf, at)
    case 96 /* ` */:
      return readCode(inline, at)
    case 60 /* < */:
      return readMention(inline, at)
    case 91 /* [ */:
      return startLink(inline, at)
    case 93 /* ] */:
      return endLink(inline, at)
    case 10 /* LF */:
      addEvent(inline.leaf, BREAK, at, at + 1, 0)
      if (inline.delimiters !== null) passBreak(inline.delimiters)
      return at + 1
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
  startText(leaf, end - (length >> 1), at)
  return end + (length & 1)
}

/** §3.2 */
function readCode(inline: Inline, at: number): number {
  const { leaf } = inline
  const openEnd = endOfBackticks(leaf.text, at)
  const end = endOfCode(leaf, at, openEnd)
  if (end < 0) return openEnd
  addEvent(leaf, CODE, at, end, openEnd - at)
  pass(inline, at, end)
  return end
}

/** §3.3 */
function readMention(inline: Inline, at: number): number {
  const end = endOfMention(inline.leaf.text, at)
  if (end < 0) return at + 1
  addEvent(inline.leaf, MENTION, at, end, 0)
  pass(inline, at, end)
  return end
}

/** §3.4: a link is known as soon as its label begins; what the label holds comes in between. */
function startLink(inline: Inline, at: number): number {
  const { leaf, links, link } = inline
  const { labelEnd, end } = links[link] ?? { labelEnd: at, end: at }
  addEvent(leaf, LINK, at, end, labelEnd)
  startText(leaf, at + 1, at + 1)
  pass(inline, at, end)
  inline.outer = inline.delimiters
  inline.delimiters = null
  inline.isInLabel = true
  inline.bracketAt = labelEnd
  return at + 1
}

function endLink(inline: Inline, at: number): number {
  const { links } = inline
  const end = links[inline.link]?.end ?? at
  addEvent(inline.leaf, LINK_END, at, end, 0)
  inline.delimiters = inline.outer
  inline.isInLabel = false
  inline.link += 1
  inline.bracketAt = links[inline.link]?.start ?? NOWHERE
  return end
}

/** §3.5 */
function readUrl(inline: Inline, at: number): number {
  const { leaf, delimiters } = inline
  const limit = Math.min(inline.bracketAt, leaf.end)
  if (!canBegin(leaf.text, at, limit)) return endOfScheme(leaf.text, at)
  const end = endOfBareLink(leaf, at, limit, delimiters)
  addEvent(leaf, inline.isInLabel ? LABEL_URL : BARE_LINK, at, end, 0)
  pass(inline, at, end)
  if (delimiters !== null && !inline.isInLabel) delimiters.bareLinkEnd = end
  return end
}

function pass({ delimiters }: Inline, start: number, end: number): void {
  if (delimiters !== null) passConstruct(delimiters, start, end)
}
