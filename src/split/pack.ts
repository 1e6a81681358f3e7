/**
 * Packs blocks into as few strings as possible. A part that does not fit alone is split at its best split points. If a part between
 * two of them does not fit either, it is split at worse ones, and so on. Each string takes as much as fits, which makes the fewest
 * strings.
 */
import { firstIndex } from '../search.js'
import { type AnyNode, type Block, isBareLink } from '../tree.js'
import {
  BLOCK,
  CODE_POINT,
  type Cut,
  codePointCuts,
  cutsOf,
  GRAPHEME,
  graphemeCuts,
  HEADING,
  HEADING_GRAPHEME,
  mayBeUnspaced,
  UNSPACED_WORD,
  unspacedCuts,
  WHOLE,
} from './cuts.js'
import { type FlatText, flattenBlocks, indexAt, type Range, type Span, sliceFlat } from './flat-text.js'

export interface Packing {
  /** The size of a string. */
  readonly limit: number
  /** The size of blocks as they are written together; 0 if they show nothing. */
  readonly sizeOf: (blocks: readonly Block[]) => number
  /** Whether a heading must not be last in a string, except in the last one. */
  readonly holdsHeadings: boolean
  /** Throws, because this node or its content does not fit into a string; the parents are from the block on. */
  readonly throwTooLong: (node: AnyNode, parents: readonly AnyNode[]) => never
}

interface Cutting extends Packing {
  readonly flat: FlatText
  /** The split points between blocks, lines, sentences and words, in order; the first and the last one are the ends. */
  readonly cuts: readonly Cut[]
  readonly end: number
  /** The size per code unit at the last measurement of the string before. */
  density: number
}

/** Size of the blank line between two blocks. */
const BETWEEN_BLOCKS = 2

/** Returns the blocks of each string; one string for all blocks if they fit. */
export function pack(blocks: readonly Block[], packing: Packing): Block[][] {
  const limit = Math.floor(packing.limit)
  const sizeOfAll = packing.sizeOf(blocks)
  if (sizeOfAll <= limit) return sizeOfAll === 0 ? [] : [[...blocks]]
  const flat = flattenBlocks(blocks, {
    // A bare link is not cut: its text is its URL.
    isWhole: (node, parents) =>
      node.type === 'link' ? isBareLink(node) : sizeAlone(packing, { node, parents }) <= limit,
    textOf: () => WHOLE,
    between: '\n',
    bullet: '',
  })
  const cuts = cutsOf(flat, packing.holdsHeadings)
  const cutting: Cutting = { ...packing, limit, flat, cuts, end: cuts.at(-1)?.end ?? 0, density: 1 }
  const strings: Block[][] = []
  for (let start = cuts[0]?.start ?? 0; start < cutting.end; ) {
    const taken = takeString(cutting, start)
    // A part can be only white space if the markup around it is in another part.
    if (packing.sizeOf(taken.blocks) > 0) strings.push(taken.blocks)
    start = taken.next
  }
  return strings
}

/** Returns the size of several blocks, which a blank line separates; a block with the size 0 is left out. */
export function sizeOfBlocks(sizes: readonly number[]): number {
  let total = 0
  for (const size of sizes) if (size > 0) total += total > 0 ? size + BETWEEN_BLOCKS : size
  return total
}

/** Returns the blocks from `start` to `end`; a whole block is the node itself. */
function blocksIn(flat: FlatText, start: number, end: number): Block[] {
  const inside: Block[] = []
  for (let index = indexAt(flat.blocks, start); index < flat.blocks.length; index += 1) {
    const block = flat.blocks[index]
    if (block === undefined || block.start >= end) break
    if (start <= block.start && block.end <= end) inside.push(block.node)
    else inside.push(...sliceFlat(flat, Math.max(start, block.start), Math.min(end, block.end)).children)
  }
  return inside
}

function sizeAlone({ sizeOf }: Packing, { node, parents }: Pick<Span, 'node' | 'parents'>): number {
  const span = { node, parents, start: 0, end: 1, isWhole: true }
  return sizeOf(sliceFlat({ spans: [span] }, 0, 1).children)
}

/** Returns the blocks of the string that begins at `start`, and the start of the next string. */
function takeString(cutting: Cutting, start: number): { blocks: Block[]; next: number } {
  const { flat, end, limit } = cutting
  /** The same blocks for the same end: most outputs write a block once, and then know its size. */
  const slices = new Map<number, Block[]>()
  const blocksTo = (end: number): Block[] => {
    const blocks = slices.get(end) ?? blocksIn(flat, start, end)
    slices.set(end, blocks)
    return blocks
  }
  const sizeOf = (end: number): number => cutting.sizeOf(blocksTo(end))
  // Each character has at most two code units and a size of at least 1, so a part of more than 2 * limit units cannot fit.
  const fitting: Fitting = { start, limit, sizeOf, fit: start, over: start + 2 * limit + 1, density: cutting.density }
  const cut = fits(fitting, end) ? { end, start: end, rank: BLOCK } : bestCut(cutting, fitting)
  cutting.density = fitting.density
  if (cut !== undefined) return { blocks: blocksTo(cut.end), next: cut.start }
  const { node, parents } = flat.spans[indexAt(flat.spans, start)] ?? {
    node: { type: 'root', children: [] },
    parents: [],
  }
  return cutting.throwTooLong(parents.find(({ type }) => type === 'link') ?? node, parents)
}

/**
 * Returns the best split point for the end of a string: the last one of the best rank that fits. If the part after it does not fit
 * alone, the split points in that part are used too, and so on.
 */
function bestCut(cutting: Cutting, fitting: Fitting): Cut | undefined {
  let best: Cut | undefined
  let piece: Range = { start: fitting.start, end: cutting.end }
  for (let rank = BLOCK; rank <= CODE_POINT; rank += 1) {
    const places = cutsIn(cutting, fitting, piece, rank)
    let last = lastFit(fitting, places)
    // A shorter part can be larger: forced formatting that ends at a split point is longer than formatting that continues.
    while (last >= 0 && fitting.sizeOf(places[last]?.end ?? 0) > fitting.limit) last -= 1
    best = places[last] ?? best
    piece = { start: places[last]?.start ?? piece.start, end: places[last + 1]?.end ?? piece.end }
    if (best !== undefined && fitsAlone(cutting, piece)) break
  }
  return best
}

/** Returns the split points in a part that are at least as good as `rank`. Those that surely do not fit may be missing. */
function cutsIn({ flat, cuts, limit }: Cutting, fitting: Fitting, piece: Range, rank: number): Cut[] {
  const end = Math.min(piece.end, fitting.start + 4 * limit + 2)
  const range = { start: piece.start, end }
  if (rank === CODE_POINT) return codePointCuts(flat, range)
  if (rank === UNSPACED_WORD && !mayBeUnspaced(flat.text.slice(range.start, end))) return []
  if (rank === UNSPACED_WORD || rank === GRAPHEME || rank === HEADING_GRAPHEME) {
    const found = (rank === UNSPACED_WORD ? unspacedCuts : graphemeCuts)(flat, range, lastFitAnywhere(fitting))
    return rank === HEADING_GRAPHEME ? found : found.filter(({ end }) => !isHeld(cuts, end))
  }
  const places: Cut[] = []
  for (let index = indexAt(cuts, piece.start); index < cuts.length; index += 1) {
    const cut = cuts[index]
    if (cut === undefined || cut.end >= end || (places.at(-1)?.end ?? 0) >= fitting.over) break
    if (cut.rank <= rank) places.push(cut)
  }
  return places
}

/** Whether a string that ends at `end` would end with a heading, or with a part of it. */
function isHeld(cuts: readonly Cut[], end: number): boolean {
  return cuts[firstIndex(cuts.length, (index) => (cuts[index]?.start ?? 0) >= end)]?.rank === HEADING
}

function fitsAlone({ flat, limit, sizeOf }: Cutting, { start, end }: Range): boolean {
  return end - start <= 2 * limit && sizeOf(blocksIn(flat, start, end)) <= limit
}

/** A part that begins at `start`, and the limit of its size. */
interface Fitting {
  readonly start: number
  readonly limit: number
  /** Returns the size of the part if it ends at `end`. */
  readonly sizeOf: (end: number) => number
  /** The part fits if it ends at `fit` or before, and does not if it ends at `over` or after. Ends between are not measured yet. */
  fit: number
  over: number
  /** The size per code unit at the last measurement. */
  density: number
}

/** In most messages the markup is spread evenly, so that a few guesses leave few ends to measure. */
const GUESSES = 3

/** Returns the index of the last end that fits, -1 if none does. */
function lastFit(fitting: Fitting, places: readonly Pick<Range, 'end'>[]): number {
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const end = fitting.start + fitting.limit / fitting.density
    const next = firstIndex(places.length, (index) => (places[index]?.end ?? 0) > end)
    if (fits(fitting, places[next - 1]?.end ?? 0)) fits(fitting, places[next]?.end ?? 0)
  }
  return firstIndex(places.length, (index) => !fits(fitting, places[index]?.end ?? 0)) - 1
}

/** Returns the last offset that fits. */
function lastFitAnywhere(fitting: Fitting): number {
  return firstIndex(fitting.over, (end) => !fits(fitting, end)) - 1
}

/** Whether the part fits up to `end`. A longer part is larger, so most ends need no measurement. */
function fits(fitting: Fitting, end: number): boolean {
  if (fitting.fit < end && end < fitting.over) {
    const size = fitting.sizeOf(end)
    fitting.density = Math.max(size, 1) / (end - fitting.start)
    if (size <= fitting.limit) fitting.fit = end
    else fitting.over = end
  }
  return end <= fitting.fit
}
