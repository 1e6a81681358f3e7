/** A preview of the unfinished rest of Markdown: its tree as if all open constructs were closed. */
import type { ListItem, RootContent } from 'mdast'
import type { Code, Root } from '../../index.js'
import { type Conversion, collectDefinitions } from '../conversion.js'
import { blocksOf } from '../from-mdast.js'
import { piecesOf } from '../html.js'
import { normalized } from '../normal.js'
import type { Container } from '../read/container.js'
import { blocksIn, type Entry, type Leaf, type VerbatimLeaf } from '../read/leaf.js'
import { isBlank, type Lines, lineOf, openCursor, passSpace, restOf, textOf } from '../read/line.js'
import { type Reading, readRows, takeSteps } from '../read/reading.js'
import type { Structure } from '../read/state.js'
import { closeAll, openLine, readOpened } from '../read/structure.js'
import { passTags } from '../read/tagged.js'
import { infoOf } from '../read/texts.js'
import { endWell, isHalfFence, isHalfTyped } from './leaf.js'

/** The state of a stream that the preview needs. */
export interface Rest {
  readonly lines: Lines
  readonly structure: Structure
  readonly reading: Reading
  readonly conversion: Conversion
  /** The conversion of the preview, until a block of it settles. */
  known: Conversion | null
  /** The fence that was open at the last preview, as an empty code node. */
  fence: { readonly leaf: VerbatimLeaf; readonly code: Code } | null
}

const HALF_CHARACTER = /[\uD800-\uDBFF]$/

/** Returns the tree of the rest. It works on a copy, so that the state of the stream does not change. */
export function readTail(rest: Rest): Root {
  const { lines, structure, reading, conversion } = rest
  if (structure.leaf?.kind === 'fence' && structure.open.length === 0) return openFence(structure.leaf, rest)
  if (structure.leaf?.kind === 'table') readRows(structure.leaf, reading, 1)
  const copy = copyStructure(structure)
  const hidden = readHalfLine(copy, lines)
  const last = copy.steps.at(-1)
  endWell(copy, copy.leaf ?? (hidden === '' && last?.type === 'leaf' ? last : null), hidden, lines.number)
  closeAll(copy)
  rest.known ??= knownFrom(conversion)
  const definitions = new MapOver(conversion.definitions)
  const footnotes = new MapOver(conversion.footnotes)
  const known: Conversion = { ...rest.known, diagnostics: [], definitions, footnotes }
  const names = { links: definitions, footnotes, unresolved: null }
  const onDefined: Reading['onDefined'] = (node) => collectDefinitions(known, [node])
  takeSteps(copy.steps, {
    ...reading,
    names,
    budget: { ...reading.budget },
    diagnostics: [],
    late: new Set(),
    onDefined,
  })
  return { type: 'root', children: blocksOf(known, shownIn(blocksIn(copy.entries))) }
}

/** Returns the code of an open fence outside of all containers, without reading its earlier lines again. */
function openFence(leaf: VerbatimLeaf, rest: Rest): Root {
  const { lines, conversion } = rest
  const { fence, info, indent, text } = leaf
  // `normalize` leaves a meta out.
  const empty = { type: 'code', ...infoOf(fence, info), value: '' } as Code
  const [code = empty] =
    rest.fence?.leaf === leaf ? [rest.fence.code] : normalized({ ...conversion, diagnostics: [] }, empty)
  rest.fence = { leaf, code }
  const cursor = openCursor(lineOf({ ...lines, rest: lines.rest.replace(HALF_CHARACTER, '') }))
  const isHidden = isBlank(cursor) || isHalfFence(fence, textOf(cursor))
  passSpace(cursor, indent)
  const value = isHidden ? text : leaf.lines.length === 0 ? restOf(cursor).text : `${text}\n${restOf(cursor).text}`
  return { type: 'root', children: [{ ...code, value }] }
}

/** Copies the open containers and the open leaf; both structures share the closed ones. */
function copyStructure(structure: Structure): Structure {
  const open = structure.open.map(copyContainer)
  const parent = open.at(-1)?.node
  const leaf = structure.leaf === null ? null : copyLeaf(structure.leaf, parent?.type === 'listItem' ? parent : null)
  const lists = [[...structure.entries], ...open.map(({ entries }) => entries)]
  const innermost: readonly (Entry | null)[] = [...open.map(({ node }) => node), leaf]
  // An open node is the last child of its parent.
  for (const [depth, entry] of innermost.entries()) if (entry !== null) lists[depth]?.splice(-1, 1, entry)
  return { ...structure, entries: lists[0] ?? [], open, leaf, steps: [], tag: structure.tag && { ...structure.tag } }
}

function copyContainer(container: Container): Container {
  const { node, entries } = container
  // The children are those of the node's type.
  const copy = { ...node, children: [...node.children] } as typeof node
  return { ...container, node: copy, entries: [...entries] }
}

function copyLeaf(leaf: Leaf, item: ListItem | null): Leaf {
  if ('lines' in leaf)
    return { ...leaf, lines: [...leaf.lines], again: leaf.again && { ...leaf.again, lines: [...leaf.again.lines] } }
  if (leaf.kind === 'table') {
    const nodes = leaf.nodes.map((table) => ({ ...table, children: [...table.children] }))
    return { ...leaf, pieces: [...leaf.pieces], nodes }
  }
  return { ...leaf, pieces: [...leaf.pieces], item: leaf.item === null ? null : item }
}

/** Reads the unfinished line. Returns the part of it that is hidden because its type is not known yet. */
function readHalfLine(structure: Structure, lines: Lines): string {
  // Half a surrogate pair is hidden.
  const rest = lines.rest.replace(HALF_CHARACTER, '')
  const line = rest.trim() === '' ? null : passTags(structure, lineOf({ ...lines, rest }))
  if (line === null) return ''
  const opened = openLine(structure, line)
  const text = textOf(opened.cursor)
  if (isHalfTyped(structure, opened, text)) return text
  readOpened(structure, opened)
  return ''
}

/** Returns blocks without a last one of which nothing is shown yet, also in containers. */
function shownIn(nodes: RootContent[]): RootContent[] {
  const last = nodes.at(-1)
  if (last === undefined) return nodes
  const children = 'children' in last ? (containers.has(last.type) ? shownIn(last.children) : last.children) : null
  const isShown = children === null ? last.type !== 'html' || showsSomething(last.value) : children.length > 0
  if (!isShown) return nodes.slice(0, -1)
  // The children are those of the node's type.
  return 'children' in last && children !== last.children
    ? [...nodes.slice(0, -1), { ...last, children } as RootContent]
    : nodes
}

/** Whether the HTML contains anything except tags and comments. */
function showsSomething(html: string): boolean {
  return piecesOf(html).some(({ type, value }) =>
    type === 'text' ? value.trim() !== '' : /^<(?:img|hr)\b/i.test(value),
  )
}

const containers: ReadonlySet<string> = new Set(['blockquote', 'list', 'listItem', 'footnoteDefinition'])

/** Returns a conversion with separate diagnostics and references: those of the rest count only when it has settled. */
function knownFrom(conversion: Conversion): Conversion {
  const numbers = new MapOver(conversion.numbers)
  return { ...conversion, numbers, used: new Set(), writtenDefinitions: new Set(), kept: new WeakMap() }
}

/** A map that adds its own entries to those of another map, without copying them. It does not support iteration. */
class MapOver<Value> extends Map<string, Value> {
  private readonly below: ReadonlyMap<string, Value>

  constructor(below: ReadonlyMap<string, Value>) {
    super()
    this.below = below
  }

  override has(key: string): boolean {
    return super.has(key) || this.below.has(key)
  }

  override get(key: string): Value | undefined {
    return super.get(key) ?? this.below.get(key)
  }

  override get size(): number {
    return super.size + this.below.size
  }
}
