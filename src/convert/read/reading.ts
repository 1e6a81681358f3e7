/** Turns closed leaves into mdast, in the order in which they close. A text can use its own definitions and those before it. */
import type { Definition, FootnoteDefinition, ListItem, Paragraph, PhrasingContent, RootContent, TableRow } from 'mdast'
import type { Position } from '../../tree.js'
import { messageOf } from '../rules.js'
import { finishContainer } from './container.js'
import { positionOf, type TableLeaf, type TextLeaf, type VerbatimLeaf } from './leaf.js'
import { type Budget, isTooMuch } from './limits.js'
import type { Piece } from './line.js'
import { placed, simpleNodes, unreadParagraph } from './simple.js'
import type { Step } from './state.js'
import { cellsOf } from './table-lines.js'
import { type Context, infoOf, mayDefine, parseTexts, partsOf, type Text } from './texts.js'

/** State while leaves are read. */
export interface Reading extends Context {
  readonly budget: Budget
  /** Definitions after a text that refers to them. */
  readonly late: Set<Definition | FootnoteDefinition>
  /** Texts that have been parsed, by their first lines. */
  readonly parsed: WeakMap<Piece, { readonly text: string; readonly nodes: RootContent[] }>
  /** Called for each definition. */
  readonly onDefined: (node: Definition | FootnoteDefinition) => void
}

/** Processes steps: parses the leaves, and finishes the containers. */
export function takeSteps(steps: readonly Step[], reading: Reading): void {
  let texts: Text[] = []
  const flush = (): void => {
    parseTexts(texts, reading)
    texts = []
  }
  for (const step of steps) {
    if (step.type === 'footnote') {
      // The texts before the footnote cannot refer to it.
      if (reading.names.awaited !== null) flush()
      define(step.node, reading)
    } else if (step.type === 'dropped') reading.messages.push(messageOf('tag', step.position))
    else if (step.type === 'leaf') {
      if (step.kind === 'table') texts.push(...textsOfTable(step, reading))
      else if ('lines' in step) step.nodes = [nodeOf(step, reading)]
      else {
        if (reading.names.awaited !== null && mayDefine(step.pieces)) flush()
        for (const pieces of partsOf(step.pieces)) texts.push(...textsOf(step, pieces, reading))
      }
    }
  }
  flush()
  for (const step of steps) if (step.type === 'container') finishContainer(step.container)
}

/** Returns the texts of a leaf that need the parser; none if the leaf's nodes are known without it. */
function textsOf(leaf: TextLeaf, given: readonly Piece[], reading: Reading): Text[] {
  const box = boxOf(leaf)
  const pieces = box === null ? given : withoutBox(given)
  const simple = leaf.kind === 'content' && !leaf.isPlain ? simpleNodes(pieces) : null
  if (simple !== null) takeNodes(leaf, simple, box, reading)
  else if (leaf.isPlain || isTooMuch(reading.budget, pieces)) {
    const paragraph = unreadParagraph(pieces)
    reading.messages.push(messageOf('block-limit', paragraph.position))
    takeNodes(leaf, [paragraph], box, reading)
  } else return parsedBefore(leaf, pieces, box, reading)
  return []
}

/** Uses the nodes of the same lines if an earlier preview of the tail has parsed them. Otherwise returns the text to be parsed. */
function parsedBefore(leaf: TextLeaf, pieces: readonly Piece[], box: Box | null, reading: Reading): Text[] {
  const [first] = pieces
  const text = pieces.map((piece) => piece.text).join('\n')
  const known = first === undefined ? undefined : reading.parsed.get(first)
  if (known?.text === text) takeNodes(leaf, known.nodes, box, reading)
  else {
    // A reference may be defined in between, a formula is a diagnostic, and the text of a task is changed.
    const isKept = first !== undefined && box === null && !/[[$\\]/.test(text)
    const take = (nodes: RootContent[]): void => {
      if (isKept) reading.parsed.set(first, { text, nodes })
      takeNodes(leaf, nodes, box, reading)
    }
    return [{ pieces, take }]
  }
  return []
}

/** Adds a definition, which later texts can refer to. */
function define(node: Definition | FootnoteDefinition, { names, late, onDefined }: Reading): void {
  onDefined(node)
  const [known, mark] = node.type === 'definition' ? [names.links, ''] : [names.footnotes, '^']
  const name = node.identifier.toUpperCase()
  if (!known.has(name) && names.awaited?.has(mark + name)) late.add(node)
  known.add(name)
}

function takeNodes(leaf: TextLeaf, nodes: RootContent[], box: Box | null, reading: Reading): void {
  leaf.nodes = [...leaf.nodes, ...nodes]
  for (const node of nodes) if (node.type === 'definition') define(node, reading)
  const [first] = nodes
  const [text] = first?.type === 'paragraph' ? first.children : []
  // A text with a box is a paragraph that begins with text.
  if (box === null || first?.type !== 'paragraph' || text?.type !== 'text') return
  box.item.checked = box.isChecked
  const length = BOX.length + 1
  text.value = text.value.slice(length)
  if (text.value === '') first.children.shift()
  for (const { position } of [first, text]) {
    if (position === undefined) continue
    const { line, column, offset = 0 } = position.start
    position.start = { line, column: column + length, offset: offset + length }
  }
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
  const count = leaf.pieces.length - 1 - leaf.readCount
  if (count >= least) parseTexts(textsOfTable(leaf, reading), reading)
}

/** Returns the rows of a table that are not read yet, in groups, each after a head. */
function textsOfTable(leaf: TableLeaf, reading: Reading): Text[] {
  const [head, delimiters, ...rows] = leaf.pieces
  if (head === undefined || delimiters === undefined) return []
  const texts: Text[] = []
  let group: Piece[] = []
  const blank = { ...head, text: `|${'x|'.repeat(cellsOf(delimiters.text).length)}` }
  const flush = (): void => {
    const given = group
    if (given.length > 0)
      texts.push({ pieces: [blank, delimiters, ...given], take: (nodes) => takeRows(leaf, nodes, given) })
    group = []
  }
  for (const row of leaf.readCount === 0 ? [head, ...rows] : rows.slice(leaf.readCount - 1)) {
    leaf.readCount += 1
    if (group.length === ROWS) flush()
    if (isTooMuch(reading.budget, [row])) {
      flush()
      reading.messages.push(messageOf('block-limit', placed([row]).position))
      texts.push({ pieces: [blank, delimiters], take: (nodes) => takeRows(leaf, nodes, [row]) })
    } else group.push(row)
  }
  flush()
  return texts
}

/** Adds rows to a table. A row that the parser did not read becomes the texts between its bars. */
function takeRows(leaf: TableLeaf, nodes: readonly RootContent[], rows: readonly Piece[]): void {
  const found = nodes.filter((node) => node.type === 'table')
  const read = found.flatMap(({ children }) => children.slice(1))
  const added = read.length === rows.length ? read : rows.map(unreadRow)
  const [table] = leaf.nodes
  if (table !== undefined) {
    table.children.push(...added)
    Object.assign(table, over(table, added.at(-1)))
    return
  }
  const delimiters = leaf.pieces[1]
  const last = added.length === 1 && delimiters !== undefined ? placed([delimiters]) : added.at(-1)
  leaf.nodes = [{ type: 'table', align: found[0]?.align, children: added, ...over(added[0], last) }]
}

/** Returns the position from the start of one node to the end of another, as a field of a node. */
function over(first: Placed | undefined, last: Placed | undefined): Placed {
  const [start, end] = [first?.position?.start, last?.position?.end]
  return start === undefined || end === undefined ? {} : { position: positionOf(start, end) }
}

type Placed = Pick<TableRow, 'position'>

function unreadRow(piece: Piece): TableRow {
  const cells = cellsOf(piece.text).map((text) => text.replace(/^[ \t]+/, '').trimEnd())
  return {
    type: 'tableRow',
    children: cells.map((value) => ({ type: 'tableCell', children: [{ type: 'text', value }] })),
    ...placed([piece]),
  }
}

/** Returns a block whose lines stay as typed. */
function nodeOf({ kind, lines, start, end, fence, info }: VerbatimLeaf, { rules, messages }: Reading): RootContent {
  const position = positionOf(start, end)
  if (kind === 'math' && rules.math === 'text') return verbatimParagraph(lines, position)
  if (kind === 'math') {
    messages.push(messageOf('math', position))
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
