/** The blocks without child blocks: lines of the source, before their inline content is parsed. */
import type { ListItem, RootContent, Table } from 'mdast'
import type { Point, Position } from '../../tree.js'
import type { Cursor, Line, Piece } from './line.js'

/** Paragraphs, with the definitions before them, and headings: their text is read when they have ended. */
export interface TextLeaf {
  readonly type: 'leaf'
  /** A line below it may make a heading of a text. */
  kind: 'content' | 'heading'
  readonly pieces: Piece[]
  /** The item that it is the first block of. */
  readonly item: ListItem | null
  /** Whether the leaf is nested too deep to be parsed. */
  readonly isPlain: boolean
  /** The parsed nodes. */
  nodes: readonly RootContent[]
}

/** A table: its head, the row of delimiters, then all others, which are read as they come. */
export interface TableLeaf {
  readonly type: 'leaf'
  readonly kind: 'table'
  readonly pieces: Piece[]
  /** How many of its rows have been read, the head one of them. */
  readCount: number
  /** The table, when some of them have. */
  nodes: readonly Table[]
}

/** A block whose lines stay as typed. */
export interface VerbatimLeaf {
  readonly type: 'leaf'
  readonly kind: 'fence' | 'html' | 'code' | 'math'
  readonly start: Point
  readonly lines: string[]
  /** Of a fence: the lines as one string, which grows without being copied. */
  text: string
  end: Point
  /** For fenced code: the fence, its info string, and the columns before it. */
  readonly fence: string
  readonly info: string
  readonly indent: number
  /** Of HTML and math: what a line holds that ends it. */
  readonly ending: RegExp | null
  /** Of math: what is read again if its end does not come. */
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

/** The blocks of some entries whose leaves have been read. */
export function blocksIn(entries: readonly Entry[]): RootContent[] {
  return entries.flatMap((entry) => (entry.type === 'leaf' ? entry.nodes : [entry]))
}

export function positionOf(start: Point, end: Point): Position {
  return { start: { ...start }, end: { ...end } }
}
