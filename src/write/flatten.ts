/** Turns the nodes of a leaf into tokens in normal form (§8). */

import { isBlank, withoutNull } from '../characters.js'
import { delimiterOf, delimiterText, isFormatting, SEPARATOR } from '../delimiters.js'
import { BARE_LINK, BREAK, CANCELED, CODE, LINK, LINK_END, MENTION } from '../parse/events.js'
import { phrasingText } from '../render/text.js'
import {
  type Formatting,
  type InlineCode,
  isBareLink,
  type Link,
  type Mention,
  type Phrasing,
  showsUrl,
  unreachable,
} from '../tree.js'
import { isBareUrl, linkTarget, writeMention } from './constructs.js'
import {
  addBreak,
  addCloser,
  addOpener,
  addRemoved,
  addText,
  createSequence,
  endSequence,
  type Sequence,
} from './sequence.js'
import { createToken, type OnChange, pairTokens, TEXT, type Token } from './token.js'

export function flatten(children: readonly Phrasing[], isParagraph: boolean, onChange: OnChange): Token[] {
  const sequence = createSequence(isParagraph, onChange)
  addNodes(sequence, children)
  endSequence(sequence)
  return sequence.tokens
}

function addNodes(sequence: Sequence, nodes: readonly Phrasing[]): void {
  let isAfterText = false
  for (const node of nodes) {
    const isText = node.type === 'text' && node.value !== ''
    if (isText && isAfterText) sequence.onChange(node, 'adjacent')
    isAfterText = isText
    addNode(sequence, node)
  }
}

function addNode(sequence: Sequence, node: Phrasing): void {
  switch (node.type) {
    case 'text':
      addTextNode(sequence, node, node.value)
      break
    case 'inlineCode':
      addCode(sequence, node)
      break
    case 'mention':
      addMention(sequence, node)
      break
    case 'link':
      addLink(sequence, node)
      break
    case 'break':
      if (!sequence.isParagraph) sequence.onChange(node, 'break')
      addLineEnding(sequence, node)
      break
    default:
      if (isFormatting(node)) addFormatting(sequence, node)
      else unreachable(node)
  }
}

function addFormatting(sequence: Sequence, node: Formatting): void {
  const { openers, onChange } = sequence
  const delimiter = delimiterOf(node.type)
  if (openers.some((opener) => opener.delimiter === delimiter)) {
    onChange(node, 'nested')
    addNodes(sequence, node.children)
    return
  }
  const opener = addOpener(sequence, node, delimiter)
  openers.push(opener)
  addNodes(sequence, node.children)
  openers.pop()
  addCloser(sequence, node, opener)
}

/** Adds a text node. A line ending becomes a break in a paragraph and a space elsewhere; U+0000 becomes U+FFFD (§1). */
function addTextNode(sequence: Sequence, node: object, value: string): void {
  if (value === '') sequence.onChange(node, 'empty')
  // Most text contains no line ending and no U+0000, so it is added whole.
  if (!/[\0\r\n]/.test(value)) {
    addText(sequence, node, value)
    return
  }
  if (value.includes('\0')) sequence.onChange(node, 'character')
  const [first = '', ...others] = withoutNull(value).split(/\r\n?|\n/)
  addText(sequence, node, first)
  if (others.length > 0) sequence.onChange(node, 'break')
  for (const line of others) {
    addLineEnding(sequence, node)
    addText(sequence, node, line)
  }
}

function addLineEnding(sequence: Sequence, node: object): void {
  if (sequence.isParagraph) addBreak(sequence, createToken(BREAK, node, ''))
  else addText(sequence, node, ' ')
}

/**
 * Adds code. The backticks of adjoining code spans would merge. Inside formatting, a forced pair of the same kind around the second
 * span separates them, and disappears in normal form (§4). Elsewhere the two spans become one.
 */
function addCode({ tokens, openers, onChange }: Sequence, node: InlineCode): void {
  const value = withoutNull(node.value).replace(/\r\n?|\n/g, ' ')
  if (value !== node.value) onChange(node, node.value.includes('\0') ? 'character' : 'break')
  const last = tokens.at(-1)
  const outerDelimiter = openers.at(-1)?.delimiter ?? null
  if (value === '') onChange(node, 'empty')
  else if (last?.type !== CODE) tokens.push(createToken(CODE, node, value))
  else if (outerDelimiter !== null) {
    const text = delimiterText(outerDelimiter)
    tokens.push(createToken(CANCELED, node, SEPARATOR + text))
    tokens.push(createToken(CODE, node, value))
    tokens.push(createToken(CANCELED, node, text + SEPARATOR))
  } else {
    onChange(node, 'adjacent')
    last.value += value
  }
}

/** Adds a mention. If it cannot be written, its visible text is added instead. */
function addMention(sequence: Sequence, node: Mention): void {
  const { userID, label } = node
  const source = writeMention(userID, label || null)
  if (source === null) {
    sequence.onChange(node, 'reference')
    addTextNode(sequence, node, `@${label || userID}`)
    return
  }
  if (label === '') sequence.onChange(node, 'empty')
  sequence.tokens.push(createToken(MENTION, node, source))
}

/**
 * Percent-encodes white space and control characters, which no URL in the dialect contains (§3.4). If a bare link has such a URL,
 * its `"`, `<`, `>` and backticks are encoded too, because a bare link would end there.
 */
function encodeSpaces(url: string, isBare: boolean): string {
  if (!/[^!-~]/.test(url) || !/[\p{Z}\p{Cc}]/u.test(url)) return url
  return url.replace(isBare ? /[\p{Z}\p{Cc}"<>`]/gu : /[\p{Z}\p{Cc}]/gu, encodeURIComponent)
}

/** Adds a link. If it cannot be written, its children are added instead, and its URL if plain text would show it. */
function addLink(sequence: Sequence, node: Link): void {
  const { tokens, openers, isInLabel, onChange } = sequence
  if (typeof node.title === 'string') onChange(node, 'title')
  const isBare = isBareLink(node)
  const url = encodeSpaces(node.url, isBare)
  const showsAsText = (shownUrl: string): boolean =>
    isBare || showsUrl(phrasingText(node.children, {}), withoutNull(shownUrl))
  // The URL is encoded only if that does not change whether plain text shows it (§7).
  const canBeWritten = !isInLabel && (url === node.url || showsAsText(url) === showsAsText(node.url))
  const target = canBeWritten ? linkTarget(url) : null
  if (target === null) {
    onChange(node, isInLabel ? 'nested' : 'url')
    addNodes(sequence, node.children)
    if (!showsAsText(node.url)) addTextNode(sequence, node, ` (${node.url})`)
    return
  }
  if (url !== node.url)
    for (const changedNode of isBare ? [node, ...node.children] : [node]) onChange(changedNode, 'encoded')
  const at = tokens.length
  const opener = createToken(LINK, node, url)
  tokens.push(opener)
  sequence.openers = []
  sequence.isInLabel = true
  if (isBare) addTextNode(sequence, node, url)
  else addNodes(sequence, node.children)
  sequence.openers = openers
  sequence.isInLabel = false
  const label = tokens.slice(at + 1)
  const isBlankLabel = label.every(({ type, value }) => type === BREAK || (type === TEXT && isBlank(value)))
  const [first] = label
  if (label.length === 1 && first?.type === TEXT && first.value === url && isBareUrl(url)) {
    tokens.length = at
    tokens.push(createToken(BARE_LINK, node, url))
    return
  }
  if (isBlankLabel) {
    onChange(node, 'empty')
    tokens.length = at
    addRemoved(sequence, label)
    addText(sequence, node, ` (${url})`)
    return
  }
  const closer = createToken(LINK_END, node, target)
  pairTokens(opener, closer)
  tokens.push(closer)
}
