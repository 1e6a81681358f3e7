/** The rest of Markdown that is still being written, as it would look if it ended well. */
import type { Nodes } from 'mdast'
import type { Root } from '../../index.js'
import { altOf, type Conversion, learn } from '../conversion.js'
import { blocksOf } from '../from-mdast.js'
import { copyStructure } from '../read/copy.js'
import { blocksIn, type Leaf } from '../read/leaf.js'
import { type Lines, lineOf, textOf } from '../read/line.js'
import { namesOver } from '../read/names.js'
import { type Reading, readRows, takeSteps } from '../read/reading.js'
import type { Structure } from '../read/state.js'
import { closeAll, openLine, readOpened } from '../read/structure.js'
import { passTags } from '../read/tagged.js'
import { HALF_LINK } from './complete.js'
import { endWell, isHalfTyped } from './leaf.js'

/** What has not settled, and what is known. */
export interface Rest {
  readonly lines: Lines
  readonly structure: Structure
  readonly reading: Reading
  readonly conversion: Conversion
}

/** The tree of the rest. It is read on a copy: nothing that is open changes. */
export function readTail({ lines, structure, reading, conversion }: Rest): Root {
  if (structure.leaf?.kind === 'table') readRows(structure.leaf, reading, 1)
  const copy = copyStructure(structure)
  const leaf = readHalfLine(copy, lines)
  dropEmpty(copy)
  closeAll(copy)
  const names = namesOver(reading.names)
  takeSteps(copy.steps, { ...reading, names, budget: { ...reading.budget }, messages: [], late: new Set() })
  for (const node of leaf?.nodes ?? []) dropHalfLinks(node)
  const nodes = blocksIn(copy.entries)
  const known = knownFrom(conversion)
  learn(known, nodes)
  return { type: 'root', children: blocksOf(known, nodes) }
}

/** Takes the line that has not ended, unless it is too short to be known; gives the leaf that the rest ends in. */
function readHalfLine(structure: Structure, lines: Lines): Leaf | null {
  // Half a character is none.
  const rest = lines.rest.replace(/[\uD800-\uDBFF]$/, '')
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

/** Nothing shows of a container in which there is nothing yet. */
function dropEmpty({ open, entries, leaf }: Structure): void {
  if (leaf !== null) return
  while (open.at(-1)?.entries.length === 0) {
    open.pop()
    const siblings = open.at(-1)?.entries ?? entries
    siblings.pop()
  }
}

/** What a link whose target is half typed holds stands for it. */
function dropHalfLinks(node: Nodes): void {
  if (!('children' in node)) return
  // What stands in a link can stand where it does.
  const children: Nodes[] = node.children.flatMap((child): Nodes[] => {
    dropHalfLinks(child)
    if (child.type === 'link' && child.url === HALF_LINK) return child.children
    return child.type === 'image' && child.url === HALF_LINK ? [{ type: 'text', value: altOf(child) }] : [child]
  })
  node.children = children as typeof node.children
}

/** What is said about the rest, and what it refers to, is said again when it has settled. */
function knownFrom(conversion: Conversion): Conversion {
  const { definitions, footnotes, numbers } = conversion
  const known = {
    definitions: new MapOver(definitions),
    footnotes: new MapOver(footnotes),
    numbers: new MapOver(numbers),
  }
  return { ...conversion, ...known, messages: [], used: new Set(), shown: new Set() }
}

/** All that another map knows, to which more can be added that only this one knows: nothing is copied. It is not walked. */
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
