/** Previews Markdown that is still being written: parses the open section as if everything open in it were closed. */
import type { RootContent } from 'mdast'
import { definitionsIn, nameOf } from '../conversion.js'
import { addText, createSplitter, endLine, type Splitter } from './elements.js'
import { withoutOpenEnd } from './endings.js'
import { type Context, mergeParts, parseSection, parseSource, partOf, positionOf, quoteOf, startsOf } from './read.js'
import { cellCount, flowStart, innermost, type OpenBlock, prefixOf, type Section } from './section.js'
import { documentOffset, type Source, sliceSource } from './source.js'

/** The nodes of the ended items of a list, rows of a table or blocks of a quote. */
export type EndedParts = RootContent[][]

/** Returns the nodes of the open section, the open element, and the text `rest`, whose last line is unfinished. */
export function tailOf(splitter: Splitter, rest: string, context: Context, parts: EndedParts): RootContent[] {
  const { rules } = context
  const { section } = splitter
  const copy = { ...splitter, section: { ...section, parts: [...section.parts] } }
  const endedSections = addText(copy, rest.replace(/[\uD800-\uDBFF]$/, ''), rules, true)
  const { line, element } = copy
  const visibleText = line === null || line.text.trim() === '' ? '' : visibleTextOf(line.text, copy.section.block)
  const hiddenText = line?.text.slice(visibleText.length) ?? ''
  copy.line = line === null || visibleText === '' ? null : sliceSource(line, 0, visibleText.length)
  endedSections.push(...endLine(copy))
  // A heading ends with its line, but an unfinished line may continue, so the heading is still open.
  const last = copy.section.block.kind === 'empty' && visibleText !== '' ? endedSections.pop() : undefined
  const open = last !== undefined && 'block' in last ? last : copy.section
  const nodes = endedSections.flatMap((each) => parseSection(each, context))
  nodes.push(...nodesOf(open, context, parts, hiddenText))
  if (element !== null && rules.tags.get(element.name) === 'quote') {
    const { start, source } = element
    const inner = createSplitter({ startsIn: null }, documentOffset(source, 0))
    const children = tailOf(inner, source.text, context, [])
    nodes.push(quoteOf(children, positionOf(context.lineStarts, start, copy.end)))
  }
  return withoutOpenEnd(nodes) as RootContent[] // The result has some of the nodes, and a copy of the last one.
}

/** Matches a line that is only markers or delimiters so far: its type is not known yet. */
const MARKERS = /^(?:#{1,6}|[-+*_=~`|: \t]+|\d{1,9}[.)]?|\$\$?|\\(?:\[|b[a-z]*(?:\{[A-Za-z*]*)?)?|)[ \t]*$/
const BOX = /^\[(?:[ \tXx]\]?)?[ \t]*$/
const ALERT = /^\[(?:!(?:[A-Za-z]*\]?)?)?[ \t]*$/

/** Returns an unfinished line; an empty string if the line is hidden, because its type is not known yet. */
function visibleTextOf(line: string, { kind, width, marker }: OpenBlock): string {
  if (kind === 'fence') return /^ {0,3}(?:`+|~+)[ \t]*$/.test(line) && line.trim()[0] === marker[0] ? '' : line
  if (kind === 'html') return line
  if (kind === 'math') return /^[ \t]*(?:\$\$?|\\(?:\]|e[a-z]*(?:\{[A-Za-z*]*)?)?)$/.test(line) ? '' : line
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
function nodesOf(section: Section, context: Context, parts: EndedParts, hidden: string): RootContent[] {
  if (section.block.kind === 'empty') return []
  const groups = startsOf(section, 0).map((start, index, starts) => {
    const end = starts[index + 1]
    if (end === undefined) {
      const source = partOf(section, start)
      const textStart = source.text.length - section.source.text.length + section.textStart
      return lastNodes({ ...section, source, textStart }, context, hidden)
    }
    const nodes = parts[index] ?? parseSource(partOf(section, start, end), context)
    parts[index] = nodes
    for (const node of definitionsIn(nodes)) context.definedNames.add(nameOf(node))
    return nodes
  })
  return mergeParts(groups)
}

const HALF_DEFINITION = /^\[[^\]]+\]:\s*(?:<[^<>\n]*>?|[^\s<]\S*)?(?:\s+(?:"[^"]*|'[^']*|\([^()]*)?)?$/
/** Maximum number of columns of a table that is shown before its delimiter row is complete. */
const COLUMNS_MAX = 64

/** Returns the nodes of the last part, which is unfinished: a formula, or the head of a table, is completed. */
function lastNodes({ block, source, textStart }: Section, context: Context, hidden: string): RootContent[] {
  const kind = innermost(block)
  const text = source.text.trimEnd()
  if (kind === 'fence' && /^ {0,3}[`~]{3}/.test(text)) return [fenceOf(source.text)]
  if (kind === 'math' && block.kind === 'math') {
    const { length } = text.slice(0, text.search(HALF_MATH_END)).trimEnd()
    return parseSource(withText(source, length, `\n${block.marker}`), context)
  }
  if (/[\r\n][ \t]*(?:\r\n?|\n)$/.test(source.text) || /^(?:fence|indented)$/.test(kind))
    return parseSource(source, context)
  if (HALF_DEFINITION.test(text.slice(textStart))) return parseSource(sliceSource(source, 0, textStart), context)
  const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const prefix = prefixOf(text.slice(lineStart))
  const line = text.slice(lineStart + prefix.length)
  const isRow = /\|[^\r\n]*(?:\r\n?|\n)$/.test(text.slice(0, lineStart))
  const mayBeHead = (!isRow && line.startsWith('|')) || (/[|:]/.test(hidden) && line.includes('|'))
  const isText = /^(?:text|unsure)$/.test(kind)
  const columnCount = isText && mayBeHead ? cellCount(line) : 0
  const isHead = columnCount > 0 && columnCount <= COLUMNS_MAX
  const rest = isHead ? `\n${prefix.replace(/[^>\s]/g, ' ')}|${'-|'.repeat(columnCount)}` : ''
  const isInLine = !/[\r\n]$/.test(source.text)
  // The head of a table ends the paragraph before it.
  const start = isHead ? lineStart + prefix.length : textStart
  return parseSource(withText(source, text.length, rest), context, { start, end: text.length, isInLine })
}

/** Matches the half of a delimiter at the end of a formula, or nothing. */
const HALF_MATH_END = /(?:\\(?:e[a-z]*(?:\{[A-Za-z*]*)?)?|(?<!\$)\$|)$/

/** Returns the first `length` characters of a source, with another text after them. */
function withText(source: Source, length: number, text: string): Source {
  const start = sliceSource(source, 0, length)
  return { ...start, text: start.text + text }
}

/** Returns the code of a fence that is still open. micromark does not parse the code, because that would take long for each preview. */
function fenceOf(text: string): RootContent {
  const [opening = '', ...lines] = text.split(/\r\n?|\n/)
  const [, space = '', , info = ''] = /^( *)(`+|~+)(.*)/.exec(opening) ?? []
  const [lang = ''] = info.trim().split(/[ \t]/)
  const indent = new RegExp(`^ {0,${space.length}}`)
  if (lines.at(-1) === '') lines.pop()
  const value = lines.map((line) => line.replace(indent, '')).join('\n')
  return { type: 'code', lang: lang === '' ? null : lang, meta: null, value }
}
