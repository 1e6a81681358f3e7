/** Turns the nodes of a leaf into tokens in normal form (§8). */
import { isBlank, withoutNull } from '../characters.js'
import { delimiterOf, delimiterText, isFormatting, SEPARATOR } from '../delimiters.js'
import { BARE_LINK, BREAK, CANCELED, CODE, LINK, LINK_END, MENTION } from '../parse/tape.js'
import {
  type Formatting,
  type InlineCode,
  isBareLink,
  type Link,
  type Mention,
  type Phrasing,
  unreachable,
} from '../tree.js'
import { isBareUrl, targetOf, writeMention } from './constructs.js'
import { addAgain, addBreak, addCloser, addOpener, addText, createRow, endRow, type Row } from './row.js'
import { createToken, pair, type Report, TEXT, type Token } from './token.js'

/** Returns the tokens of a leaf. */
export function flatten(children: readonly Phrasing[], isParagraph: boolean, report: Report): Token[] {
  const row = createRow(isParagraph, report)
  addNodes(row, children)
  endRow(row)
  return row.tokens
}

function addNodes(row: Row, nodes: readonly Phrasing[]): void {
  for (const [index, node] of nodes.entries()) {
    const sibling = nodes[index - 1]
    if (node.type === 'text' && node.value !== '' && sibling?.type === 'text' && sibling.value !== '') {
      row.report(node, 'adjacent')
    }
    addNode(row, node)
  }
}

function addNode(row: Row, node: Phrasing): void {
  switch (node.type) {
    case 'text':
      addTextNode(row, node, node.value)
      break
    case 'inlineCode':
      addCode(row, node)
      break
    case 'mention':
      addMention(row, node)
      break
    case 'link':
      addLink(row, node)
      break
    case 'break':
      if (!row.isParagraph) row.report(node, 'break')
      addLineEnding(row, node)
      break
    default:
      if (isFormatting(node)) addFormatting(row, node)
      else unreachable(node)
  }
}

function addFormatting(row: Row, node: Formatting): void {
  const { openers, report } = row
  const delimiter = delimiterOf(node.type)
  if (openers.some((opener) => opener.delimiter === delimiter)) {
    report(node, 'nested')
    addNodes(row, node.children)
    return
  }
  const opener = addOpener(row, node, delimiter)
  openers.push(opener)
  addNodes(row, node.children)
  openers.pop()
  addCloser(row, node, opener)
}

/** Adds a text node. A line ending becomes a break in a paragraph and a space elsewhere; U+0000 becomes U+FFFD (§1). */
function addTextNode(row: Row, node: object, value: string): void {
  if (value === '') row.report(node, 'empty')
  if (value.includes('\0')) row.report(node, 'character')
  const lines = withoutNull(value).split(/\r\n?|\n/)
  if (lines.length > 1) row.report(node, 'break')
  for (const [index, line] of lines.entries()) {
    if (index > 0) addLineEnding(row, node)
    addText(row, node, line)
  }
}

function addLineEnding(row: Row, node: object): void {
  if (row.isParagraph) addBreak(row, createToken(BREAK, node, ''))
  else addText(row, node, ' ')
}

/**
 * Adds code. The backticks of adjoining code spans would merge. Inside formatting, a forced pair of the same kind around the second
 * span separates them, and disappears in normal form (§4). Elsewhere the two spans become one.
 */
function addCode({ tokens, openers, report }: Row, node: InlineCode): void {
  const value = withoutNull(node.value).replace(/\r\n?|\n/g, ' ')
  if (value !== node.value) report(node, node.value.includes('\0') ? 'character' : 'break')
  const last = tokens.at(-1)
  const around = openers.at(-1)?.delimiter ?? null
  if (value === '') report(node, 'empty')
  else if (last?.type !== CODE) tokens.push(createToken(CODE, node, value))
  else if (around !== null) {
    const text = delimiterText(around)
    tokens.push(createToken(CANCELED, node, SEPARATOR + text))
    tokens.push(createToken(CODE, node, value))
    tokens.push(createToken(CANCELED, node, text + SEPARATOR))
  } else {
    report(node, 'adjacent')
    last.value += value
  }
}

/** Adds a mention. If it cannot be written, its visible text is added instead. */
function addMention(row: Row, node: Mention): void {
  const { userID, label } = node
  const source = writeMention(userID, label || null)
  if (source === null) {
    row.report(node, 'reference')
    addTextNode(row, node, `@${label || userID}`)
    return
  }
  if (label === '') row.report(node, 'empty')
  row.tokens.push(createToken(MENTION, node, source))
}

/** Adds a link. If it cannot be written, its children are added instead, and its URL if plain text would show it. */
function addLink(row: Row, node: Link): void {
  const { tokens, openers, isInLabel, report } = row
  const url = withoutNull(node.url)
  if (url !== node.url) report(node, 'character')
  if (typeof node.title === 'string') report(node, 'title')
  const isBare = isBareLink(node)
  const target = isInLabel ? null : targetOf(url)
  if (target === null) {
    report(node, isInLabel ? 'nested' : 'url')
    addNodes(row, node.children)
    if (!isBare) addTextNode(row, node, ` (${url})`)
    return
  }
  if (isBare && isBareUrl(url)) {
    for (const child of node.children) if (url !== node.url) report(child, 'character')
    tokens.push(createToken(BARE_LINK, node, url))
    return
  }
  const at = tokens.length
  const opener = createToken(LINK, node, url)
  tokens.push(opener)
  row.openers = []
  row.isInLabel = true
  addNodes(row, node.children)
  row.openers = openers
  row.isInLabel = false
  const label = tokens.slice(at + 1)
  const isBlankLabel = label.every(({ type, value }) => type === BREAK || (type === TEXT && isBlank(value)))
  const [first] = label
  // Link text equal to the URL would turn the link into a bare link, for which plain text shows the URL only once (§7).
  const isUrl = !isBare && label.length === 1 && first?.type === TEXT && first.value === url
  if (isBlankLabel || isUrl) {
    report(node, isBlankLabel ? 'empty' : 'url')
    tokens.length = at
    addAgain(row, label)
    addText(row, node, ` (${url})`)
    return
  }
  const closer = createToken(LINK_END, node, target)
  pair(opener, closer)
  tokens.push(closer)
}
