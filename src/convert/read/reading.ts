/** Turns closed leaves into mdast, in the order in which they close. A text can use its own definitions and those before it. */
import type {
  AlignType,
  Definition,
  FootnoteDefinition,
  ListItem,
  Paragraph,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
} from 'mdast'
import type { Position } from '../../tree.js'
import { nameOf } from '../conversion.js'
import { diagnosticOf } from '../rules.js'
import { finishContainer } from './container.js'
import type { Ending } from './endings.js'
import { positionOf, type TableLeaf, type TextLeaf, type VerbatimLeaf } from './leaf.js'
import { type Budget, isTooMuch } from './limits.js'
import { type Piece, pointAt } from './line.js'
import { BEFORE, type ParsedText, unknownText, withoutStart } from './open-text.js'
import { MARKUP, placed, simpleNodes, unreadParagraph } from './simple.js'
import type { ClosedEvent } from './state.js'
import { cellsOf, type RowCell } from './table-lines.js'
import { type Context, infoOf, mayDefine, parseTexts, partsOf, type Text } from './texts.js'

/** State while leaves are read. */
export interface Reading extends Context {
  readonly budget: Budget
  /** Definitions after a text that refers to them. */
  readonly late: Set<Definition | FootnoteDefinition>
  /** The open texts that the last looks at the tail have parsed, by their offsets; null if there are no looks. */
  readonly parsed: Map<number, ParsedText> | null
  /** Called for each definition: adds its name to the names. */
  readonly onDefined: (node: Definition | FootnoteDefinition) => void
}

/** Processes steps: parses the leaves, and finishes the containers. */
export function takeSteps(steps: readonly ClosedEvent[], reading: Reading): void {
  let texts: Text[] = []
  const flush = (): void => {
    parseTexts(texts, reading)
    texts = []
  }
  for (const step of steps) {
    if (step.type === 'footnote') {
      // The texts before the footnote cannot refer to it.
      if (reading.names.unresolved !== null) flush()
      define(step.node, reading)
    } else if (step.type === 'dropped') reading.diagnostics.push(diagnosticOf('tag', step.position))
    else if (step.type === 'leaf') {
      if (step.kind === 'table') texts.push(...textsOfTable(step, reading))
      else if ('lines' in step) step.nodes = [nodeOf(step, reading)]
      else {
        if (reading.names.unresolved !== null && mayDefine(step.pieces)) flush()
        const parts = partsOf(step.pieces)
        for (const [index, pieces] of parts.entries())
          texts.push(...textsOf(step, { pieces, ending: index < parts.length - 1 ? null : step.ending }, reading))
      }
    }
  }
  flush()
  for (const step of steps) if (step.type === 'container') finishContainer(step.container)
}

/** Returns the texts of a leaf that need the parser; none if the leaf's nodes are known without it. */
function textsOf(leaf: TextLeaf, part: Omit<Text, 'take'>, reading: Reading): Text[] {
  const { ending } = part
  const box = boxOf(leaf)
  const pieces = box === null ? part.pieces : withoutBox(part.pieces)
  const simple = leaf.kind === 'content' && !leaf.isPlain ? simpleNodes(pieces) : null
  if (simple !== null) takeNodes(leaf, simple, box, reading)
  else if (leaf.isPlain || isTooMuch(reading.budget, pieces)) {
    const paragraph = unreadParagraph(pieces)
    reading.diagnostics.push(diagnosticOf('block-limit', paragraph.position))
    takeNodes(leaf, [paragraph], box, reading)
  } else {
    const take = (nodes: readonly RootContent[]): void => takeNodes(leaf, nodes, box, reading)
    const text: Text = { pieces, ending, take }
    // The parts of a text, which may define names, are taken in order.
    const isWhole = leaf.kind === 'content' && pieces.length === leaf.pieces.length
    return isWhole && reading.parsed !== null ? unknownText(text, reading.parsed, reading) : [text]
  }
  return []
}

/** Adds a definition, which later texts can refer to. */
function define(node: Definition | FootnoteDefinition, { names, late, onDefined }: Reading): void {
  const [known, mark] = node.type === 'definition' ? [names.links, ''] : [names.footnotes, '^']
  const name = nameOf(node)
  if (!known.has(name) && names.unresolved?.has(mark + name)) late.add(node)
  onDefined(node)
}

function takeNodes(leaf: TextLeaf, nodes: readonly RootContent[], box: Box | null, reading: Reading): void {
  const [first, ...others] = nodes
  // A text with a box is a paragraph.
  const isTask = box !== null && first?.type === 'paragraph'
  leaf.nodes = [...leaf.nodes, ...(isTask ? [withoutStart(first, BOX.length + 1), ...others] : nodes)]
  for (const node of nodes) if (node.type === 'definition') define(node, reading)
  if (isTask) box.item.checked = box.isChecked
}

/** The task's box before the first text of an item. It belongs to the item. */
interface Box {
  readonly item: ListItem
  readonly isChecked: boolean
}

function boxOf({ kind, item, pieces: [first, ...others] }: TextLeaf): Box | null {
  const [box, mark] = /^\[([ \tXx])\](?=[ \t]|$)/.exec(first?.text ?? '') ?? []
  if (kind !== 'content' || item === null || box === undefined) return null
  const isAlone = others.length === 0 && !/[^ \t]/.test(first?.text.slice(box.length) ?? '')
  return isAlone ? null : { item, isChecked: mark === 'x' || mark === 'X' }
}

/** Replaces the box, so that the text after it is not at the beginning of a line. */
const BOX = 'box'

function withoutBox([first, ...others]: readonly Piece[]): readonly Piece[] {
  return first === undefined ? [] : [{ ...first, text: BOX + first.text.slice(BOX.length) }, ...others]
}

/** Rows that are parsed together. */
const ROWS = 32

/** Reads the new rows of a table if there are enough. */
export function readRows(leaf: TableLeaf, reading: Reading, least: number = ROWS): void {
  if (leaf.pieces.length - 2 >= least || leaf.nodes.length === 0) parseTexts(textsOfTable(leaf, reading), reading)
}

/** Adds the new rows to a table. Returns the cells that need the parser. */
function textsOfTable(leaf: TableLeaf, reading: Reading): Text[] {
  const [head, delimiters] = leaf.pieces
  if (head === undefined || delimiters === undefined) return []
  const [first = { type: 'table', align: alignOf(delimiters), children: [], ...placed([head, delimiters]) }] =
    leaf.nodes
  const rows = leaf.pieces.splice(2)
  const added = leaf.nodes.length === 0 ? [head, ...rows] : rows
  leaf.nodes = [first]
  return added.flatMap((piece) => {
    const isRead = !isTooMuch(reading.budget, [piece])
    if (!isRead) reading.diagnostics.push(diagnosticOf('block-limit', placed([piece]).position))
    const cells = cellsOf(piece.text)
    const row: TableRow = { type: 'tableRow', children: cells.map((cell) => cellNode(cell, piece)), ...placed([piece]) }
    first.children.push(row)
    if (piece !== head && first.position !== undefined && row.position !== undefined)
      first.position.end = row.position.end
    const ending = piece === (rows.at(-1) ?? head) ? leaf.ending : null
    return isRead ? row.children.flatMap((node, index) => textsOfCell(node, cells[index], piece, ending, reading)) : []
  })
}

function alignOf({ text }: Piece): AlignType[] {
  return cellsOf(text).map(({ text: cell }) => {
    const [isLeft, isRight] = [cell.startsWith(':'), cell.endsWith(':')]
    return isLeft ? (isRight ? 'center' : 'left') : isRight ? 'right' : null
  })
}

/** Returns a cell with its text as it was typed. */
function cellNode({ text, at, start, end }: RowCell, { line, shift }: Piece): TableCell {
  const positionFrom = (from: number, to: number): Position => ({
    start: pointAt(line, shift + from),
    end: pointAt(line, shift + to),
  })
  const position = positionFrom(at, at + text.length)
  const children: PhrasingContent[] = text === '' ? [] : [{ type: 'text', value: text, position }]
  return { type: 'tableCell', children, position: positionFrom(start, end) }
}

/** Returns the text of a cell if it needs the parser. */
function textsOfCell(
  node: TableCell,
  cell: RowCell | undefined,
  { text, line, shift }: Piece,
  ending: Ending | null,
  reading: Reading,
): Text[] {
  if (cell === undefined || !MARKUP.test(cell.text)) return []
  const piece: Piece = { text: BEFORE + cell.text, line, shift: shift + cell.at - BEFORE.length }
  const take: Text['take'] = ([paragraph]) => {
    if (paragraph?.type === 'paragraph') node.children = withoutStart(paragraph, BEFORE.length).children.map(withBars)
  }
  // A bar ends all cells but the last.
  const unread: Text = { pieces: [piece], ending: cell.end < text.length ? null : ending, take }
  return reading.parsed === null ? [unread] : unknownText(unread, reading.parsed, reading)
}

/** Returns a node of a cell. In code a bar is escaped, too. */
function withBars(node: PhrasingContent): PhrasingContent {
  if (node.type === 'inlineCode') return { ...node, value: node.value.replace(/\\\|/g, '|') }
  // The children are as before.
  return 'children' in node ? ({ ...node, children: node.children.map(withBars) } as PhrasingContent) : node
}

/** Returns a block whose lines stay as typed. */
function nodeOf({ kind, lines, start, end, fence, info }: VerbatimLeaf, { rules, diagnostics }: Reading): RootContent {
  const position = positionOf(start, end)
  if (kind === 'math' && rules.math === 'text') return verbatimParagraph(lines, position)
  if (kind === 'math') {
    diagnostics.push(diagnosticOf('math', position))
    return { type: 'code', lang: 'math', meta: null, value: formulaOf(lines), position }
  }
  if (kind === 'html') return { type: 'html', value: lines.join('\n'), position }
  if (kind === 'fence') return { type: 'code', ...infoOf(fence, info), value: lines.join('\n'), position }
  const last = lines.findLastIndex((line) => /[^ \t]/.test(line))
  return { type: 'code', lang: null, meta: null, value: lines.slice(0, last + 1).join('\n'), position }
}

/** Returns the formula between the delimiters of a math block. */
function formulaOf(lines: readonly string[]): string {
  const source = lines.join('\n').trim()
  const formula = source.slice(2).replace(/(?:\$\$|\\\])$/, '')
  return (formula.startsWith('\n') ? formula.slice(1) : formula.trimStart()).trimEnd()
}

/** Returns a paragraph that shows lines as they were typed. */
function verbatimParagraph(lines: readonly string[], position: Position): Paragraph {
  const children = lines.flatMap((value, index): PhrasingContent[] => {
    const line: PhrasingContent = { type: 'text', value: value.trim() }
    return index === 0 ? [line] : [{ type: 'break' }, line]
  })
  return { type: 'paragraph', children, position }
}
