/** Reads Slack's mrkdwn as mdast: `*bold*`, `_italic_`, `~struck~`, code, quotes and control sequences from `<` to `>`. */
import type { BlockContent, PhrasingContent, Text } from 'mdast'
import { traitsAt, traitsBefore, URL_BARRIER, URL_STOP } from '../../characters.js'
import { blocksOfLines, type Container, type Line } from '../../convert/markers.js'
import { parse } from '../../index.js'
import type { Position } from '../../tree.js'
import { channelName, DEPTH_MAX, linkTo, mentionOf, text } from './nodes.js'
import { reportLoss, type SlackReading, unescapeText } from './reading.js'

/** Reads blocks: code between three backticks, and the lines around it. */
export function readMrkdwn(source: string, reading: SlackReading): BlockContent[] {
  const parts: BlockContent[][] = []
  let at = 0
  for (const { 0: fence, 1: value = '', index } of source.matchAll(/```(\n?[^`][\s\S]*?)```/g)) {
    parts.push(readLines(source, at, index, reading))
    const code = unescapeText(value).replace(/^\r?\n|\r?\n$/g, '')
    at = index + fence.length
    parts.push([{ type: 'code', value: code, position: reading.placeOf(index, at) }])
  }
  parts.push(readLines(source, at, source.length, reading))
  return parts.flat()
}

/** Reads lines. A blank line ends a paragraph, a list or a quote. */
function readLines(source: string, start: number, end: number, reading: SlackReading): BlockContent[] {
  const range = source.slice(start, end)
  // `>>>` starts a quote that contains all lines after it.
  const quoteAt = start + (/(?<![^\r\n])(?:&gt;|>){3}/.exec(range)?.index ?? range.length)
  let at = start
  return range.split(BLANK_LINE).flatMap((part) => {
    const lines = linesOf(source, [at, at + part.length], quoteAt, reading)
    at += part.length
    return blocksOfLines(lines)
  })
}

/** Matches a blank line, but not the end of a CRLF. */
const BLANK_LINE = /((?<![^\r\n]|\r(?=\n))[^\S\r\n]*(?:\r\n|\r|\n|$))/

/** Returns the lines of a paragraph or a blank line without their markers. All lines from `quoteAt` on are in a quote. */
function linesOf(
  source: string,
  [start, end]: readonly [number, number],
  quoteAt: number,
  reading: SlackReading,
): Line<PhrasingContent[]>[] {
  const part = source.slice(start, end)
  // Slack shows `- a` and `1. a` as text. Such lines become items only if lines are nested, because text would lose the indents.
  const isNested = NESTED_ITEM.test(part)
  let quote: Container | null = null
  /** The items around a line, from the outermost one, and their indents. */
  let items: readonly (Container & { readonly indent: number })[] = []
  return Array.from(part.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g), ({ 1: text = '', index }) => {
    const at = start + index
    if (text.trim() === '') return { containers: [], continuedCount: 0, content: null }
    const [quoteStart = ''] = /^(?:(?:&gt;|>){3}|&gt;|>) ?/.exec(text) ?? []
    const quoteBefore = quote
    quote = quoteStart !== '' || at >= quoteAt ? (quote ?? { type: 'quote' }) : null
    const [itemStart = '', spaces = '', marker = ''] = (quote === null && ITEM.exec(text)) || []
    const isItem = marker !== '' && (isNested || '•◦▪'.includes(marker))
    // With the same spaces before them, `▪` is deeper than `◦`, and `◦` is deeper than the other markers.
    const indent = spaces.replaceAll('\t', '    ').length + Math.max(0, '•◦▪'.indexOf(marker)) / 10
    const number = /\d/.test(marker) ? Number.parseInt(marker, 10) : null
    const around = items.filter((outer) => outer.indent < indent).slice(0, DEPTH_MAX)
    items = isItem ? [...around, { type: 'item', marker, number, indent }] : []
    const content = readLine(source, at + (isItem ? itemStart : quoteStart).length, at + text.length, reading)
    const containers = quote === null ? items : [quote]
    const isEmpty = content.length === 0
    // An empty line inside a quote separates paragraphs.
    if (isEmpty && quote !== null && quote === quoteBefore) return { containers, continuedCount: 0, content: null }
    // An empty text node has the position for the diagnostic of a quote that contains nothing.
    if (isEmpty) content.push({ type: 'text', value: '', position: reading.placeOf(at, at + text.length) })
    return { containers, continuedCount: 0, content }
  })
}

/** Matches the marker of an item. Slack writes U+FE0E after `▪`. */
const ITEM = /^(\s*)([•◦▪*-]|\d{1,9}\.)\uFE0E? +/
/**
 * Matches an item and, in the next line, an item with a larger indent. A `^` with the flag `m` would also match after U+2028, which
 * does not end a line here: many of them would take quadratic time.
 */
const NESTED_ITEM =
  /(?<![^\r\n])([^\S\r\n]*)(?:[•◦▪*-]|\d{1,9}\.)\uFE0E? [^\r\n]*[\r\n]+\1[^\S\r\n]+(?:[•◦▪*-]|\d{1,9}\.)\uFE0E? /

const SHRUG = '¯\\\\_\\(ツ\\)_/¯'
/** A control sequence, code, the scheme of a URL, a mark, or the text before the next of them. */
const TOKEN = new RegExp(
  `${SHRUG}|<([^<>]+)>|\`(?!\\u200B)([^\`]+)(?<!\\u200B)\`|(https?://)|[*_~]|(?:(?!https?://|${SHRUG})[^<\`*_~])+|[<\`]`,
  'giuy',
)
const formattingByMark: Readonly<Record<string, 'strong' | 'emphasis' | 'delete'>> = {
  '*': 'strong',
  _: 'emphasis',
  '~': 'delete',
}

/** A mark without a partner so far, and the nodes after it. */
interface OpenMark {
  readonly mark: Text
  readonly nodes: PhrasingContent[]
}

/** Reads one line. Formatting ends with the line. */
function readLine(source: string, start: number, end: number, reading: SlackReading): PhrasingContent[] {
  const line = source.slice(start, end)
  const topNodes: PhrasingContent[] = []
  const levels: OpenMark[] = []
  for (let index = 0; index < line.length; ) {
    TOKEN.lastIndex = index
    const [found = line[index] ?? '', control, code, scheme] = TOKEN.exec(line) ?? []
    const url = scheme === undefined ? '' : urlAt(line, index, levels)
    const token = url || found
    const at = start + index
    const position = reading.placeOf(at, at + token.length)
    const labelOf = (from: number) => readLine(source, at + 1 + from, at + token.length - 1, reading)
    const typedNode: Text = { type: 'text', value: unescapeText(token), position }
    let nodes: PhrasingContent[] = [typedNode]
    if (control !== undefined) nodes = readControl(control, reading, position, labelOf)
    else if (code !== undefined) nodes = [{ type: 'inlineCode', value: unescapeText(code) }]
    else if (url !== '') nodes = [linkTo(unescapeText(url), unescapeText(url))]
    else if (formattingByMark[token] !== undefined) {
      if (isOpen(levels, token) && canClose(line, index)) nodes = close(levels, typedNode)
      else if (!isOpen(levels, token) && canOpen(line, index)) {
        levels.push({ mark: typedNode, nodes: [] })
        nodes = []
      }
    }
    const siblings = levels.at(-1)?.nodes ?? topNodes
    for (const node of nodes) siblings.push({ position, ...node })
    index += token.length
  }
  return [...topNodes, ...unwind(levels)]
}

/** Reads a control sequence without its brackets: a link, or a reference to a person, channel, group or date. */
function readControl(
  control: string,
  reading: SlackReading,
  position: Position | undefined,
  labelOf: (from: number) => PhrasingContent[],
): PhrasingContent[] {
  const pipeAt = control.indexOf('|')
  const target = unescapeText(pipeAt < 0 ? control : control.slice(0, pipeAt))
  const label = pipeAt < 0 ? '' : unescapeText(control.slice(pipeAt + 1))
  const rest = target.slice(1)
  if (target.startsWith('@')) return [mentionOf(rest, label, reading, position)]
  if (target.startsWith('#') || target.startsWith('!')) reportLoss(reading, 'slack-element', position)
  if (target.startsWith('#')) return [text(`#${channelName(rest, label, reading)}`)]
  // A `!` is followed by `here`, `channel`, `everyone`, `subteam^ID` or `date^TIME^FORMAT^URL`.
  const [kind, first = '', , url = ''] = rest.split('^')
  if (target.startsWith('!date^')) return [isUrl(url) ? linkTo(url, label || first) : text(label || first)]
  if (target.startsWith('!')) return [text(`@${(label || (kind === 'subteam' ? first : rest)).replace(/^@/, '')}`)]
  if (!isUrl(target)) return [text(`<${unescapeText(control)}>`)]
  return [{ type: 'link', url: target, children: label === '' ? [text(target)] : labelOf(pipeAt + 1) }]
}

function isUrl(url: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]+:/.test(url)
}

/** Returns the URL at an offset, as the dialect reads it (§3.5) and without marks that are open; an empty string if no URL starts there. */
function urlAt(line: string, start: number, levels: readonly OpenMark[]): string {
  if ((traitsBefore(line, start) & URL_BARRIER) !== 0) return ''
  let end = start + 1
  while ((traitsAt(line, end) & URL_STOP) === 0 && !/^[,;|]https?:/i.test(line.slice(end, end + 7))) end += 1
  for (;;) {
    const source = line.slice(start, end)
    const [block] = parse(unescapeText(source)).children
    const [link] = block?.type === 'paragraph' ? block.children : []
    if (link?.type !== 'link') return ''
    const characters = source.match(/&(?:amp|lt|gt);|[\s\S]/g) ?? []
    const url = characters.slice(0, link.position?.end.offset ?? 0).join('')
    const [marks = ''] = /(?:\*+|_+|~+)$/.exec(url) ?? []
    if (marks === '' || !isOpen(levels, marks.charAt(0))) return url
    end = start + url.length - marks.length
  }
}

function isOpen(levels: readonly OpenMark[], mark: string): boolean {
  return levels.some((level) => level.mark.value === mark)
}

function canOpen(line: string, at: number): boolean {
  return !/[\p{L}\p{N}]$/u.test(line.slice(Math.max(0, at - 2), at)) && /^[^\s\u200B]/.test(line.slice(at + 1, at + 2))
}

function canClose(line: string, at: number): boolean {
  return /[^\s\u200B]$/.test(line.slice(Math.max(0, at - 1), at)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + 1, at + 3))
}

/** Closes a mark. The marks opened after it have no partner; there are at most three, so this is fast. */
function close(levels: OpenMark[], mark: Text): PhrasingContent[] {
  const openedMarks = levels.splice(levels.findLastIndex((level) => level.mark.value === mark.value))
  const [first, ...inside] = unwind(openedMarks)
  const kind = formattingByMark[mark.value]
  const position = first?.position && mark.position && { start: first.position.start, end: mark.position.end }
  if (kind !== undefined && inside.length > 0) return [{ type: kind, children: inside, position }]
  return first === undefined ? [mark] : [first, ...inside, mark]
}

/** Returns the nodes of marks that have no partner, each mark as a text node before its nodes. */
function unwind(levels: readonly OpenMark[]): PhrasingContent[] {
  return levels.flatMap(({ mark, nodes }) => [mark, ...nodes])
}
