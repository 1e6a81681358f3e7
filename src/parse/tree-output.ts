/** The tree of a parse (§5). */
import type {
  AnyNode,
  Block,
  ListItem,
  Paragraph,
  Phrasing,
  PhrasingWithoutBreak,
  PhrasingWithoutLink,
  Point,
  Position,
  Root,
  Text,
} from '../tree.js'
import type { Leaf } from './leaf.js'
import { LINE_SIZE } from './lines.js'
import type { Output, ParentType } from './output.js'

/** A point of a parsed tree always has an offset. */
interface Place extends Point {
  offset: number
}

// Numbers of an open parent: where its children begin on the pile, and its start's line, column and offset.
const PARENT_SIZE = 4
/** One stack serves every tree: a parse calls nobody back who could begin another. The deepest parent is the 12th. */
const parents: Int32Array = new Int32Array(16 * PARENT_SIZE)

/** Makes nodes bottom-up: what has no parent yet lies on a pile, and a parent takes its children off it. */
export class TreeOutput implements Output {
  private readonly hasPositions: boolean
  private readonly pile: AnyNode[] = []
  private pileEnd = 0
  private depth = 0
  private url = ''
  private lines: readonly number[] = []
  private linesEnd = 0
  /** The leaf's line that was asked for last, and where it starts: questions come in the order of the source. */
  private line = 0
  private lineStart = 0
  private lineNumber = 0

  constructor(hasPositions: boolean) {
    this.hasPositions = hasPositions
  }

  /** The root of what was read; its position ends at `end`. */
  root(end: Point): Root {
    const children = this.takeFrom(0) as Block[] // What has no parent is a block.
    if (!this.hasPositions) return { type: 'root', children }
    return { type: 'root', children, position: { start: { line: 1, column: 1, offset: 0 }, end } }
  }

  enter({ lines, linesEnd, lineNumber, start }: Leaf): void {
    this.lines = lines
    this.linesEnd = linesEnd
    this.line = 0
    this.lineStart = start
    this.lineNumber = lineNumber
  }

  open(_type: ParentType, start: number, url: string): void {
    this.startNode(start)
    if (url !== '') this.url = url
  }

  close(type: ParentType, end: number): void {
    this.depth -= 1
    const children = this.take()
    const position = this.hasPositions ? this.positionFrom(end) : null
    this.add(parentOf(type, children, position, this.url))
  }

  text(value: string, start: number, end: number): void {
    const node: AnyNode = this.hasPositions
      ? { type: 'text', value, position: this.positionOf(start, end) }
      : { type: 'text', value }
    this.add(node)
  }

  inlineCode(value: string, start: number, end: number): void {
    const node: AnyNode = this.hasPositions
      ? { type: 'inlineCode', value, position: this.positionOf(start, end) }
      : { type: 'inlineCode', value }
    this.add(node)
  }

  mention(userID: string, label: string | null, start: number, end: number): void {
    const node: AnyNode = this.hasPositions
      ? { type: 'mention', userID, label, position: this.positionOf(start, end) }
      : { type: 'mention', userID, label }
    this.add(node)
  }

  bareLink(url: string, start: number, end: number): void {
    this.open('link', start, url)
    this.text(url, start, end)
    this.close('link', end)
  }

  break(start: number): void {
    const node: AnyNode = this.hasPositions ? { type: 'break', position: this.lineEndingOf(start) } : { type: 'break' }
    this.add(node)
  }

  file(fileID: string, label: string | null, start: number, end: number): void {
    const node: AnyNode = this.hasPositions
      ? { type: 'file', fileID, label, position: this.positionOf(start, end) }
      : { type: 'file', fileID, label }
    this.add(node)
  }

  openCode(start: number): void {
    this.startNode(start)
  }

  code(lang: string | null, meta: string | null, value: string, end: number): void {
    this.depth -= 1
    const node: AnyNode = this.hasPositions
      ? { type: 'code', lang, meta, value, position: this.positionFrom(end) }
      : { type: 'code', lang, meta, value }
    this.add(node)
  }

  private startNode(start: number): void {
    const at = this.depth * PARENT_SIZE
    this.depth += 1
    parents[at] = this.pileEnd
    if (!this.hasPositions) return
    const { line, column, offset } = this.pointOf(start)
    parents[at + 1] = line
    parents[at + 2] = column
    parents[at + 3] = offset
  }

  /** Takes the children of the innermost open parent off the pile. */
  private take(): AnyNode[] {
    return this.takeFrom(parents[this.depth * PARENT_SIZE] ?? 0)
  }

  private takeFrom(base: number): AnyNode[] {
    const { pile } = this
    const count = this.pileEnd - base
    const first = pile[base]
    this.pileEnd = base
    // Most parents have one child, nearly all the others a few: `slice` takes several times as long.
    if (count === 1 && first !== undefined) return [first]
    const nodes = new Array<AnyNode>(count)
    for (let index = 0; index < count; index += 1) {
      const node = pile[base + index]
      if (node !== undefined) nodes[index] = node
    }
    return nodes
  }

  private add(node: AnyNode): void {
    this.pile[this.pileEnd] = node
    this.pileEnd += 1
  }

  private positionFrom(end: number): Position {
    const at = this.depth * PARENT_SIZE
    const start = { line: parents[at + 1] ?? 0, column: parents[at + 2] ?? 0, offset: parents[at + 3] ?? 0 }
    return { start, end: this.pointOf(end) }
  }

  private positionOf(start: number, end: number): Position {
    return { start: this.pointOf(start), end: this.pointOf(end) }
  }

  private pointOf(at: number): Place {
    const { lines } = this
    while (this.line + LINE_SIZE < this.linesEnd) {
      const next = this.lineStart + (lines[this.line + 2] ?? 0) - (lines[this.line + 1] ?? 0) + 1
      if (next > at) break
      this.line += LINE_SIZE
      this.lineStart = next
      this.lineNumber += 1
    }
    const { line } = this
    const offset = at - this.lineStart + (lines[line + 1] ?? 0)
    return { line: this.lineNumber, column: offset - (lines[line] ?? 0) + 1, offset }
  }

  /** The line ending that the leaf has at `at`. */
  private lineEndingOf(at: number): Position {
    const { line } = this.pointOf(at)
    const lineStart = this.lines[this.line] ?? 0
    const start = this.lines[this.line + 3] ?? 0
    return {
      start: { line, column: start - lineStart + 1, offset: start },
      end: { line: line + 1, column: 1, offset: this.lines[this.line + LINE_SIZE] ?? 0 },
    }
  }
}

/** The tree of a source that is the text of one paragraph and nothing else. */
export function plainRoot(value: string, hasPositions: boolean): Root {
  if (!hasPositions) return { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
  const text: Text = { type: 'text', value, position: positionOfLine(value) }
  const paragraph: Paragraph = { type: 'paragraph', children: [text], position: positionOfLine(value) }
  return { type: 'root', children: [paragraph], position: positionOfLine(value) }
}

/** Of a source that is one line. */
function positionOfLine({ length }: string): Position {
  return { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: length + 1, offset: length } }
}

/** A parent from its children, of which the parser gives each only those that §5 allows it. */
function parentOf(type: ParentType, nodes: AnyNode[], position: Position | null, url: string): AnyNode {
  switch (type) {
    case 'heading1':
    case 'heading2': {
      const depth = type === 'heading1' ? 1 : 2
      const children = nodes as PhrasingWithoutBreak[]
      return position === null ? { type: 'heading', depth, children } : { type: 'heading', depth, children, position }
    }
    case 'list': {
      const children = nodes as ListItem[]
      return position === null
        ? { type, ordered: false, spread: false, children }
        : { type, ordered: false, spread: false, children, position }
    }
    case 'listItem': {
      const children = nodes as [Paragraph]
      return position === null ? { type, spread: false, children } : { type, spread: false, children, position }
    }
    case 'link': {
      const children = nodes as PhrasingWithoutLink[]
      return position === null ? { type, url, title: null, children } : { type, url, title: null, children, position }
    }
    default: {
      const children = nodes as Phrasing[]
      const name = type === 'itemParagraph' ? 'paragraph' : type
      return position === null ? { type: name, children } : { type: name, children, position }
    }
  }
}
