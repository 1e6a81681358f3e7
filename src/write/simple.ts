/**
 * Leaves that need no draft, as most do: of text in which nothing may begin a construct, and of what is markup wherever
 * it stands. Whatever is not sure to be read as it is meant is left to `settle.ts`, which asks the parser.
 */
import { traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { canBegin, endOfBareLink } from '../parse/bare-link.js'
import { type Formatting, isBareLink, type Phrasing } from '../tree.js'
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
    if (node.type === 'link') {
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
      return isBareLink(node) && isBareUrl(node.url) && !/[\\\]\0]/.test(node.url) ? node.url : null
    default:
      return writeApart(node, last, next)
  }
}

/**
 * Formatting of one text that begins and ends in a word of ASCII, and has a space, the line's end or a bracket or a mark of
 * punctuation that belongs there on either side: markup whatever stands around it (§4).
 */
function writeApart({ type, children }: Formatting, last: number, next: Phrasing | undefined): string | null {
  const [text] = children
  if (children.length !== 1 || text?.type !== 'text' || typeof text.value !== 'string') return null
  if (!isPlain(text.value)) return null
  if (!/^[A-Za-z\d](?:.*[A-Za-z\d])?$/.test(text.value)) return null
  if (last !== LINE_FEED && last !== 32 && last !== 40 /* ( */) return null
  if (next !== undefined && !(next.type === 'text' && /^[ .,:;!?)]/.test(next.value))) return null
  return delimiters[type] + text.value + delimiters[type]
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

/** What may begin markup, or is not read as it stands; snake_case and well-known are text (§4). */
const markup = /[\\`*<\0\r\n]|:\/\/|\]\(|(?<![A-Za-z\d])[_-]|[_-](?![A-Za-z\d])/

/** Whether a text is read as it stands, but for where a line begins or ends with it. */
function isPlain(value: string): boolean {
  return value !== '' && !markup.test(value)
}

/** Whether a text is read as it stands where a line begins, or ends, with it. */
function isWithin(value: string, isFirst: boolean, isLast: boolean): boolean {
  if (isFirst && ((traitsAt(value, 0) & WHITE_SPACE) !== 0 || value.startsWith('#'))) return false
  return !isLast || (traitsBefore(value, value.length) & WHITE_SPACE) === 0
}
