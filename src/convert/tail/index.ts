/** A preview of the unfinished rest of Markdown: its tree as if all open constructs were closed. */
import type { Nodes } from 'mdast'
import type { Code, Root } from '../../index.js'
import { altOf, type Conversion, collectDefinitions } from '../conversion.js'
import { blocksOf } from '../from-mdast.js'
import { normalized } from '../normal.js'
import { isEmpty } from '../read/container.js'
import { copyStructure } from '../read/copy.js'
import { blocksIn, type Leaf, type VerbatimLeaf } from '../read/leaf.js'
import { isBlank, type Lines, lineOf, openCursor, passSpace, restOf, textOf } from '../read/line.js'
import { namesOver } from '../read/names.js'
import { type Reading, readRows, takeSteps } from '../read/reading.js'
import type { Structure } from '../read/state.js'
import { closeAll, openLine, readOpened } from '../read/structure.js'
import { passTags } from '../read/tagged.js'
import { infoOf } from '../read/texts.js'
import { HALF_LINK } from './complete.js'
import { endWell, isHalfFence, isHalfTyped } from './leaf.js'

/** The state of a stream that the preview needs. */
export interface Rest {
  readonly lines: Lines
  readonly structure: Structure
  readonly reading: Reading
  readonly conversion: Conversion
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
  const leaf = readHalfLine(copy, lines)
  dropEmpty(copy)
  closeAll(copy)
  const names = namesOver(reading.names)
  rest.known ??= knownFrom(conversion)
  const { known } = rest
  known.messages.length = 0
  const onDefined: Reading['onDefined'] = (node) => collectDefinitions(known, [node])
  takeSteps(copy.steps, { ...reading, names, budget: { ...reading.budget }, messages: [], late: new Set(), onDefined })
  // In a table, only the last row can contain a half-typed link.
  const nodes = leaf?.kind === 'table' ? leaf.nodes.flatMap(({ children }) => children.slice(-1)) : leaf?.nodes
  for (const node of nodes ?? []) dropHalfLinks(node)
  return { type: 'root', children: blocksOf(known, blocksIn(copy.entries)) }
}

/** Returns the code of an open fence outside of all containers, without reading its earlier lines again. */
function openFence(leaf: VerbatimLeaf, rest: Rest): Root {
  const { lines, conversion } = rest
  const { fence, info, indent, text } = leaf
  const empty: Code = { type: 'code', ...infoOf(fence, info), value: '' }
  const [code = empty] =
    rest.fence?.leaf === leaf ? [rest.fence.code] : normalized({ ...conversion, messages: [] }, empty)
  rest.fence = { leaf, code }
  const cursor = openCursor(lineOf({ ...lines, rest: lines.rest.replace(HALF_CHARACTER, '') }))
  const isHidden = isBlank(cursor) || isHalfFence(fence, textOf(cursor))
  passSpace(cursor, indent)
  const value = isHidden ? text : leaf.lines.length === 0 ? restOf(cursor).text : `${text}\n${restOf(cursor).text}`
  return { type: 'root', children: [{ ...code, value }] }
}

/** Reads the unfinished line, unless it is too short to tell its type. Returns the leaf in which the rest ends. */
function readHalfLine(structure: Structure, lines: Lines): Leaf | null {
  // Half a surrogate pair is hidden.
  const rest = lines.rest.replace(HALF_CHARACTER, '')
  if (rest.trim() === '') return endWell(structure, structure.leaf, null)
  const line = passTags(structure, lineOf({ ...lines, rest }))
  if (line === null) return endWell(structure, structure.leaf, null)
  const opened = openLine(structure, line)
  const text = textOf(opened.cursor)
  if (isHalfTyped(structure, opened, text)) return endWell(structure, structure.leaf, text)
  readOpened(structure, opened)
  const last = structure.steps.at(-1)
  const leaf = structure.leaf ?? (last?.type === 'leaf' ? last : null)
  return endWell(structure, leaf, '')
}

/** Removes open containers that are still empty. */
function dropEmpty({ open, entries, leaf }: Structure): void {
  if (leaf !== null) return
  for (let last = open.at(-1); last !== undefined && isEmpty(last); last = open.at(-1)) {
    open.pop()
    const siblings = open.at(-1)?.entries ?? entries
    siblings.pop()
  }
}

/** Replaces a link with a half-typed target by its content. */
function dropHalfLinks(node: Nodes): void {
  if (!('children' in node)) return
  // Every parent of a link can contain the link's content.
  const children: Nodes[] = node.children.flatMap((child): Nodes[] => {
    dropHalfLinks(child)
    if (child.type === 'link' && child.url === HALF_LINK) return child.children
    return child.type === 'image' && child.url === HALF_LINK ? [{ type: 'text', value: altOf(child) }] : [child]
  })
  node.children = children as typeof node.children
}

/** Returns a conversion with separate diagnostics and references: those of the rest count only when it has settled. */
function knownFrom(conversion: Conversion): Conversion {
  const { definitions, footnotes, numbers } = conversion
  const known = {
    definitions: new MapOver(definitions),
    footnotes: new MapOver(footnotes),
    numbers: new MapOver(numbers),
  }
  return { ...conversion, ...known, messages: [], used: new Set(), writtenDefinitions: new Set(), kept: new WeakMap() }
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
