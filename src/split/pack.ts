/**
 * Packs blocks into few strings. A part that does not fit alone is split at its best split points. If a part between two of these
 * does not fit either, it is split at worse split points, and so on. Each string takes as many whole parts as fit.
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
  UNSPLIT_NODE,
  unspacedCuts,
} from './cuts.js'
import { type FlatText, flattenBlocks, indexAt, type Range, type Span, sliceFlat } from './flat-text.js'

export interface Packing {
  /** The maximum size of a string. */
  readonly limit: number
  /** Returns the size of blocks that are written together; 0 if they show nothing. */
  readonly sizeOf: (blocks: readonly Block[]) => number
  /** Whether a heading must not be last in a string, except in the last one. */
  readonly holdsHeadings: boolean
  /** Throws the error for a node that does not fit into a string. `parents` are its parents, from the block on. */
  readonly throwTooLong: (node: AnyNode, parents: readonly AnyNode[]) => never
}

interface PackingState extends Packing {
  readonly flat: FlatText
  /** The split points between blocks, lines, sentences and words, in order; the first and the last one are the ends. */
  readonly cuts: readonly Cut[]
  readonly end: number
  /** The size per code unit in the last measurement of the previous string. */
  density: number
}

/** Size of the blank line between two blocks. */
const BLANK_LINE_SIZE = 2

/** Returns the blocks of each string; one string for all blocks if they fit. */
export function pack(blocks: readonly Block[], packing: Packing): Block[][] {
  const limit = Math.floor(packing.limit)
  const sizeOfAll = packing.sizeOf(blocks)
  if (sizeOfAll <= limit) return sizeOfAll === 0 ? [] : [[...blocks]]
  const flat = flattenBlocks(blocks, {
    // A bare link is not cut, because a part of its text would not be its URL.
    isWhole: (node, parents) =>
      node.type === 'link' ? isBareLink(node) : sizeAlone(packing, { node, parents }) <= limit,
    textOf: () => UNSPLIT_NODE,
    between: '\n',
    bullet: '',
  })
  const cuts = cutsOf(flat, packing.holdsHeadings)
  const state: PackingState = { ...packing, limit, flat, cuts, end: cuts.at(-1)?.end ?? 0, density: 1 }
  const strings: Block[][] = []
  for (let start = cuts[0]?.start ?? 0; start < state.end; ) {
    const nextString = takeString(state, start)
    // A part that is only white space, because the markup around it is in another part, is omitted.
    if (packing.sizeOf(nextString.blocks) > 0) strings.push(nextString.blocks)
    start = nextString.next
  }
  return strings
}

/** Returns the size of several blocks, which blank lines separate. Blocks of size 0 are omitted. */
export function sizeOfBlocks(sizes: readonly number[]): number {
  let total = 0
  for (const size of sizes) if (size > 0) total += total > 0 ? size + BLANK_LINE_SIZE : size
  return total
}

/** Returns the blocks from `start` to `end`; a whole block is the node itself. */
function blocksIn(flat: FlatText, start: number, end: number): Block[] {
  const blocks: Block[] = []
  for (let index = indexAt(flat.blocks, start); index < flat.blocks.length; index += 1) {
    const block = flat.blocks[index]
    if (block === undefined || block.start >= end) break
    if (start <= block.start && block.end <= end) blocks.push(block.node)
    else blocks.push(...sliceFlat(flat, Math.max(start, block.start), Math.min(end, block.end)).children)
  }
  return blocks
}

function sizeAlone({ sizeOf }: Packing, { node, parents }: Pick<Span, 'node' | 'parents'>): number {
  const span = { node, parents, start: 0, end: 1, isWhole: true }
  return sizeOf(sliceFlat({ spans: [span] }, 0, 1).children)
}

/** Returns the blocks of the string that begins at `start`, and the start of the next string. */
function takeString(state: PackingState, start: number): { blocks: Block[]; next: number } {
  const { flat, end, limit } = state
  /** The blocks up to each end. They are reused, because most outputs remember the size of a block object. */
  const slices = new Map<number, Block[]>()
  const blocksTo = (end: number): Block[] => {
    const blocks = slices.get(end) ?? blocksIn(flat, start, end)
    slices.set(end, blocks)
    return blocks
  }
  const sizeOf = (end: number): number => state.sizeOf(blocksTo(end))
  // Each character has at most two code units and a size of at least 1, so a part of more than 2 * limit units cannot fit.
  const part: PartMeasure = { start, limit, sizeOf, fit: start, over: start + 2 * limit + 1, density: state.density }
  const cut = fits(part, end) ? { end, start: end, rank: BLOCK } : bestCut(state, part)
  state.density = part.density
  if (cut !== undefined) return { blocks: blocksTo(cut.end), next: cut.start }
  const { node, parents } = flat.spans[indexAt(flat.spans, start)] ?? {
    node: { type: 'root', children: [] },
    parents: [],
  }
  return state.throwTooLong(parents.find(({ type }) => type === 'link') ?? node, parents)
}

/**
 * Returns the best split point for the end of a string: the last one of the best rank that fits. If the part after it does not fit
 * alone, the split points in that part are used too, and so on.
 */
function bestCut(state: PackingState, measure: PartMeasure): Cut | undefined {
  let best: Cut | undefined
  let piece: Range = { start: measure.start, end: state.end }
  for (let rank = BLOCK; rank <= CODE_POINT; rank += 1) {
    const candidates = cutsIn(state, measure, piece, rank)
    let last = lastFittingIndex(measure, candidates)
    // Sizes are measured again, because a shorter part can be larger: forced formatting that ends at a split point is longer.
    while (last >= 0 && measure.sizeOf(candidates[last]?.end ?? 0) > measure.limit) last -= 1
    best = candidates[last] ?? best
    piece = { start: candidates[last]?.start ?? piece.start, end: candidates[last + 1]?.end ?? piece.end }
    if (best !== undefined && fitsAlone(state, piece)) break
  }
  return best
}

/** Returns the split points in a part that are at least as good as `rank`. Those that surely do not fit may be missing. */
function cutsIn({ flat, cuts, limit }: PackingState, measure: PartMeasure, piece: Range, rank: number): Cut[] {
  const end = Math.min(piece.end, measure.start + 4 * limit + 2)
  const range = { start: piece.start, end }
  if (rank === CODE_POINT) return codePointCuts(flat, range)
  if (rank === UNSPACED_WORD && !mayBeUnspaced(flat.text.slice(range.start, end))) return []
  if (rank === UNSPACED_WORD || rank === GRAPHEME || rank === HEADING_GRAPHEME) {
    const nearCuts = (rank === UNSPACED_WORD ? unspacedCuts : graphemeCuts)(flat, range, lastFittingEnd(measure))
    return rank === HEADING_GRAPHEME ? nearCuts : nearCuts.filter(({ end }) => !isAfterHeading(cuts, end))
  }
  const candidates: Cut[] = []
  for (let index = indexAt(cuts, piece.start); index < cuts.length; index += 1) {
    const cut = cuts[index]
    if (cut === undefined || cut.end >= end || (candidates.at(-1)?.end ?? 0) >= measure.over) break
    if (cut.rank <= rank) candidates.push(cut)
  }
  return candidates
}

/** Whether a string that ends at `end` would end with a heading, or with a part of it. */
function isAfterHeading(cuts: readonly Cut[], end: number): boolean {
  return cuts[firstIndex(cuts.length, (index) => (cuts[index]?.start ?? 0) >= end)]?.rank === HEADING
}

function fitsAlone({ flat, limit, sizeOf }: PackingState, { start, end }: Range): boolean {
  return end - start <= 2 * limit && sizeOf(blocksIn(flat, start, end)) <= limit
}

/** A part that begins at `start`, and the limit of its size. */
interface PartMeasure {
  readonly start: number
  readonly limit: number
  /** Returns the size of the part if it ends at `end`. */
  readonly sizeOf: (end: number) => number
  /** A part that ends at or before `fit` fits; one that ends at or after `over` does not fit. Ends between are not measured yet. */
  fit: number
  over: number
  /** The size per code unit in the last measurement. */
  density: number
}

/** Number of guesses before the binary search. Markup is spread evenly in most messages, so three guesses leave few ends. */
const GUESSES = 3

/** Returns the index of the last end that fits, -1 if none does. */
function lastFittingIndex(measure: PartMeasure, candidates: readonly Pick<Range, 'end'>[]): number {
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const end = measure.start + measure.limit / measure.density
    const next = firstIndex(candidates.length, (index) => (candidates[index]?.end ?? 0) > end)
    if (fits(measure, candidates[next - 1]?.end ?? 0)) fits(measure, candidates[next]?.end ?? 0)
  }
  return firstIndex(candidates.length, (index) => !fits(measure, candidates[index]?.end ?? 0)) - 1
}

function lastFittingEnd(measure: PartMeasure): number {
  return firstIndex(measure.over, (end) => !fits(measure, end)) - 1
}

/** Whether the part fits up to `end`. A longer part is usually larger, so most ends are not measured. */
function fits(measure: PartMeasure, end: number): boolean {
  if (measure.fit < end && end < measure.over) {
    const size = measure.sizeOf(end)
    measure.density = Math.max(size, 1) / (end - measure.start)
    if (size <= measure.limit) measure.fit = end
    else measure.over = end
  }
  return end <= measure.fit
}
