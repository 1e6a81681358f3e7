/** The open text at the end of a stream, of which each look at the tail parses only the lines in which something may change. */
import type { Paragraph, RootContent, TableRow } from 'mdast'
import type { Point } from '../../tree.js'
import type { Piece } from './line.js'
import { type Context, mayDefine, parseTexts, sourceOf, type Text } from './texts.js'

/** Lines at the start of an open text that nothing after them changes, and the nodes of these lines. */
export interface ParsedLines {
  readonly source: string
  readonly lineCount: number
  readonly nodes: readonly RootContent[]
  /** The number of lines that the text must have before more of them are tried. */
  readonly nextCount: number
}

/** Returns the part of a text that an earlier look at the tail has not parsed: only its last lines, or none. */
export function unknownText(text: Text, parsed: Map<number, ParsedLines> | null, context: Context): Text[] {
  const { pieces, ending, take } = text
  const [first] = pieces
  if (parsed === null || first === undefined || mayDefine(pieces)) return [text]
  const key = first.line.offset + first.shift
  const source = sourceOf(pieces)
  const known = endedLines(pieces, source, parsed.get(key), context)
  if (parsed.size > PARSED_MAX) parsed.clear()
  parsed.set(key, known)
  if (known.source === source) {
    take(known.nodes, true)
    return []
  }
  const takeRest: Text['take'] = (nodes, isComplete) => {
    const all = joined(known.nodes, nodes)
    // A text of one line is complete again at the next look if it is a cell that has ended.
    if (isComplete && pieces.length === 1) parsed.set(key, { source, lineCount: 1, nodes: all, nextCount: 2 })
    take(all, isComplete)
  }
  return [{ pieces: afterLines(pieces, known.lineCount), ending, take: takeRest }]
}

/** Maximum number of texts that are kept: more than an open row has. */
const PARSED_MAX = 128

const noLines: ParsedLines = { source: '', lineCount: 0, nodes: [], nextCount: 2 }

/** Parses the lines of a text that have ended since the last look. They are known from now on if nothing in them is open. */
function endedLines(
  pieces: readonly Piece[],
  source: string,
  before: ParsedLines = noLines,
  context: Context,
): ParsedLines {
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

function moved({ line, column, offset = 0 }: Point, length: number): Point {
  return { line, column: column + length, offset: offset + length }
}

type Placed = Pick<TableRow, 'position'>
