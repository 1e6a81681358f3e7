/** The blocks without child blocks: lines of the source, before their inline content is parsed. */
import type { ListItem, RootContent, Table } from 'mdast'
import type { Point, Position } from '../../tree.js'
import type { Ending } from './endings.js'
import type { Cursor, Line, Piece } from './line.js'

/** A paragraph, with the definitions before it, or a heading. Its text is parsed when it has ended. */
export interface TextLeaf {
  readonly type: 'leaf'
  /** A `content` leaf becomes a `heading` if a setext underline follows it. */
  kind: 'content' | 'heading'
  readonly pieces: Piece[]
  /** The item whose first block this is. */
  readonly item: ListItem | null
  /** Where the text breaks off; null if it is complete. */
  ending: Ending | null
  /** Whether the leaf is nested too deep to be parsed. */
  readonly isPlain: boolean
  /** The parsed nodes. */
  nodes: readonly RootContent[]
}

/** A table: its head, the delimiter row, then the rows that are not parsed yet. */
export interface TableLeaf {
  readonly type: 'leaf'
  readonly kind: 'table'
  readonly pieces: Piece[]
  /** Where its last row breaks off. */
  ending: Ending | null
  /** The table, after its head has been parsed. */
  nodes: readonly Table[]
}

/** A block whose lines stay as typed. */
export interface VerbatimLeaf {
  readonly type: 'leaf'
  readonly kind: 'fence' | 'html' | 'code' | 'math'
  readonly start: Point
  readonly lines: string[]
  /** For fenced code: the lines as one string, which grows without being copied. */
  text: string
  end: Point
  /** For fenced code: the fence, its info string, and the columns before it. */
  readonly fence: string
  readonly info: string
  readonly indent: number
  /** For HTML and math: the pattern of the line that ends it. */
  readonly ending: RegExp | null
  /** For math: the lines that are read again as text if its end does not come. */
  readonly again: Again | null
  nodes: readonly RootContent[]
}

/** The lines of a leaf, the first as a cursor after its containers. */
export interface Again {
  readonly cursor: Cursor
  readonly lines: Line[]
}

export type Leaf = TextLeaf | TableLeaf | VerbatimLeaf

/** The content of a container: blocks, and leaves in place of the blocks that they become. */
export type Entry = RootContent | Leaf

/** Returns the blocks of entries whose leaves have been read. */
export function blocksIn(entries: readonly Entry[]): RootContent[] {
  const blocks: RootContent[] = []
  for (const entry of entries) {
    if (entry.type === 'leaf') blocks.push(...entry.nodes)
    else blocks.push(entry)
  }
  return blocks
}

export function positionOf(start: Point, end: Point): Position {
  return { start: { ...start }, end: { ...end } }
}
