/** The open text at the end of a stream, of which each look at the tail parses only the lines in which something may change. */
import type { Paragraph, RootContent, TableRow } from 'mdast'
import type { Point } from '../../tree.js'
import type { Piece } from './line.js'
import { type Context, mayDefine, parseTexts, sourceOf, type Text } from './texts.js'

/** The nodes of an open text: those of its first lines, which nothing after them changes, and all of them at the last look. */
export interface ParsedText {
  readonly source: string
  readonly lineCount: number
  readonly nodes: readonly RootContent[]
  /** The number of lines that the text must have before more of them are tried. */
  readonly nextCount: number
  /** All of the text, if nothing in it was open at the last look. */
  readonly whole?: Whole | undefined
}

/** A text and its nodes. */
interface Whole {
  readonly source: string
  readonly nodes: readonly RootContent[]
  /** Whether the text had ended. Otherwise its end may be shown in another way. */
  readonly isEnded: boolean
  /** Whether it was parsed at once, so that all its nodes have their positions. */
  readonly isAtOnce: boolean
}

/** Returns the part of a text that an earlier look at the tail has not parsed: only its last lines, or none. */
export function unknownText(text: Text, parsed: Map<number, ParsedText>, context: Context): Text[] {
  const { pieces, ending, take } = text
  const [first] = pieces
  if (first === undefined || mayDefine(pieces)) return [text]
  const key = first.line.offset + first.shift
  const before = parsed.get(key)
  const isSettling = context.names.unresolved !== null
  if (isSettling && before === undefined) return [text]
  const source = sourceOf(pieces)
  const whole = isSettling ? settledWhole(before?.whole, source) : continued(before?.whole, source, ending === null)
  if (before !== undefined && whole !== null) {
    if (!isSettling) parsed.set(key, { ...before, whole })
    take(whole.nodes, true)
    return []
  }
  if (isSettling) return [text]
  const known = endedLines(pieces, source, before, context)
  if (parsed.size > PARSED_MAX) parsed.clear()
  parsed.set(key, known)
  const takeRest: Text['take'] = (nodes, isComplete) => {
    const all = joined(known.nodes, nodes)
    const isAtOnce = known.lineCount === 0
    if (isComplete) parsed.set(key, { ...known, whole: { source, nodes: all, isEnded: ending === null, isAtOnce } })
    take(all, isComplete)
  }
  return [{ pieces: afterLines(pieces, known.lineCount), ending, take: takeRest }]
}

/** Returns a text that settles, if a look has parsed it as it is. Its references and formulas must be reported when it settles. */
function settledWhole(whole: Whole | undefined, source: string): Whole | null {
  return whole?.isAtOnce && whole.source === source && !MAY_REPORT.test(source) ? whole : null
}

const MAY_REPORT = /[[$\\]/

/** Returns a text that is a known text, or continues it with plain words; otherwise null. */
function continued(whole: Whole | undefined, source: string, isEnded: boolean): Whole | null {
  if (whole === undefined || (whole.isEnded && !isEnded) || !source.startsWith(whole.source)) return null
  if (source === whole.source) return whole
  // Spaces at the end of a text are not part of its nodes, except the paragraph.
  const { length } = whole.source.trimEnd()
  const paragraph = whole.nodes.at(-1)
  const last = paragraph?.type === 'paragraph' ? paragraph.children.at(-1) : undefined
  if (paragraph?.type !== 'paragraph' || last?.type !== 'text' || MAY_REPORT.test(source)) return null
  // A word at the end of the text is not part of a URL or a delimiter run, and neither is the word that it grows to.
  const isWord = /\s[\p{L}\p{N}]+$/u.test(whole.source.slice(0, length).slice(-64))
  if (!isWord || !/^[\p{L}\p{N} ,.?()'"-]*$/u.test(source.slice(length)) || /www\./i.test(source.slice(length - 3)))
    return null
  const more = source.slice(length).trimEnd()
  const longer = { ...last, value: last.value + more, ...movedEnd(last, more.length) }
  const children = [...paragraph.children.slice(0, -1), longer]
  const grown = { ...paragraph, children, ...movedEnd(paragraph, source.length - whole.source.length) }
  return { ...whole, source, nodes: [...whole.nodes.slice(0, -1), grown] }
}

/** Maximum number of texts that are kept: more than an open row has. */
const PARSED_MAX = 128

const noLines: ParsedText = { source: '', lineCount: 0, nodes: [], nextCount: 2 }

/** Parses the lines of a text that have ended since the last look. They are known from now on if nothing in them is open. */
function endedLines(
  pieces: readonly Piece[],
  source: string,
  before: ParsedText = noLines,
  context: Context,
): ParsedText {
  let known = isStart(before.source, source) ? before : noLines
  const lines = pieces.slice(0, -1)
  const count = pieces.length
  if (count < known.nextCount) return known
  const take: Text['take'] = (nodes, isComplete) => {
    const ended = sourceOf(lines)
    // The more lines something has been open for, the later it is tried again, so that few lines are parsed twice.
    if (!isComplete || !isStart(ended, source)) known = { ...known, nextCount: 2 * count - known.lineCount }
    else known = { source: ended, lineCount: count - 1, nodes: joined(known.nodes, nodes), nextCount: count + 1 }
  }
  parseTexts([{ pieces: afterLines(lines, known.lineCount), ending: 'after-line', take }], context)
  return known
}

/** Whether a text is all of another, or its first lines. Two spaces before a line ending are a hard break, which is not parsed yet. */
function isStart(start: string, text: string): boolean {
  return text.startsWith(start) && (start === text || (text[start.length] === '\n' && !start.endsWith('  ')))
}

/** Returns the lines of a paragraph after its first ones, as the text of a paragraph. */
function afterLines(pieces: readonly Piece[], count: number): readonly Piece[] {
  if (count === 0) return pieces
  return pieces.slice(count).map((piece, index) => (index === 0 ? asPhrasing(piece, piece.text.trimStart()) : piece))
}

/** Returns the nodes of a paragraph from those of its first lines and those of the lines after them. */
function joined(nodes: readonly RootContent[], after: readonly RootContent[]): readonly RootContent[] {
  const [before, rest] = [nodes.at(-1), after[0]]
  if (before?.type !== 'paragraph' || rest?.type !== 'paragraph') return before === undefined ? after : nodes
  const { children } = withoutStart(rest, BEFORE.length)
  if (children.length === 0) return nodes
  const all = [...before.children]
  for (const node of [{ type: 'text', value: '\n' } as const, ...children]) {
    const last = all.at(-1)
    if (node.type === 'text' && last?.type === 'text') all.splice(-1, 1, { ...last, value: last.value + node.value })
    else all.push(node)
  }
  return [{ ...before, children: all }]
}

/** A word before the text of a cell or of a line, so that the parser reads only phrasing. */
export const BEFORE = 'x '

/** Returns the end of a line as the text of a paragraph. */
function asPhrasing({ text, line, shift }: Piece, content: string): Piece {
  return { text: BEFORE + content, line, shift: shift + text.length - content.length - BEFORE.length }
}

/** Returns a paragraph without the first characters of its text. */
export function withoutStart(paragraph: Paragraph, length: number): Paragraph {
  const [first, ...others] = paragraph.children
  if (first?.type !== 'text') return paragraph
  const text = { ...first, value: first.value.slice(length), ...movedStart(first, length) }
  return { ...paragraph, children: text.value === '' ? others : [text, ...others], ...movedStart(paragraph, length) }
}

function movedStart({ position }: Placed, length: number): Placed {
  return position === undefined ? {} : { position: { start: moved(position.start, length), end: position.end } }
}

function movedEnd({ position }: Placed, length: number): Placed {
  return position === undefined ? {} : { position: { start: position.start, end: moved(position.end, length) } }
}

function moved({ line, column, offset = 0 }: Point, length: number): Point {
  return { line, column: column + length, offset: offset + length }
}

type Placed = Pick<TableRow, 'position'>
