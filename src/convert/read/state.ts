/** The blocks of Markdown found so far; how they open and close. */
import type { FootnoteDefinition } from 'mdast'
import type { Point, Position } from '../../tree.js'
import type { ReadingRules } from '../options.js'
import { type Container, isEmpty } from './container.js'
import type { Entry, Leaf, TableLeaf, TextLeaf } from './leaf.js'
import type { Piece } from './line.js'

/** Something that has happened: a footnote has begun, a leaf or a container has ended. */
export type ClosedEvent =
  | { readonly type: 'footnote'; readonly node: FootnoteDefinition }
  | { readonly type: 'container'; readonly container: Container }
  | { readonly type: 'dropped'; readonly position: Position }
  | Leaf

/** An element of a model's output that is left out or quoted, up to its end tag. */
export interface OpenTag {
  readonly name: string
  readonly use: 'drop' | 'quote'
  readonly start: Point
  /** The end of the last line in it. */
  end: Point
}

/** The blocks found so far. */
export interface Structure {
  /** The blocks outside of all containers. */
  readonly entries: Entry[]
  /** The containers that are open, the outermost first. */
  readonly open: Container[]
  /** The leaf that is open, in the innermost of them. */
  leaf: Leaf | null
  /** The element around all of them. */
  tag: OpenTag | null
  /** Math blocks start only at this line or later: an earlier one did not end, and its lines are read as text. */
  mathFrom: number
  readonly rules: ReadingRules
  /** Events that are not processed yet. All leaves of a container come before its end. */
  readonly steps: ClosedEvent[]
  /** Whether a text consists only of definitions. Called when a line would turn the text into a heading. */
  readonly isDefinitions: (leaf: TextLeaf) => boolean
}

export function createStructure(rules: ReadingRules, isDefinitions: (leaf: TextLeaf) => boolean): Structure {
  return { entries: [], open: [], leaf: null, tag: null, mathFrom: 0, rules, steps: [], isDefinitions }
}

/** The limit for nested containers, many more than are shown. A deeper marker is text. */
export const DEPTH_MAX = 128

/** Returns the entries to which the next block is added. */
export function entriesOf({ open, entries }: Structure): Entry[] {
  return open.at(-1)?.entries ?? entries
}

/** Ends the innermost container if it is a list, because a list contains only items. */
export function closeList(structure: Structure): void {
  const { open } = structure
  if (open.at(-1)?.node.type === 'list') closeTo(structure, open.length - 1)
}

/** Ends the open leaf, and all containers except the first `depth`. */
export function closeTo(structure: Structure, depth: number): void {
  const { open, steps } = structure
  closeLeaf(structure)
  for (const container of open.splice(depth).reverse()) steps.push({ type: 'container', container })
}

export function closeLeaf(structure: Structure): void {
  const { leaf, steps } = structure
  structure.leaf = null
  if (leaf !== null) steps.push(leaf)
}

export function openLeaf(structure: Structure, leaf: Leaf): void {
  closeLeaf(structure)
  closeList(structure)
  entriesOf(structure).push(leaf)
  structure.leaf = leaf
}

/** Starts a paragraph or heading. */
export function openText(structure: Structure, kind: TextLeaf['kind'], pieces: Piece[]): void {
  closeList(structure)
  const parent = structure.open.at(-1)
  const item = kind === 'content' && parent?.node.type === 'listItem' && isEmpty(parent) ? parent.node : null
  const isPlain = structure.open.length >= DEPTH_MAX
  openLeaf(structure, { type: 'leaf', kind, pieces, item, ending: null, isPlain, nodes: [] })
}

/** Starts a table with its head and its delimiter row. */
export function openTable(structure: Structure, pieces: Piece[]): TableLeaf {
  const table: TableLeaf = { type: 'leaf', kind: 'table', pieces, ending: null, nodes: [] }
  openLeaf(structure, table)
  return table
}

/** Removes the open leaf, as if it had not started. */
export function dropLeaf(structure: Structure): void {
  entriesOf(structure).pop()
  structure.leaf = null
}
