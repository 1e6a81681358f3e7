/** Slack's mrkdwn as mdast: `*bold*`, `_italic_`, `~struck~`, code, quotes and control sequences from `<` to `>`. */
import type { BlockContent, PhrasingContent } from 'mdast'
import type { Position } from '../../tree.js'
import { joinLines, linkTo, listsOf, mentionOf, text } from './nodes.js'
import { note, type SlackReading, unescapeText } from './reading.js'

/** Reads blocks: code between three backticks, and the lines around it. */
export function readMrkdwn(source: string, reading: SlackReading): BlockContent[] {
  const parts: BlockContent[][] = []
  let at = 0
  for (const { 0: fence, 1: value = '', index } of source.matchAll(/```(\n?[^`](?:(?!```)[\s\S])*)```/g)) {
    parts.push(readLines(source, at, index, reading))
    const code = unescapeText(value).replace(/^\r?\n|\r?\n$/g, '')
    at = index + fence.length
    parts.push([{ type: 'code', lang: null, meta: null, value: code, ...placed(reading, index, at) }])
  }
  parts.push(readLines(source, at, source.length, reading))
  return parts.flat()
}

/** The position of a range, as a field of a node. */
function placed(reading: SlackReading, start: number, end: number): { position?: Position } {
  const position = reading.placeOf(start, end)
  return position === undefined ? {} : { position }
}

interface MrkdwnLine {
  readonly kind: 'text' | 'quote' | 'item' | 'blank'
  /** The start and end of the line without its marker. */
  readonly start: number
  readonly end: number
  /** The depth of an item, from its marker. */
  readonly depth: number
}

/** Consecutive lines of one kind are a block. */
function readLines(source: string, start: number, end: number, reading: SlackReading): BlockContent[] {
  const blocks: BlockContent[] = []
  let group: MrkdwnLine[] = []
  const flush = (): void => {
    blocks.push(...blocksOfLines(source, group, reading))
    group = []
  }
  for (const line of linesIn(source, start, end)) {
    if (line.kind !== group[0]?.kind) flush()
    if (line.kind !== 'blank') group.push(line)
  }
  flush()
  return blocks
}

function* linesIn(source: string, start: number, end: number): Generator<MrkdwnLine> {
  let isQuoteToEnd = false
  for (const { 1: line = '', index } of source.slice(start, end).matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    const [quoted = ''] = /^(?:(?:&gt;|>){3}|&gt;|>) ?/.exec(line) ?? []
    isQuoteToEnd ||= /^(?:&gt;|>){3}/.test(line)
    const [bulleted = '', bullet = ''] = /^[ \t]*([•◦▪]) +/.exec(line) ?? []
    const [from, to] = [start + index, start + index + line.length]
    if (line === '') yield { kind: 'blank', start: from, end: to, depth: 0 }
    else if (quoted !== '' || isQuoteToEnd) yield { kind: 'quote', start: from + quoted.length, end: to, depth: 0 }
    else if (bullet !== '') yield { kind: 'item', start: from + bulleted.length, end: to, depth: '•◦▪'.indexOf(bullet) }
    else yield { kind: line.trim() === '' ? 'blank' : 'text', start: from, end: to, depth: 0 }
  }
}

function blocksOfLines(source: string, lines: readonly MrkdwnLine[], reading: SlackReading): BlockContent[] {
  const [first] = lines
  if (first === undefined) return []
  const read = lines.map(({ start, end, depth }) => ({
    ...{ depth, isOrdered: false, offset: 0, place: placed(reading, start, end) },
    children: readLine(source, start, end, reading),
  }))
  if (first.kind === 'item') return listsOf(read)
  const place = placed(reading, first.start, lines.at(-1)?.end ?? first.end)
  const block: BlockContent = { type: 'paragraph', children: joinLines(read.map(({ children }) => children)), ...place }
  return first.kind === 'quote' ? [{ type: 'blockquote', children: [block], ...place }] : [block]
}

/** A control sequence, code, a URL, a mark, or the text before the next of them. */
const TOKEN =
  /<([^<>]+)>|`(?!\u200B)([^`]+)(?<!\u200B)`|(?<![\p{L}\p{N}])(https?:\/\/[^\s<>|`]+)|[*_~]|(?:(?!(?<![\p{L}\p{N}])https?:\/\/)[^<`*_~])+|[<`]/giuy
const kinds: Readonly<Record<string, 'strong' | 'emphasis' | 'delete'>> = {
  '*': 'strong',
  _: 'emphasis',
  '~': 'delete',
}

/** A mark without a partner so far, and the nodes after it. */
interface OpenMark {
  readonly mark: string
  readonly nodes: PhrasingContent[]
}

/** Reads one line; formatting ends with it. */
function readLine(source: string, start: number, end: number, reading: SlackReading): PhrasingContent[] {
  const line = source.slice(start, end)
  const outside: PhrasingContent[] = []
  const levels: OpenMark[] = []
  for (let index = 0; index < line.length; ) {
    TOKEN.lastIndex = index
    const [found = line[index] ?? '', control, code, address] = TOKEN.exec(line) ?? []
    const token = address === undefined ? found : withoutEnd(address)
    const at = start + index
    const place = placed(reading, at, at + token.length)
    const labelOf = (from: number) => readLine(source, at + 1 + from, at + token.length - 1, reading)
    let nodes: PhrasingContent[] = []
    if (control !== undefined) nodes = readControl(control, reading, place.position, labelOf)
    else if (code !== undefined) nodes = [{ type: 'inlineCode', value: unescapeText(code), ...place }]
    else if (address !== undefined) nodes = [{ ...linkTo(unescapeText(token), unescapeText(token)), ...place }]
    else if (kinds[token] === undefined) nodes = [{ type: 'text', value: unescapeText(token), ...place }]
    else if (isOpen(levels, token) && canClose(line, index)) nodes = close(levels, token)
    else if (!isOpen(levels, token) && canOpen(line, index)) levels.push({ mark: token, nodes: [] })
    else nodes = [{ type: 'text', value: token, ...place }]
    const siblings = levels.at(-1)?.nodes ?? outside
    for (const node of nodes) siblings.push(node)
    index += token.length
  }
  return [...outside, ...unwind(levels)]
}

/** Reads a control sequence without its brackets: a link, or a reference to a person, channel, group or date. */
function readControl(
  control: string,
  reading: SlackReading,
  position: Position | undefined,
  labelOf: (from: number) => PhrasingContent[],
): PhrasingContent[] {
  const bar = control.indexOf('|')
  const target = unescapeText(bar < 0 ? control : control.slice(0, bar))
  const label = bar < 0 ? '' : unescapeText(control.slice(bar + 1))
  const rest = target.slice(1)
  if (target.startsWith('@')) return [mentionOf(rest, label, reading, position)]
  if (target.startsWith('#') || target.startsWith('!')) note(reading, 'slack-element', position)
  if (target.startsWith('#')) return [text(`#${label || rest}`)]
  // `here`, `channel`, `everyone`, `subteam^ID` and `date^TIME^FORMAT^URL`
  const [kind, first = '', , url = ''] = rest.split('^')
  if (target.startsWith('!date^')) return [isUrl(url) ? linkTo(url, label || first) : text(label || first)]
  if (target.startsWith('!')) return [text(`@${(label || (kind === 'subteam' ? first : rest)).replace(/^@/, '')}`)]
  if (!isUrl(target)) return [text(`<${unescapeText(control)}>`)]
  return [{ type: 'link', url: target, children: label === '' ? [text(target)] : labelOf(bar + 1) }]
}

function isUrl(url: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]+:/.test(url)
}

/** A URL without the punctuation and marks after it, as Slack links it. */
function withoutEnd(address: string): string {
  let end = address.length
  // Counted once: a parenthesis stays if it pairs with one in the URL.
  let surplus = address.split(')').length - address.split('(').length
  while (end > 'https://'.length) {
    const last = address[end - 1] ?? ''
    if (last === ')' && surplus <= 0) break
    if (!'.,:;!?)]}\'"*_~'.includes(last)) break
    if (last === ')') surplus -= 1
    end -= 1
  }
  return address.slice(0, end)
}

function isOpen(levels: readonly OpenMark[], mark: string): boolean {
  return levels.some((level) => level.mark === mark)
}

function canOpen(line: string, at: number): boolean {
  return !/[\p{L}\p{N}]$/u.test(line.slice(Math.max(0, at - 2), at)) && /^[^\s\u200B]/.test(line.slice(at + 1, at + 2))
}

function canClose(line: string, at: number): boolean {
  return /[^\s\u200B]$/.test(line.slice(Math.max(0, at - 1), at)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + 1, at + 3))
}

/** Closes a mark. The marks opened after it have no partner; there are at most three, so this is fast. */
function close(levels: OpenMark[], mark: string): PhrasingContent[] {
  const [, ...inside] = unwind(levels.splice(levels.findLastIndex((level) => level.mark === mark)))
  const kind = kinds[mark]
  if (kind !== undefined && inside.length > 0) return [{ type: kind, children: inside }]
  return [text(mark), ...inside, text(mark)]
}

/** All nodes of some levels, with their marks as text. */
function unwind(levels: readonly OpenMark[]): PhrasingContent[] {
  return levels.flatMap(({ mark, nodes }) => [text(mark), ...nodes])
}
