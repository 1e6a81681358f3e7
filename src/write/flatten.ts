/** From the nodes of a leaf to its tokens, in normal form (§8). Nothing recurses: a tree may be a million nodes deep. */
import { isBlank, withoutNull } from '../characters.js'
import { type Delimiter, delimiterOf, isFormatting } from '../delimiters.js'
import { BARE_LINK, BREAK, CLOSE, CODE, LINK, LINK_END, MENTION, OPEN } from '../parse/tape.js'
import type { Break, Formatting, InlineCode, Link, Mention, Phrasing } from '../tree.js'
import { isBareLink, unreachable } from '../tree.js'
import type { Report } from './change.js'
import { isBareUrl, targetOf, writeMention } from './constructs.js'
import { joinTokens } from './join.js'
import { createToken, pair, TEXT, type Token } from './token.js'

/** A parent that is open, and where its own parent goes on. */
interface Frame {
  readonly node: Formatting | Link
  readonly children: readonly Phrasing[]
  /** The token that it begins with, if it has one, and where that is; how much had been seen before. */
  readonly opener: Token | null
  readonly openerAt: number
  readonly seen: number
  /** Of a link: what follows its label. */
  readonly tail: string
  readonly outer: Frame | null
  /** Which child of the outer parent comes next. */
  readonly next: number
}

interface Walk {
  readonly isParagraph: boolean
  readonly report: Report
  readonly tokens: Token[]
  /** The innermost parent that is open, null for the leaf itself; and which of its children comes next. */
  frame: Frame | null
  next: number
  /** The kinds of formatting that are open; in a label afresh, and those around it. */
  open: Delimiter[]
  outerOpen: Delimiter[] | null
  /** How many tokens can be seen. */
  seen: number
}

/** The tokens of a leaf; none if nothing of it can be seen. */
export function flatten(children: readonly Phrasing[], isParagraph: boolean, report: Report): Token[] {
  const tokens: Token[] = []
  const walk: Walk = { isParagraph, report, tokens, frame: null, next: 0, open: [], outerOpen: null, seen: 0 }
  for (;;) {
    const { frame, next } = walk
    const nodes: readonly Phrasing[] = frame === null ? children : frame.children
    const child = nodes[next]
    if (child !== undefined) {
      walk.next = next + 1
      enter(walk, child, nodes[next - 1])
    } else if (frame !== null) {
      walk.frame = frame.outer
      walk.next = frame.next
      leave(walk, frame)
    } else return joinTokens(tokens, report)
  }
}

function enter(walk: Walk, node: Phrasing, sibling: Phrasing | undefined): void {
  switch (node.type) {
    case 'text':
      if (node.value === '') walk.report(node, 'empty')
      else if (sibling?.type === 'text' && sibling.value !== '') walk.report(node, 'adjacent')
      addText(walk, node, node.value)
      break
    case 'inlineCode':
      enterCode(walk, node)
      break
    case 'mention':
      enterMention(walk, node)
      break
    case 'break':
      enterBreak(walk, node)
      break
    case 'link':
      enterLink(walk, node)
      break
    default:
      if (isFormatting(node)) enterFormatting(walk, node)
      else unreachable(node)
  }
}

function enterFormatting(walk: Walk, node: Formatting): void {
  const { open, tokens } = walk
  const delimiter = delimiterOf(node.type)
  const isNested = open.includes(delimiter)
  if (isNested) walk.report(node, 'nested')
  else open.push(delimiter)
  startFrame(walk, node, node.children, isNested ? null : createToken(OPEN, node, '', delimiter), tokens.length, '')
}

function startFrame(
  walk: Walk,
  node: Formatting | Link,
  children: readonly Phrasing[],
  opener: Token | null,
  openerAt: number,
  tail: string,
): void {
  const { tokens, frame: outer, next, seen } = walk
  if (opener !== null) tokens.push(opener)
  walk.frame = { node, children, opener, openerAt, seen, tail, outer, next }
  walk.next = 0
}

/** A parent ends: formatting and labels of which nothing can be seen are what they hold. */
function leave(walk: Walk, frame: Frame): void {
  const { node, opener, openerAt, seen } = frame
  if (node.type === 'link') {
    leaveLink(walk, node, frame)
    return
  }
  if (opener === null) return
  walk.open.pop()
  if (walk.seen > seen) addCloser(walk, opener, createToken(CLOSE, node, '', opener.delimiter))
  else {
    walk.tokens.splice(openerAt, 1)
    walk.report(node, 'empty')
  }
}

function addCloser(walk: Walk, opener: Token, closer: Token): void {
  pair(opener, closer)
  walk.tokens.push(closer)
}

/** A link that can not be written is its children, and its url behind them where it would be seen. */
function enterLink(walk: Walk, node: Link): void {
  const { children } = node
  const url = withoutNull(node.url)
  if (url !== node.url) walk.report(node, 'character')
  if (typeof node.title === 'string') walk.report(node, 'title')
  const target = walk.outerOpen === null ? targetOf(url) : null
  if (target === null) {
    walk.report(node, walk.outerOpen === null ? 'url' : 'nested')
    startFrame(walk, node, children, null, 0, isBareLink(node) ? '' : ` (${url})`)
    return
  }
  walk.outerOpen = walk.open
  walk.open = []
  startFrame(walk, node, children, createToken(LINK, node, url), walk.tokens.length, target)
}

function leaveLink(walk: Walk, node: Link, { opener, openerAt, seen, tail }: Frame): void {
  const { tokens } = walk
  if (opener === null) {
    addText(walk, node, tail)
    return
  }
  if (walk.outerOpen !== null) walk.open = walk.outerOpen
  walk.outerOpen = null
  const isBare = isBareLink(node)
  const url = withoutNull(node.url)
  if (isBare && isBareUrl(url)) {
    tokens.length = openerAt
    tokens.push(createToken(BARE_LINK, node, url))
    return
  }
  // Of a label that is the url by chance both are seen (§7): as text.
  const isBlankLabel = walk.seen === seen
  if (isBlankLabel || (!isBare && isText(tokens, openerAt + 1, url))) {
    tokens.splice(openerAt, 1)
    walk.report(node, isBlankLabel ? 'empty' : 'url')
    addText(walk, node, ` (${url})`)
    return
  }
  addCloser(walk, opener, createToken(LINK_END, node, tail))
}

/** Whether the tokens from one on are nothing but this text. */
function isText(tokens: readonly Token[], from: number, text: string): boolean {
  const label = tokens.slice(from)
  return label.every(({ type }) => type === TEXT) && label.map(({ value }) => value).join('') === text
}

/** A line ending is a break in a paragraph, and a space elsewhere; U+0000 is read as U+FFFD (§1). */
function addText(walk: Walk, node: object, value: string): void {
  const { tokens, report, isParagraph } = walk
  if (value === '') return
  if (!/[\0\r\n]/.test(value)) {
    tokens.push(createToken(TEXT, node, value))
    if (!isBlank(value)) walk.seen += 1
    return
  }
  if (value.includes('\0')) report(node, 'character')
  const lines = withoutNull(value).split(/\r\n?|\n/)
  if (lines.length > 1) report(node, 'break')
  for (const [index, line] of lines.entries()) {
    if (index > 0) tokens.push(isParagraph ? createToken(BREAK, node, '') : createToken(TEXT, node, ' '))
    if (line === '') continue
    tokens.push(createToken(TEXT, node, line))
    if (!isBlank(line)) walk.seen += 1
  }
}

function enterBreak({ isParagraph, tokens, report }: Walk, node: Break): void {
  if (!isParagraph) report(node, 'break')
  tokens.push(isParagraph ? createToken(BREAK, node, '') : createToken(TEXT, node, ' '))
}

function enterCode(walk: Walk, node: InlineCode): void {
  const value = withoutNull(node.value).replace(/\r\n?|\n/g, ' ')
  if (value !== node.value) walk.report(node, node.value.includes('\0') ? 'character' : 'break')
  if (value === '') walk.report(node, 'empty')
  else addSeen(walk, createToken(CODE, node, value))
}

/** A mention that can not be written is what would be seen of it. */
function enterMention(walk: Walk, node: Mention): void {
  const { userID, label } = node
  const source = writeMention(userID, label || null)
  if (source === null) {
    walk.report(node, 'reference')
    addText(walk, node, `@${label || userID}`)
    return
  }
  if (label === '') walk.report(node, 'empty')
  addSeen(walk, createToken(MENTION, node, source))
}

function addSeen(walk: Walk, token: Token): void {
  walk.tokens.push(token)
  walk.seen += 1
}
