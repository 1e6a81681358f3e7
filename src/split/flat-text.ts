/**
 * Turns blocks in normal form (§4) into one text with plain offsets, and a range of that text back into a tree. The parents at a
 * split point are in both trees, so formatting, items and fences are closed before it and reopened after it.
 */
import { firstIndex } from '../search.js'
import type { AnyNode, Block, InlineCode, Link, Root } from '../tree.js'

export interface FlatText {
  /** The text and code of the nodes, a line ending for each break, and the texts of `form` for other nodes and between blocks. */
  text: string
  readonly spans: Span[]
  /** The range of each block. */
  readonly blocks: (Range & { readonly node: Block })[]
  readonly lengthMax: number
  readonly form: Form
}

/** Defines how nodes appear in a flat text. */
export interface Form {
  /** Returns whether code or a link is never cut. */
  readonly isWhole: (node: InlineCode | Link, parents: readonly Parent[]) => boolean
  /** Returns the text of a node that is never cut. */
  readonly textOf: (node: AnyNode) => string
  /** The text between two blocks, and before an item. */
  readonly between: string
  readonly bullet: string
}

/** The characters from `start` up to, not including, `end`. */
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

/** Turns blocks into a flat text, up to the node that makes the text longer than `lengthMax`. */
export function flattenBlocks(blocks: readonly Block[], form: Form, lengthMax: number = Infinity): FlatText {
  const flat: FlatText = { text: '', spans: [], blocks: [], lengthMax, form }
  for (const block of blocks) {
    if (flat.text.length > lengthMax) break
    if (flat.blocks.length > 0) flat.text += form.between
    const start = flat.text.length
    addNode(flat, block, [])
    flat.blocks.push({ node: block, start, end: flat.text.length })
  }
  return flat
}

function addNode(flat: FlatText, node: AnyNode, parents: readonly Parent[]): void {
  const { isWhole, textOf, bullet } = flat.form
  if ('children' in node && !(node.type === 'link' && isWhole(node, parents))) {
    const innerParents = [...parents, node]
    for (const [index, child] of node.children.entries()) {
      if (flat.text.length > flat.lengthMax) return
      if (node.type === 'list') flat.text += index > 0 ? `\n${bullet}` : bullet
      addNode(flat, child, innerParents)
    }
    return
  }
  const isCut = 'value' in node && node.value !== '' && (node.type !== 'inlineCode' || !isWhole(node, parents))
  const text = isCut ? node.value : node.type === 'break' ? '\n' : textOf(node)
  const start = flat.text.length
  flat.spans.push({ node, parents, start, end: start + text.length, isWhole: !isCut })
  flat.text += text
}

/** Returns the tree from `start` to `end`. Parents and cut nodes are new; other nodes are not copied. */
export function sliceFlat({ spans }: Pick<FlatText, 'spans'>, start: number, end: number): Root {
  const root: Root = { type: 'root', children: [] }
  /** The children of the open parents. */
  const openChildren: AnyNode[][] = [root.children]
  let openParents: readonly Parent[] = []
  for (let index = indexAt(spans, start); index < spans.length; index += 1) {
    const span = spans[index]
    if (span === undefined || span.start >= end) break
    let depth = 0
    while (depth < openParents.length && span.parents[depth] === openParents[depth]) depth += 1
    openChildren.length = depth + 1
    for (const parent of span.parents.slice(depth)) {
      const children: AnyNode[] = []
      // The part has children of the same kinds, so it is a valid node too.
      openChildren[openChildren.length - 1]?.push({ ...parent, children } as AnyNode)
      openChildren.push(children)
    }
    openParents = span.parents
    openChildren[openChildren.length - 1]?.push(clip(span, start, end))
  }
  return root
}

function clip(span: Span, start: number, end: number): AnyNode {
  const { node, isWhole } = span
  if (isWhole || !('value' in node) || (start <= span.start && span.end <= end)) return node
  return { ...node, value: node.value.slice(Math.max(start - span.start, 0), end - span.start) }
}

/** Returns the index of the first range that ends after `at`. */
export function indexAt(ranges: readonly { readonly end: number }[], at: number): number {
  return firstIndex(ranges.length, (index) => (ranges[index]?.end ?? 0) > at)
}
