/**
 * Leaves that need no draft, as most do: of text in which the parser finds nothing that may begin a construct, of code and
 * of mentions, whose ends nothing beside them can move.
 */
import { traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { canBegin, endOfBareLink } from '../parse/bare-link.js'
import { endOfMention, isID } from '../parse/mention.js'
import { isBareLink, type Mention, type Phrasing } from '../tree.js'
import { isBareUrl, writeMention } from './constructs.js'
import { type LeafType, prefixes } from './draft.js'

/** The source of such a leaf; null where it is none, or where something would have to be changed. */
export function writeSimple(type: LeafType, children: readonly Phrasing[]): string | null {
  if (children.some(isFormatting)) return null
  let source = ''
  let links: number[] | null = null
  let before: Phrasing['type'] = 'break'
  for (let index = 0; index < children.length; index += 1) {
    const node = children[index]
    // Of two texts or two codes in a row one is made, or something between them.
    if (node === undefined || node.type === before) return null
    const isLast = index + 1 === children.length || children[index + 1]?.type === 'break'
    const written = write(node, type, before === 'break', isLast)
    if (written === null) return null
    if (node.type === 'link') {
      links ??= []
      links.push(source.length, source.length + written.length)
    }
    source += written
    before = node.type
  }
  if (before === 'break' || (links !== null && !endWhereMeant(source, links))) return null
  return prefixes[type][0] + source
}

function isFormatting({ type }: Phrasing): boolean {
  return type === 'strong' || type === 'emphasis' || type === 'underline' || type === 'delete'
}

function write(node: Phrasing, type: LeafType, isFirst: boolean, isLast: boolean): string | null {
  switch (node.type) {
    case 'text':
      return isPlain(node.value, isFirst, isLast) ? node.value : null
    case 'inlineCode':
      return /^[^ `\0\r\n][^`\0\r\n]*$/.test(node.value) ? `\`${node.value}\`` : null
    case 'mention':
      return writeValid(node)
    case 'break':
      return type === 'paragraph' && !isLast ? '\n' : null
    case 'link':
      return isBareLink(node) && isBareUrl(node.url) && !/[\\\]\0]/.test(node.url) ? node.url : null
    default:
      return null
  }
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

function writeValid({ userID, label }: Mention): string | null {
  const source = writeMention(userID, label)
  return label !== '' && isID(userID) && endOfMention(source, 0) === source.length ? source : null
}

/** What may begin markup, or is not read as it stands; snake_case and well-known are text (§4). */
const markup = /[\\`*<\0\r\n]|:\/\/|\]\(|(?<![A-Za-z\d])[_-]|[_-](?![A-Za-z\d])/

/** Whether a text is read as it stands, where a line begins and ends with it. */
function isPlain(value: string, isFirst: boolean, isLast: boolean): boolean {
  if (value === '' || markup.test(value)) return false
  if (isFirst && ((traitsAt(value, 0) & WHITE_SPACE) !== 0 || value.charCodeAt(0) === 35) /* # */) return false
  return !isLast || (traitsBefore(value, value.length) & WHITE_SPACE) === 0
}
