/**
 * Leaves that need no draft, as most do: of text in which nothing may begin a construct, and of what is markup wherever
 * it stands. Whatever is not sure to be read as it is meant is left to `settle.ts`, which asks the parser.
 */
import { traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { canBegin, endOfBareLink } from '../parse/bare-link.js'
import { findDelimiter } from '../parse/specials.js'
import { type Formatting, isBareLink, type Link, type Phrasing } from '../tree.js'
import { isBareUrl, writeMention } from './constructs.js'
import { type LeafType, prefixes } from './draft.js'
import { delimiters } from './marks.js'
import { refuseUnsound } from './sound.js'

const LINE_FEED = 10

/** The source of such a leaf; null where it is none, or where something would have to be changed. */
export function writeSimple(type: LeafType, children: readonly Phrasing[]): string | null {
  let source = ''
  let links: number[] | null = null
  let before: Phrasing['type'] = 'break'
  // What has been written is not read again: the engine would copy all of it each time.
  let last = LINE_FEED
  for (let index = 0; index < children.length; index += 1) {
    const node = children[index]
    const next = children[index + 1]
    // Of two texts or two codes in a row one is made, or something between them.
    if (node === undefined || node.type === before) return null
    refuseUnsound(node)
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
  if (before === 'break' || (links !== null && !endWhereMeant(source, links))) return null
  return prefixes[type][0] + source
}

/**
 * @param last - the character before the node, LF where a line begins
 * @param next - what follows it in its line
 */
function write(node: Phrasing, type: LeafType, last: number, next: Phrasing | undefined): string | null {
  switch (node.type) {
    case 'text':
      return isPlain(node.value) && isWithin(node.value, last === LINE_FEED, next === undefined) ? node.value : null
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
  if (text === null || !/^[A-Za-z\d](?:.*[A-Za-z\d])?:?$/.test(text)) return null
  if (text.endsWith(':') && type !== 'strong' && type !== 'emphasis') return null
  if (last !== LINE_FEED && last !== 32 && last !== 40 /* ( */) return null
  if (next !== undefined && !(next.type === 'text' && /^[ .,:;!?)]/.test(next.value))) return null
  return delimiters[type] + text + delimiters[type]
}

/** The text that is the only child, if it is read as it stands. */
function plainTextOf(children: readonly Phrasing[]): string | null {
  const [text] = children
  if (children.length !== 1 || text?.type !== 'text' || typeof text.value !== 'string') return null
  return isPlain(text.value) ? text.value : null
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

/** Whether a text is read as it stands, but for where a line begins or ends with it. */
function isPlain(value: string): boolean {
  if (value === '' || markup.test(value)) return false
  return isText(value, '*') && isText(value, '_') && isText(value, '-')
}

/** Whether a delimiter stands only between white space, or in a word as in snake_case and well-known: it is text there (§4). */
function isText(value: string, delimiter: string): boolean {
  for (let at = findDelimiter(value, delimiter, 0); at < value.length; at = findDelimiter(value, delimiter, at + 1)) {
    if (at === 0 || at + 1 === value.length) return false
    if ((traitsBefore(value, at) & traitsAt(value, at + 1) & WHITE_SPACE) === 0) return false
  }
  return true
}

/** Whether a text is read as it stands where a line begins, or ends, with it. */
function isWithin(value: string, isFirst: boolean, isLast: boolean): boolean {
  if (isFirst && ((traitsAt(value, 0) & WHITE_SPACE) !== 0 || value.startsWith('#'))) return false
  return !isLast || (traitsBefore(value, value.length) & WHITE_SPACE) === 0
}
