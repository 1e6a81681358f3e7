/**
 * Leaves that need no draft, as most do: of text in which nothing may begin a construct and nothing that opens meets
 * something that closes, and of what is markup wherever it stands. Whatever is not sure to be read as it is meant is left
 * to `settle.ts`, which asks the parser.
 */
import { LETTER, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { canBegin, endOfBareLink } from '../parse/bare-link.js'
import { examineRun } from '../parse/run.js'
import { findDelimiter, hasSpecial } from '../parse/specials.js'
import { type Formatting, isBareLink, type Link, type Phrasing } from '../tree.js'
import { isBareUrl, writeMention } from './constructs.js'
import { type LeafType, prefixes } from './draft.js'
import { delimiters } from './marks.js'
import { refuseUnsound } from './sound.js'

const LINE_FEED = 10

// Delimiters that stand open. Within formatting or a label none may open or close.
const STARS = 1
const UNDERSCORES = 2
const DASHES = 4
const WITHIN = 8

/** The source of such a leaf; null where it is none, or where something would have to be changed. */
export function writeSimple(type: LeafType, children: readonly Phrasing[]): string | null {
  let source = ''
  let links: number[] | null = null
  let before: Phrasing['type'] = 'break'
  let opened = 0
  // What has been written is not read again: the engine would copy all of it each time.
  let last = LINE_FEED
  for (let index = 0; index < children.length; index += 1) {
    const node = children[index]
    const next = children[index + 1]
    // Of two texts or two codes in a row one is made, or something between them.
    if (node === undefined || node.type === before) return null
    refuseUnsound(node)
    if (node.type === 'text') {
      opened = openersIn(node.value, opened)
      if (opened < 0) return null
    }
    const written = write(node, type, last, next?.type === 'break' ? undefined : next)
    if (written === null) return null
    if (node.type === 'link' && isBareLink(node)) {
      links ??= []
      links.push(source.length, source.length + written.length)
    }
    source += written
    last = written.charCodeAt(written.length - 1)
    before = node.type
  }
  if (before === 'break' || (links !== null && (opened > 0 || !endWhereMeant(source, links)))) return null
  return prefixes[type][0] + source
}

/**
 * @param last - the character before the node, LF where a line begins
 * @param next - what follows it in its line
 */
function write(node: Phrasing, type: LeafType, last: number, next: Phrasing | undefined): string | null {
  switch (node.type) {
    case 'text':
      return isWithin(node.value, last === LINE_FEED, next === undefined) ? node.value : null
    case 'inlineCode':
      return /^[^ `\0\r\n][^`\0\r\n]*$/.test(node.value) ? `\`${node.value}\`` : null
    case 'mention':
      return node.label === '' ? null : writeMention(node.userID, node.label ?? null)
    case 'break':
      return type === 'paragraph' && last !== LINE_FEED ? '\n' : null
    case 'link':
      return isBareLink(node) ? writeBare(node.url) : writeNamed(node)
    default:
      return writeApart(node, last, next)
  }
}

function writeBare(url: string): string | null {
  return isBareUrl(url) && !/[\\\]\0]/.test(url) ? url : null
}

/** Urls that stand in brackets as they are (§3.4). */
const target = /^[A-Za-z][A-Za-z\d+.-]{1,31}:[\w!#$%&'*+,\-./:;=?@~]*$/

/** A link whose label is text without brackets. */
function writeNamed({ url, children }: Link): string | null {
  const text = plainTextOf(children)
  if (text === null || !target.test(url) || /[[\]]/.test(text) || !isWithin(text, true, true)) return null
  return `[${text}](${url})`
}

/**
 * Formatting of one text that begins and ends in a word, and has a space, the line's end or a bracket or a mark of
 * punctuation that belongs there on either side: markup whatever stands around it (§4). Stars may end behind a colon.
 */
function writeApart({ type, children }: Formatting, last: number, next: Phrasing | undefined): string | null {
  const text = plainTextOf(children)
  if (text === null || (traitsAt(text, 0) & LETTER) === 0) return null
  const isBeforeColon = text.endsWith(':') && (type === 'strong' || type === 'emphasis')
  if ((traitsBefore(text, isBeforeColon ? text.length - 1 : text.length) & LETTER) === 0) return null
  if (last !== LINE_FEED && last !== 32 && last !== 40 /* ( */) return null
  if (next !== undefined && !(next.type === 'text' && /^[ .,:;!?)]/.test(next.value))) return null
  return delimiters[type] + text + delimiters[type]
}

/** The text that is the only child, if it is read as it stands. */
function plainTextOf(children: readonly Phrasing[]): string | null {
  const [text] = children
  if (children.length !== 1 || text?.type !== 'text' || typeof text.value !== 'string') return null
  return openersIn(text.value, WITHIN) < 0 ? null : text.value
}

/** Whether every bare link of the source begins and ends where it is meant to. */
function endWhereMeant(source: string, links: readonly number[]): boolean {
  const leaf = { text: source, shrugEnd: 0 }
  for (let index = 0; index < links.length; index += 2) {
    const start = links[index] ?? 0
    if (!canBegin(source, start, source.length)) return false
    if (endOfBareLink(leaf, start, source.length, null) !== links[index + 1]) return false
  }
  return true
}

/** What may begin markup, or is not read as it stands. */
const markup = /[\\`\0\r\n]|<(?:[@!]|$)|:\/\/|\]\(/

/**
 * Reads a text but for where a line begins or ends with it.
 *
 * @param opened - the delimiters that stand open before it, as bits of {@link STARS} and the like
 * @returns those behind it; -1 where not all of it is read as it stands
 */
function openersIn(value: string, opened: number): number {
  if (value === '') return -1
  // One look for everything, since most texts have nothing of it.
  if (!hasSpecial(value)) return opened
  if (markup.test(value)) return -1
  let open = readDelimiters(value, '*', opened, STARS)
  if (open >= 0) open = readDelimiters(value, '_', open, UNDERSCORES)
  return open < 0 ? open : readDelimiters(value, '-', open, DASHES)
}

/** Nothing that opens meets something that closes: it is all text then (§4). */
function readDelimiters(value: string, char: string, opened: number, bit: number): number {
  let open = opened
  // One for all, so that a long chain is looked at once.
  const chain = { start: 0, end: 0, after: 0 }
  let at = findDelimiter(value, char, 0)
  while (at < value.length) {
    const { opens, closes, closesLate, end } = examineRun(value, at, chain)
    const isChainAtEdge = chain.end > at && (chain.start === 0 || chain.end === value.length)
    if (at === 0 || end === value.length || isChainAtEdge) return -1
    if ((closes || closesLate) && (open & (bit | WITHIN)) !== 0) return -1
    if (opens && open >= WITHIN) return -1
    if (opens) open |= bit
    at = findDelimiter(value, char, end)
  }
  return open
}

/** Whether a text is read as it stands where a line begins, or ends, with it. */
function isWithin(value: string, isFirst: boolean, isLast: boolean): boolean {
  if (isFirst && ((traitsAt(value, 0) & WHITE_SPACE) !== 0 || value.startsWith('#'))) return false
  return !isLast || (traitsBefore(value, value.length) & WHITE_SPACE) === 0
}
