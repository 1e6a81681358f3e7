/** Reads Slack's mrkdwn as mdast: `*bold*`, `_italic_`, `~struck~`, code, quotes and control sequences from `<` to `>`. */
import type { BlockContent, PhrasingContent } from 'mdast'
import { traitsAt, traitsBefore, URL_BARRIER, URL_STOP } from '../../characters.js'
import { joinLines } from '../../convert/lines.js'
import { parse } from '../../index.js'
import type { Position } from '../../tree.js'
import { channelName, linkTo, listsOf, mentionOf, text } from './nodes.js'
import { reportLoss, type SlackReading, unescapeText } from './reading.js'

/** Reads blocks: code between three backticks, and the lines around it. */
export function readMrkdwn(source: string, reading: SlackReading): BlockContent[] {
  const parts: BlockContent[][] = []
  let at = 0
  for (const { 0: fence, 1: value = '', index } of source.matchAll(/```(\n?[^`](?:(?!```)[\s\S])*)```/g)) {
    parts.push(readLines(source, at, index, reading))
    const code = unescapeText(value).replace(/^\r?\n|\r?\n$/g, '')
    at = index + fence.length
    parts.push([{ type: 'code', value: code, position: reading.placeOf(index, at) }])
  }
  parts.push(readLines(source, at, source.length, reading))
  return parts.flat()
}

interface MrkdwnLine {
  readonly kind: 'text' | 'quote' | 'item' | 'blank'
  /** The start of the line, the start of its text after a marker, and its end. */
  readonly start: number
  readonly textStart: number
  readonly end: number
  /** The marker of an item, and the number of items around it. */
  readonly marker: string
  readonly depth: number
}

/** Reads lines. Consecutive lines of one kind become a block. */
function readLines(source: string, start: number, end: number, reading: SlackReading): BlockContent[] {
  const lines = runsOf([...linesIn(source, start, end)]).flatMap((run) => (isList(run) ? run : run.map(asTextLine)))
  return runsOf(lines).flatMap((run) => blocksOfLines(source, run, reading))
}

function runsOf(lines: readonly MrkdwnLine[]): MrkdwnLine[][] {
  const runs: MrkdwnLine[][] = []
  for (const line of lines) {
    if (runs.at(-1)?.[0]?.kind === line.kind) runs.at(-1)?.push(line)
    else runs.push([line])
  }
  return runs
}

/** Whether a run is a list. Slack shows `- a` and `1. a` as text, so they are items only if their depths would be lost. */
function isList(run: readonly MrkdwnLine[]): boolean {
  if (run[0]?.kind !== 'item') return true
  return run.some(({ depth }) => depth > 0) || run.every(({ marker }) => '•◦▪'.includes(marker))
}

function asTextLine(line: MrkdwnLine): MrkdwnLine {
  return { ...line, kind: 'text', textStart: line.start }
}

function* linesIn(source: string, start: number, end: number): Generator<MrkdwnLine> {
  let isQuoteToEnd = false
  /** The indents of the items around a line, from the outermost one. */
  let indents: readonly number[] = []
  for (const { 1: line = '', index } of source.slice(start, end).matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    const [quoted = ''] = /^(?:(?:&gt;|>){3}|&gt;|>) ?/.exec(line) ?? []
    isQuoteToEnd ||= /^(?:&gt;|>){3}/.test(line)
    const isQuote = line !== '' && (quoted !== '' || isQuoteToEnd)
    const [marked = '', spaces = '', marker = ''] = (!isQuote && /^(\s*)([•◦▪*-]|\d{1,9}\.) +/.exec(line)) || []
    const indent = spaces.replaceAll('\t', '    ').length
    indents = marker === '' ? [] : [...indents.filter((outer) => outer < indent), indent]
    const kind = isQuote ? 'quote' : marker !== '' ? 'item' : line.trim() === '' ? 'blank' : 'text'
    const from = start + index
    const textStart = from + (isQuote ? quoted.length : marked.length)
    yield { kind, start: from, textStart, end: from + line.length, marker, depth: Math.max(0, indents.length - 1) }
  }
}

function blocksOfLines(source: string, lines: readonly MrkdwnLine[], reading: SlackReading): BlockContent[] {
  const [first] = lines
  if (first === undefined || first.kind === 'blank') return []
  const read = lines.map(({ textStart, end, marker, depth }) => {
    const number = /\d/.test(marker) ? Number.parseInt(marker, 10) : undefined
    return {
      depth: Math.max(depth, '•◦▪'.indexOf(marker)),
      isOrdered: number !== undefined,
      number,
      position: reading.placeOf(textStart, end),
      children: readLine(source, textStart, end, reading),
    }
  })
  if (first.kind === 'item') return listsOf(read)
  const position = reading.placeOf(first.textStart, lines.at(-1)?.end ?? first.end)
  const block: BlockContent = { type: 'paragraph', children: joinLines(read.map(({ children }) => children)), position }
  return first.kind === 'quote' ? [{ type: 'blockquote', children: [block], position }] : [block]
}

const SHRUG = '¯\\\\_\\(ツ\\)_/¯'
/** A control sequence, code, the scheme of a URL, a mark, or the text before the next of them. */
const TOKEN = new RegExp(
  `${SHRUG}|<([^<>]+)>|\`(?!\\u200B)([^\`]+)(?<!\\u200B)\`|(https?://)|[*_~]|(?:(?!https?://|${SHRUG})[^<\`*_~])+|[<\`]`,
  'giuy',
)
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

/** Reads one line. Formatting ends with the line. */
function readLine(source: string, start: number, end: number, reading: SlackReading): PhrasingContent[] {
  const line = source.slice(start, end)
  const outside: PhrasingContent[] = []
  const levels: OpenMark[] = []
  for (let index = 0; index < line.length; ) {
    TOKEN.lastIndex = index
    const [found = line[index] ?? '', control, code, scheme] = TOKEN.exec(line) ?? []
    const url = scheme === undefined ? '' : urlAt(line, index, levels)
    const token = url || found
    const at = start + index
    const position = reading.placeOf(at, at + token.length)
    const labelOf = (from: number) => readLine(source, at + 1 + from, at + token.length - 1, reading)
    let nodes: PhrasingContent[] = []
    if (control !== undefined) nodes = readControl(control, reading, position, labelOf)
    else if (code !== undefined) nodes = [{ type: 'inlineCode', value: unescapeText(code), position }]
    else if (url !== '') nodes = [{ ...linkTo(unescapeText(url), unescapeText(url)), position }]
    else if (kinds[token] === undefined) nodes = [{ type: 'text', value: unescapeText(token), position }]
    else if (isOpen(levels, token) && canClose(line, index)) nodes = close(levels, token)
    else if (!isOpen(levels, token) && canOpen(line, index)) levels.push({ mark: token, nodes: [] })
    else nodes = [{ type: 'text', value: token, position }]
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
  if (target.startsWith('#') || target.startsWith('!')) reportLoss(reading, 'slack-element', position)
  if (target.startsWith('#')) return [text(`#${channelName(rest, label, reading)}`)]
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

/** Returns the URL at an offset, as the dialect reads it (§3.5) and without marks that are open; an empty string if there is none. */
function urlAt(line: string, start: number, levels: readonly OpenMark[]): string {
  if ((traitsBefore(line, start) & URL_BARRIER) !== 0) return ''
  let end = start + 1
  while ((traitsAt(line, end) & URL_STOP) === 0 && !/^[,;|]https?:/i.test(line.slice(end, end + 7))) end += 1
  for (;;) {
    const source = line.slice(start, end)
    const [block] = parse(unescapeText(source)).children
    const [link] = block?.type === 'paragraph' ? block.children : []
    if (link?.type !== 'link') return ''
    const url = source.slice(0, escapedLength(source, link.position?.end.offset ?? 0))
    const [marks = ''] = /(?:\*+|_+|~+)$/.exec(url) ?? []
    if (marks === '' || !isOpen(levels, marks.charAt(0))) return url
    end = start + url.length - marks.length
  }
}

/** Returns the length in the source of the first `count` characters of the unescaped text. */
function escapedLength(source: string, count: number): number {
  let length = 0
  for (let left = count; left > 0; left -= 1)
    length += /^&(?:amp|lt|gt);/.exec(source.slice(length, length + 5))?.[0].length ?? 1
  return length
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

/** Returns the nodes of marks that have no partner, each mark as a text node before its nodes. */
function unwind(levels: readonly OpenMark[]): PhrasingContent[] {
  return levels.flatMap(({ mark, nodes }) => [text(mark), ...nodes])
}
