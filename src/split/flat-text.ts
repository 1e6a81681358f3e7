/**
 * Turns blocks in normal form (§4) into one text with plain offsets, and a range of it back into a tree. The parents at a split point
 * are on both sides of it, so formatting, items and fences are closed before it and reopened after it.
 */
import { firstIndex } from '../search.js'
import type { AnyNode, Block, InlineCode, Link, Root } from '../tree.js'

export interface FlatText {
  /** Text and code unchanged, a line ending for each break and between items and blocks; see {@link WHOLE}. */
  text: string
  readonly spans: Span[]
  readonly blocks: (Range & { readonly node: Block })[]
  readonly lengthMax: number
}

/** From `start` up to, not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The range of a node without children, or of a link that is never cut. */
export interface Span extends Range {
  readonly node: AnyNode
  /** The parents, from the block on. */
  readonly parents: readonly Parent[]
  /** Whether the node is never cut. */
  readonly isWhole: boolean
}

type Parent = Extract<AnyNode, { children: unknown }>

/** Returns whether code or a link is never cut. */
export type IsWhole = (node: InlineCode | Link, parents: readonly Parent[]) => boolean

/**
 * A node that is never cut is this character, and the next one for each further character of its value: for Intl.Segmenter all of
 * it is one grapheme.
 */
export const WHOLE = '\uFFFC'
const EXTENSION = '\u0301'

/** Flattens blocks. It stops after the node that makes the text longer than `lengthMax`. */
export function flattenBlocks(blocks: readonly Block[], isWhole: IsWhole, lengthMax: number = Infinity): FlatText {
  const flat: FlatText = { text: '', spans: [], blocks: [], lengthMax }
  for (const block of blocks) {
    if (flat.text.length > lengthMax) break
    if (flat.blocks.length > 0) flat.text += '\n'
    const start = flat.text.length
    addNode(flat, block, [], isWhole)
    flat.blocks.push({ node: block, start, end: flat.text.length })
  }
  return flat
}

function addNode(flat: FlatText, node: AnyNode, parents: readonly Parent[], isWhole: IsWhole): void {
  if ('children' in node && !(node.type === 'link' && isWhole(node, parents))) {
    const inside = [...parents, node]
    for (const [index, child] of node.children.entries()) {
      if (flat.text.length > flat.lengthMax) return
      if (index > 0 && node.type === 'list') flat.text += '\n'
      addNode(flat, child, inside, isWhole)
    }
    return
  }
  const value = 'value' in node ? node.value : node.type === 'link' ? node.url : ''
  const isCut =
    value !== '' &&
    (node.type === 'text' || node.type === 'code' || (node.type === 'inlineCode' && !isWhole(node, parents)))
  const start = flat.text.length
  const end = start + Math.max(value.length, 1)
  flat.spans.push({ node, parents, start, end, isWhole: !isCut })
  if (node.type === 'break') flat.text += '\n'
  else flat.text += isCut ? value : WHOLE + EXTENSION.repeat(end - start - 1)
}

/** Returns the tree from `start` to `end`. Parents and cut nodes are new; other nodes are not copied. */
export function sliceFlat({ spans }: Pick<FlatText, 'spans'>, start: number, end: number): Root {
  const root: Root = { type: 'root', children: [] }
  /** The children of the open parents. */
  const open: AnyNode[][] = [root.children]
  let around: readonly Parent[] = []
  for (let index = indexAt(spans, start); index < spans.length; index += 1) {
    const span = spans[index]
    if (span === undefined || span.start >= end) break
    let depth = 0
    while (depth < around.length && span.parents[depth] === around[depth]) depth += 1
    open.length = depth + 1
    for (const parent of span.parents.slice(depth)) {
      const children: AnyNode[] = []
      // The part has children of the same kinds, so it is a valid node too.
      open[open.length - 1]?.push({ ...parent, children } as AnyNode)
      open.push(children)
    }
    around = span.parents
    open[open.length - 1]?.push(clip(span, start, end))
  }
  return root
}

function clip(span: Span, start: number, end: number): AnyNode {
  const { node, isWhole } = span
  if (isWhole || !('value' in node) || (start <= span.start && span.end <= end)) return node
  return { ...node, value: node.value.slice(Math.max(start - span.start, 0), end - span.start) }
}

/** Returns the index of the first range that ends after `at`. */
export function indexAt(places: readonly { readonly end: number }[], at: number): number {
  return firstIndex(places.length, (index) => (places[index]?.end ?? 0) > at)
}
