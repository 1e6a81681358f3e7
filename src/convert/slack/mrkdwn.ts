/** Slack's mrkdwn as mdast: `*bold*`, `_italic_`, `~struck~`, code, quotes and control sequences. */
import type { BlockContent, PhrasingContent } from 'mdast'
import type { Position } from '../../tree.js'
import { elementOf } from './element.js'
import { type ListLine, listsOf } from './list.js'
import { placed, type SlackReading, unescapeText } from './reading.js'

/** Reads blocks: code between three backticks, and the lines around it. */
export function readMrkdwn(text: string, reading: SlackReading): BlockContent[] {
  const blocks: BlockContent[] = []
  let at = 0
  for (const { 0: fence, 1: value = '', index } of text.matchAll(/```(\n?[^`](?:(?!```)[\s\S])*)```/g)) {
    blocks.push(...readLines(text, at, index, reading))
    const code = unescapeText(value).replace(/^\r?\n|\r?\n$/g, '')
    blocks.push({ type: 'code', lang: null, meta: null, value: code, ...placed(reading, index, index + fence.length) })
    at = index + fence.length
  }
  return [...blocks, ...readLines(text, at, text.length, reading)]
}

interface MrkdwnLine {
  readonly kind: 'text' | 'quote' | 'item' | 'blank'
  readonly start: number
  readonly end: number
  /** The depth of an item, from its marker. */
  readonly depth: number
}

/** Consecutive lines of one kind are a block. */
function readLines(text: string, start: number, end: number, reading: SlackReading): BlockContent[] {
  const blocks: BlockContent[] = []
  let group: MrkdwnLine[] = []
  const flush = (): void => {
    blocks.push(...blocksOfLines(text, group, reading))
    group = []
  }
  for (const line of linesOf(text, start, end)) {
    if (line.kind !== group[0]?.kind) flush()
    if (line.kind !== 'blank') group.push(line)
  }
  flush()
  return blocks
}

function* linesOf(text: string, start: number, end: number): Generator<MrkdwnLine> {
  let isQuoteToEnd = false
  for (const { 0: line, index } of text.slice(start, end).matchAll(/[^\r\n]+|\r\n|\r|\n/g)) {
    if (/^[\r\n]/.test(line)) {
      // An empty line, unless the line ending ends the line before.
      const before = text[start + index - 1]
      if (index === 0 || before === '\n' || before === '\r') yield { kind: 'blank', start: 0, end: 0, depth: 0 }
      continue
    }
    const [mark = ''] = /^(?:(?:&gt;|>){3}|&gt;|>) ?/.exec(line) ?? []
    if (/^(?:&gt;|>){3}/.test(line)) isQuoteToEnd = true
    const [bulleted = '', bullet = ''] = /^[ \t]*([•◦▪]) +/.exec(line) ?? []
    const from = start + index
    const to = from + line.length
    if (mark !== '' || isQuoteToEnd) yield { kind: 'quote', start: from + mark.length, end: to, depth: 0 }
    else if (bullet !== '') yield { kind: 'item', start: from + bulleted.length, end: to, depth: '•◦▪'.indexOf(bullet) }
    else yield { kind: line.trim() === '' ? 'blank' : 'text', start: from, end: to, depth: 0 }
  }
}

function blocksOfLines(text: string, lines: readonly MrkdwnLine[], reading: SlackReading): BlockContent[] {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return []
  const place = placed(reading, first.start, last.end)
  if (first.kind === 'item') {
    const entries = lines.map(
      ({ start, end, depth }): ListLine => ({
        depth,
        isOrdered: false,
        offset: 0,
        children: readLine(text, start, end, reading),
        position: reading.placeOf(start, end),
      }),
    )
    return listsOf(entries)
  }
  const children = lines.flatMap(({ start, end }, index): PhrasingContent[] => {
    const line = readLine(text, start, end, reading)
    return index === 0 ? line : [{ type: 'break' }, ...line]
  })
  const paragraph: BlockContent = { type: 'paragraph', children, ...place }
  return first.kind === 'quote' ? [{ type: 'blockquote', children: [paragraph], ...place }] : [paragraph]
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
function readLine(text: string, start: number, end: number, reading: SlackReading): PhrasingContent[] {
  const line = text.slice(start, end)
  const outside: PhrasingContent[] = []
  const levels: OpenMark[] = []
  const add = (node: PhrasingContent): void => {
    ;(levels.at(-1)?.nodes ?? outside).push(node)
  }
  let index = 0
  while (index < line.length) {
    TOKEN.lastIndex = index
    const [found = line[index] ?? '', control, code, address] = TOKEN.exec(line) ?? []
    const token = address === undefined ? found : withoutEnd(address)
    const at = start + index
    const place = placed(reading, at, at + token.length)
    const labelOf = (from: number) => readLine(text, at + 1 + from, at + token.length - 1, reading)
    if (control !== undefined) for (const node of elementOf({ control, reading, start: at, labelOf })) add(node)
    else if (code !== undefined) add({ type: 'inlineCode', value: unescapeText(code), ...place })
    else if (address !== undefined) add(linkOf(unescapeText(token), place))
    else if (kinds[token] === undefined) add({ type: 'text', value: unescapeText(token), ...place })
    else if (isOpen(levels, token) && canClose(line, index)) for (const node of close(levels, token)) add(node)
    else if (!isOpen(levels, token) && canOpen(line, index)) levels.push({ mark: token, nodes: [] })
    else add({ type: 'text', value: token, ...place })
    index += token.length
  }
  return [...outside, ...unwind(levels)]
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

function linkOf(url: string, place: { position?: Position }): PhrasingContent {
  return { type: 'link', url, children: [{ type: 'text', value: url, ...place }], ...place }
}

function isOpen(levels: readonly OpenMark[], mark: string): boolean {
  return levels.some((level) => level.mark === mark)
}

function canOpen(line: string, at: number): boolean {
  return !/[\p{L}\p{N}]$/u.test(line.slice(Math.max(0, at - 2), at)) && /^[^\s\u200B]/.test(line.slice(at + 1, at + 2))
}

function canClose(line: string, at: number): boolean {
  return /[^\s\u200B]$/.test(line.slice(0, at).slice(-1)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + 1, at + 3))
}

/** Closes a mark. The marks opened after it have no partner; there are at most three, so this is fast. */
function close(levels: OpenMark[], mark: string): PhrasingContent[] {
  const [, ...inside] = unwind(levels.splice(levels.findLastIndex((level) => level.mark === mark)))
  const kind = kinds[mark]
  if (kind !== undefined && inside.length > 0) return [{ type: kind, children: inside }]
  return [{ type: 'text', value: mark }, ...inside, { type: 'text', value: mark }]
}

/** All nodes of some levels, with their marks as text. */
function unwind(levels: readonly OpenMark[]): PhrasingContent[] {
  return levels.flatMap(({ mark, nodes }): PhrasingContent[] => [{ type: 'text', value: mark }, ...nodes])
}
