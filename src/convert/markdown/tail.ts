/** A preview of Markdown that is still being written: the nodes of its open section, as if everything open in it were closed. */
import type { RootContent } from 'mdast'
import { namesOfOpen, piecesOf, readTag } from '../html.js'
import { addText, createSplitter, endLine, linesOf, type Splitter, startOf } from './elements.js'
import { type Ending, isHalfHtml } from './endings.js'
import { type Context, formulaOf, parseSection, parseSource, partOf, positionOf, quoteOf, together } from './read.js'
import { cellCount, flowStart, innermost, type OpenBlock, prefixOf, type Section } from './section.js'
import { offsetIn, type Source, sliced } from './source.js'

/** The nodes of the ended items of a list, or rows of a table, and the offset at which the list or the table starts. */
export interface EndedParts {
  start: number
  nodes: RootContent[][]
}

export function noParts(): EndedParts {
  return { start: -1, nodes: [] }
}

/** Returns the nodes of everything that has not ended, and of an unfinished line. */
export function tailOf(splitter: Splitter, rest: string, context: Context, parts: EndedParts): RootContent[] {
  const { rules } = context
  const { section } = splitter
  const copy = { ...splitter, section: { ...section, parts: [...section.parts] } }
  const ended = addText(copy, rest.replace(/[\uD800-\uDBFF]$/, ''), rules, true)
  const { line, element } = copy
  const shown = line === null || line.text.trim() === '' ? '' : shownOf(line.text, copy.section.block)
  const hidden = line?.text.slice(shown.length) ?? ''
  copy.line = line === null || shown === '' ? null : sliced(line, 0, shown.length)
  ended.push(...endLine(copy))
  // A heading ends with its line, but an unfinished line may continue, so the heading is still open.
  const last = copy.section.block.kind === 'empty' && shown !== '' ? ended.pop() : undefined
  const open = last !== undefined && 'block' in last ? last : copy.section
  const isSame = startOf(open) === startOf(section)
  const ending =
    shown !== '' ? 'in-line' : /(?:\n|\r(?!\n))[ \t]*(?:\n|\r\n?)$/.test(open.source.text) ? null : 'after-line'
  const nodes = ended.flatMap((each) => parseSection(each, context))
  nodes.push(...nodesOf(open, context, isSame ? parts : noParts(), ending, hidden))
  completeLast(nodes)
  if (element !== null && rules.tags.get(element.name) === 'quote') {
    const { start, content } = element
    const inner = createSplitter({ startsIn: null }, offsetIn(content, 0))
    const lines = linesOf(content.text)
    const last = /[\r\n]$/.test(content.text) ? '' : (lines.pop() ?? '')
    const before = lines.flatMap((each) => addText(inner, each, rules)).flatMap((each) => parseSection(each, context))
    const position = positionOf(context.lineStarts, start, copy.end)
    nodes.push(quoteOf([...before, ...tailOf(inner, last, context, noParts())], position))
  }
  return nodes
}

/** Matches a line that is only markers or delimiters so far: its type is not known yet. */
const MARKERS = /^(?:#{1,6}|[-+*_=~`|: \t]+|\d{1,9}[.)]?|\$\$?|\\(?:\[|b[a-z]*(?:\{[A-Za-z*]*)?)?|)[ \t]*$/
const BOX = /^\[(?:[ \tXx]\]?)?[ \t]*$/
const ALERT = /^\[(?:!(?:[A-Za-z]*\]?)?)?[ \t]*$/

/** Returns an unfinished line without the part that is hidden, because its type is not known yet. */
function shownOf(line: string, { kind, width, marker }: OpenBlock): string {
  if (kind === 'fence') return /^ {0,3}(?:`+|~+)[ \t]*$/.test(line) && line.trim()[0] === marker[0] ? '' : line
  if (kind === 'html') return line
  if (kind === 'math') return /^[ \t]*(?:\$\$?|\\\]?)$/.test(line) ? '' : line
  const prefix = prefixOf(line)
  const text = line.slice(prefix.length)
  if (width === 0 && /^(?: {4}|\t)/.test(line) && kind !== 'text') return text === '' ? '' : line
  const isHalf =
    MARKERS.test(text) ||
    flowStart(text, false)?.kind === 'fence' ||
    (prefix.trim().endsWith('>') ? ALERT.test(text) : prefix.trim() !== '' && BOX.test(text))
  return isHalf ? '' : line
}

/** Returns the nodes of a section. The nodes of ended parts are kept in `parts`, so that each part is parsed once. */
function nodesOf(
  section: Section,
  context: Context,
  parts: EndedParts,
  ending: Ending | null,
  hidden: string,
): RootContent[] {
  const { source, block } = section
  const { kind, isEnded } = block
  const { text } = source
  if (kind === 'empty') return []
  if (kind === 'math' && !isEnded && ending !== null) return mathOf(source, context)
  if (kind === 'fence' && !isEnded) return [fenceOf(text)]
  const starts = section.parts.filter((at) => at < text.length)
  if (starts.length < 2) return lastNodes(innermost(block), source, context, ending, hidden)
  if (parts.start !== startOf(section)) Object.assign(parts, { start: startOf(section), nodes: [] })
  for (let index = parts.nodes.length; index < starts.length - 1; index += 1)
    parts.nodes.push(parseSource(partOf(section, starts[index] ?? 0, starts[index + 1]), context))
  const last = partOf(section, starts.at(-1) ?? 0)
  return together([...parts.nodes, lastNodes(innermost(block), last, context, ending, '')])
}

const HALF_DEFINITION = /^\[[^\]]+\]:\s*(?:<[^<>\n]*>?|[^\s<]\S*)?(?:\s+(?:"[^"]*|'[^']*|\([^()]*)?)?$/
/** Maximum number of columns of a table that is shown before its delimiter row is complete. */
const COLUMNS_MAX = 64

/** Returns the nodes of the last part, which is unfinished. `kind` is the kind of the innermost block. */
function lastNodes(
  kind: OpenBlock['kind'],
  source: Source,
  context: Context,
  ending: Ending | null,
  hidden: string,
): RootContent[] {
  if (ending === null) return parseSource(source, context)
  const text = source.text.trimEnd()
  const start = startOfLastText(text)
  if (HALF_DEFINITION.test(text.slice(start))) return parseSource(sliced(source, 0, start), context)
  const line = text.slice(start).replace(/[\r\n].*/s, '')
  const isRow = /\|[^\r\n]*(?:\r\n?|\n)[ \t>]*$/.test(text.slice(0, start))
  const mayBeHead = (!isRow && /^[ \t]*\|/.test(line)) || (/[|:]/.test(hidden) && line.includes('|'))
  const isText = /^(?:text|definition|unsure)$/.test(kind)
  const columnCount = isText && mayBeHead ? cellCount(line.trimStart()) : 0
  const shown = sliced(source, 0, text.length)
  const rows =
    columnCount > 0 && columnCount <= COLUMNS_MAX
      ? `\n${' '.repeat(columnOf(text, start))}|${'-|'.repeat(columnCount)}`
      : ''
  return parseSource({ ...shown, text: shown.text + rows }, context, { start, end: text.length, ending })
}

function columnOf(text: string, start: number): number {
  return start - Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) - 1
}

/** Returns the offset of the last paragraph, heading or row. */
function startOfLastText(text: string): number {
  let end = text.length
  for (;;) {
    const start = columnStart(text, end)
    const line = text.slice(start, end)
    const prefix = prefixOf(line)
    const content = line.slice(prefix.length)
    const before = text.slice(columnStart(text, start - 1), Math.max(0, start - 1))
    const isFirst = start === 0 || before.slice(prefixOf(before).length).trim() === ''
    if (isFirst || /[-+*\d]/.test(prefix) || /^[#|]/.test(content)) return start + prefix.length
    end = start - 1
  }
}

/** Returns the start of the line that ends at an offset. */
function columnStart(text: string, end: number): number {
  if (end <= 0) return 0
  return Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) + 1
}

/** Returns the code of a fence that is still open, without parsing it. */
function fenceOf(text: string): RootContent {
  const [opening = '', ...lines] = text.split(/\r\n?|\n/)
  const [, space = '', , info = ''] = /^( *)(`+|~+)(.*)/.exec(opening) ?? []
  const [lang = ''] = info.trim().split(/[ \t]/)
  const indent = new RegExp(`^ {0,${space.length}}`)
  if (lines.at(-1) === '') lines.pop()
  const value = lines.map((line) => line.replace(indent, '')).join('\n')
  return { type: 'code', lang: lang === '' ? null : lang, meta: null, value }
}

/** Returns a formula whose closing delimiter is not complete. */
function mathOf(source: Source, { lineStarts, rules }: Context): RootContent[] {
  const text = source.text.trim()
  const formula = formulaOf(
    text,
    true,
    positionOf(lineStarts, offsetIn(source, 0), offsetIn(source, text.length)),
    rules,
  )
  return 'value' in formula && formula.value.trim() === '' ? [] : [formula]
}

/** Completes HTML at the end of nodes, also in containers. */
function completeLast(nodes: RootContent[]): void {
  const last = nodes.at(-1)
  if (last?.type === 'html') nodes[nodes.length - 1] = { ...last, value: completeHtml(last.value).trimEnd() }
  else if (last !== undefined && /^(?:list|listItem|blockquote)$/.test(last.type) && 'children' in last)
    completeLast(last.children)
}

/** Removes an unfinished tag at the end, and closes the elements in its text. */
function completeHtml(html: string): string {
  let length = 0
  const pieces = piecesOf(html)
  const end = pieces.findIndex(({ value }) => {
    length += value.length
    return value === '<' && isHalfHtml(html, length - 1)
  })
  const shown = end < 0 ? pieces : pieces.slice(0, end)
  const tags = shown.map(({ type, value }) => (type === 'tag' ? readTag(value) : null))
  // Other blocks need no end tag. A summary becomes bold.
  const inline = tags.filter((tag) => tag?.isBlock !== true || tag.name === 'summary')
  return [...shown.map(({ value }) => value), ...namesOfOpen(inline).map((name) => `</${name}>`)].join('')
}
