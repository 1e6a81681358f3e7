/**
 * §2, blocks: the entry of the reference parser, written only from the text of the dialect, not from the package's parser.
 * The differential test compares both. Every clause is one small function; none is made for speed.
 */

import type { Block, List, ListItem, Phrasing, PhrasingWithoutBreak, Root } from '../../src/tree.js'
import { readPhrasing } from './phrasing.js'
import { readReference } from './references.js'
import { charactersBetween, isSpace, type Line, positionOf, readSource, type Source } from './source.js'

export function referenceParse(input: string): Root {
  const source = readSource(input)
  const children: Block[] = []
  let at = 0
  while (at < source.lines.length) {
    const found = readBlock(source, at)
    if (found.block !== null) children.push(found.block)
    at = found.next
  }
  return { type: 'root', children, position: positionOf(source, 0, input.length) }
}

/** A block and the index of the line after it. */
interface Found {
  block: Block | null
  next: number
}

/** §2: "The first rule that fits a line wins". */
function readBlock(source: Source, at: number): Found {
  return (
    readBlankLine(source, at) ??
    readFencedCode(source, at) ??
    readFile(source, at) ??
    readHeading(source, at) ??
    readList(source, at) ??
    readParagraph(source, at)
  )
}

function lineAt(source: Source, at: number): Line {
  const line = source.lines[at]
  if (line === undefined) throw new RangeError(`no line ${at}`)
  return line
}

/** "nothing: ends the paragraph or list before it". */
function readBlankLine(source: Source, at: number): Found | null {
  return lineAt(source, at).trimmed === '' ? { block: null, next: at + 1 } : null
}

/** "three or more backticks, then no further backtick: opens fenced code". */
function openingFenceOf(line: Line): { fenceLength: number; info: string } | null {
  const match = /^(`{3,})([^`]*)$/.exec(line.trimmed)
  return match === null ? null : { fenceLength: match[1]?.length ?? 0, info: match[2] ?? '' }
}

function readFencedCode(source: Source, at: number): Found | null {
  const line = lineAt(source, at)
  const opening = openingFenceOf(line)
  if (opening === null) return null
  const { fenceLength } = opening
  let closing = at + 1
  while (closing < source.lines.length && textBeforeFence(source, closing, fenceLength) === null) closing += 1
  const isClosed = closing < source.lines.length
  const indentation = line.trimmedStart - line.start
  const word = opening.info.replace(/^[ \t]+/, '')
  // "Anything else, as it stands after the backticks, is the first line of the content".
  const first = word === '' || isLang(word) ? [] : [source.text.slice(line.trimmedStart + fenceLength, line.end)]
  const later = source.lines.slice(at + 1, closing).map((each) => source.text.slice(each.start, each.end))
  // "such text (`}` before the backticks) is the last line of the content".
  const before = isClosed ? textBeforeFence(source, closing, fenceLength) : null
  const last = before === null || /^[ \t]*$/.test(before) ? [] : [before]
  const value = [...first, ...[...later, ...last].map((text) => withoutIndentation(text, indentation))].join('\n')
  const end = isClosed ? lineAt(source, closing).trimmedEnd : lineAt(source, closing - 1).end
  const position = positionOf(source, line.trimmedStart, end)
  const block: Block = { type: 'code', lang: isLang(word) ? word : null, meta: null, value, position }
  return { block, next: isClosed ? closing + 1 : closing }
}

/**
 * "A later line closes the fence if, spaces at its end removed, it ends in a run of N or more backticks, has no other such run, and
 * before the run is only spaces, or text that neither ends in a space nor is, spaces at its start removed, one of `+` `-` `>` `*` `#`
 * alone." Returns what is before the run, or null if the line does not close the fence.
 */
function textBeforeFence(source: Source, at: number, fenceLength: number): string | null {
  const { start, end } = lineAt(source, at)
  const text = source.text.slice(start, end).replace(/[ \t]+$/, '')
  const run = /`*$/.exec(text)?.[0] ?? ''
  const before = text.slice(0, text.length - run.length)
  if (run.length < fenceLength) return null
  if (before.split(/[^`]+/).some((other) => other.length >= fenceLength)) return null
  if (/^[ \t]*$/.test(before)) return before
  return /[ \t]$/.test(before) || /^[ \t]*[-+>*#]$/.test(before) ? null : before
}

/** "As many spaces as are before the opening fence (a tab is one) are removed …, as far as they are there." */
function withoutIndentation(content: string, indentation: number): string {
  let removed = 0
  while (removed < indentation && isSpace(content[removed])) removed += 1
  return content.slice(removed)
}

/** "one word of letters and numbers (categories L and N) and `+ # . _ -` that holds a letter". */
function isLang(word: string): boolean {
  return /^[\p{L}\p{N}+#._-]+$/u.test(word) && /\p{L}/u.test(word)
}

/** "`<!` id `|` label `>` and nothing else: a file". */
function readFile(source: Source, at: number): Found | null {
  const { trimmed, trimmedStart, trimmedEnd } = lineAt(source, at)
  if (!trimmed.startsWith('<!')) return null
  const characters = charactersBetween(source, trimmedStart, trimmedEnd)
  const reference = readReference(characters, 2)
  if (reference === null || !reference.hasPipe || reference.end !== characters.length) return null
  const { id, label } = reference
  return {
    block: { type: 'file', fileID: id, label, position: positionOf(source, trimmedStart, trimmedEnd) },
    next: at + 1,
  }
}

/** "`#` or `##`, one or more spaces, then at least one character: a heading of depth 1 or 2". */
function headingMarkerOf(line: Line): { depth: 1 | 2; markerLength: number } | null {
  const match = /^(##?)[ \t]+(?=.)/su.exec(line.trimmed)
  if (match === null) return null
  return { depth: match[1] === '#' ? 1 : 2, markerLength: match[0].length }
}

function readHeading(source: Source, at: number): Found | null {
  const line = lineAt(source, at)
  const marker = headingMarkerOf(line)
  if (marker === null) return null
  const children = readLine(source, line.trimmedStart + marker.markerLength, line.trimmedEnd)
  const position = positionOf(source, line.trimmedStart, line.trimmedEnd)
  return { block: { type: 'heading', depth: marker.depth, children, position }, next: at + 1 }
}

/** The leaf of a heading or an item: one line, so that no break can be in it. */
function readLine(source: Source, start: number, end: number): PhrasingWithoutBreak[] {
  return readPhrasing(source, charactersBetween(source, start, end)).filter((node) => node.type !== 'break')
}

/** "`*`, one or more spaces, then at least one character, but not `*` followed by a space or the end: an item". */
function itemMarkerLengthOf(line: Line): number | null {
  const match = /^\*[ \t]+(?=.)/su.exec(line.trimmed)
  if (match === null) return null
  return /^\*(?:[ \t]|$)/.test(line.trimmed.slice(match[0].length)) ? null : match[0].length
}

/** "consecutive item lines form one list". */
function readList(source: Source, at: number): Found | null {
  const items: ListItem[] = []
  let next = at
  while (next < source.lines.length && startsItem(source, next)) {
    items.push(readItem(source, lineAt(source, next)))
    next += 1
  }
  if (next === at) return null
  const start = lineAt(source, at).trimmedStart
  const end = lineAt(source, next - 1).trimmedEnd
  const list: List = {
    type: 'list',
    ordered: false,
    spread: false,
    children: items,
    position: positionOf(source, start, end),
  }
  return { block: list, next }
}

/** No rule before the item rule fits a line that begins with a star. */
function startsItem(source: Source, at: number): boolean {
  return itemMarkerLengthOf(lineAt(source, at)) !== null
}

function readItem(source: Source, line: Line): ListItem {
  const textStart = line.trimmedStart + (itemMarkerLengthOf(line) ?? 0)
  const children: Phrasing[] = readLine(source, textStart, line.trimmedEnd)
  const position = positionOf(source, textStart, line.trimmedEnd)
  return {
    type: 'listItem',
    spread: false,
    children: [{ type: 'paragraph', children, position }],
    position: positionOf(source, line.trimmedStart, line.trimmedEnd),
  }
}

/** "anything else: a line of a paragraph; consecutive such lines form one paragraph". */
function readParagraph(source: Source, at: number): Found {
  let next = at
  while (next < source.lines.length && isParagraphLine(source, next)) next += 1
  const lines = source.lines.slice(at, next)
  // §3: "its lines, each trimmed, joined by one LF": the LF is at the line ending.
  const leaf = lines.flatMap((line, index) => [
    ...charactersBetween(source, line.trimmedStart, line.trimmedEnd),
    ...(index < lines.length - 1 ? [{ value: '\n', start: line.end, end: line.next }] : []),
  ])
  const position = positionOf(source, lineAt(source, at).trimmedStart, lineAt(source, next - 1).trimmedEnd)
  return { block: { type: 'paragraph', children: readPhrasing(source, leaf), position }, next }
}

/** "Every rule but the last interrupts a paragraph". */
function isParagraphLine(source: Source, at: number): boolean {
  return (
    readBlankLine(source, at) === null &&
    openingFenceOf(lineAt(source, at)) === null &&
    readFile(source, at) === null &&
    headingMarkerOf(lineAt(source, at)) === null &&
    !startsItem(source, at)
  )
}
