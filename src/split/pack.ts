/**
 * Packs blocks into as few strings as they fit into. A piece that does not fit alone is cut in its best places; what
 * stands between two of them and does not fit alone either is cut in worse ones, and so on. Each string takes as much as
 * it can: that is the least number of them, and the earlier ones are the fuller.
 */
import { type AnyNode, type Block, isBareLink } from '../tree.js'
import { BLOCK, CODE_POINT, type Cut, codePointCuts, cutsOf, GRAPHEME, graphemeCuts } from './cuts.js'
import { type Fitting, fits, lastFit, lastFitAnywhere } from './fitting.js'
import { indexAt, type Range, type Row, type Span, sliceRow, toRow } from './row.js'

export interface Packing {
  /** The size of a string. */
  readonly limit: number
  /** The size of a block as it is written, which does not depend on its neighbours (§8); 0 if it shows nothing. */
  readonly sizeOf: (block: Block) => number
  /** No more strings are made than one above these. */
  readonly countMax: number
  /** Whether a heading must not be left last in a string that others follow. */
  readonly holdsHeadings: boolean
  /** Throws: this node, or what is in it, does not fit into a string. */
  readonly refuse: (node: AnyNode, block: AnyNode) => never
}

interface Cutting extends Packing {
  readonly row: Row
  /** Between blocks, lines, sentences and words, in their order; the first and the last one are the ends of the row. */
  readonly cuts: readonly Cut[]
  readonly end: number
  readonly blocks: readonly Block[]
  /** The sizes of whole blocks, each by its index. */
  readonly sizes: Map<number, number>
  density: number
}

/** Size of the blank line between two blocks. */
const BETWEEN_BLOCKS = 2

/** The blocks of each string; one string for all of them together if they fit. */
export function pack(blocks: readonly Block[], packing: Packing): Block[][] {
  const limit = Math.floor(packing.limit)
  const sizeOfAll = unitsOf(blocks) > 2 * limit ? Infinity : sum(blocks.map(packing.sizeOf))
  if (sizeOfAll <= limit) return sizeOfAll === 0 ? [] : [[...blocks]]
  const row = toRow(blocks, (node, parents) => {
    // A bare link is not cut: its text is its target.
    return node.type === 'link' ? isBareLink(node) : sizeAlone(packing, { node, parents }) <= limit
  })
  const cuts = cutsOf(row)
  const cutting: Cutting = {
    ...packing,
    limit,
    row,
    cuts,
    end: cuts.at(-1)?.end ?? 0,
    blocks,
    sizes: new Map(),
    density: DENSITY,
  }
  const strings: Block[][] = []
  for (let start = cuts[0]?.start ?? 0; start < cutting.end && strings.length <= packing.countMax; ) {
    const cut = takeString(cutting, start)
    // White space that lost its markers at a cut is all that some pieces hold.
    if (sizeOfRange(cutting, start, cut.end) > 0) strings.push(blocksIn(cutting, start, cut.end))
    start = cut.start
  }
  return strings
}

/** A first guess; one that is too high costs less than one that is too low. */
const DENSITY = 2

/** At least so many code units are written, and a character has at most two of them. */
function unitsOf(nodes: readonly AnyNode[]): number {
  let units = 0
  for (const node of nodes) {
    if ('children' in node) units += unitsOf(node.children)
    else units += 'value' in node ? node.value.length : 1
  }
  return units
}

/** The size of several blocks, which a blank line separates. */
function sum(sizes: readonly number[]): number {
  let total = 0
  for (const size of sizes) if (size > 0) total += total > 0 ? size + BETWEEN_BLOCKS : size
  return total
}

/** The blocks that stand from `start` to `end`; a whole one is the node itself. */
function blocksIn({ row, blocks }: Cutting, start: number, end: number): Block[] {
  const inside: Block[] = []
  for (const [index, block] of rangesIn(row, start, end)) {
    const isWhole = start <= block.start && block.end <= end
    inside.push(...(isWhole ? blocks.slice(index, index + 1) : partOf(row, block, start, end)))
  }
  return inside
}

function partOf(row: Row, block: Range, start: number, end: number): Block[] {
  return sliceRow(row, Math.max(start, block.start), Math.min(end, block.end)).children
}

function* rangesIn({ blocks }: Row, start: number, end: number): Generator<readonly [index: number, block: Range]> {
  for (let index = indexAt(blocks, start); index < blocks.length; index += 1) {
    const block = blocks[index]
    if (block === undefined || block.start >= end) return
    yield [index, block]
  }
}

/** The size of what stands from `start` to `end`. */
function sizeOfRange(cutting: Cutting, start: number, end: number): number {
  const { row, sizeOf } = cutting
  const sizes: number[] = []
  for (const [index, block] of rangesIn(row, start, end)) {
    const isWhole = start <= block.start && block.end <= end
    sizes.push(isWhole ? sizeOfWhole(cutting, index) : sum(partOf(row, block, start, end).map(sizeOf)))
  }
  return sum(sizes)
}

/** The size of a block, asked for once. */
function sizeOfWhole({ blocks, sizes, sizeOf }: Cutting, index: number): number {
  const known = sizes.get(index)
  if (known !== undefined) return known
  const size = sum(blocks.slice(index, index + 1).map(sizeOf))
  sizes.set(index, size)
  return size
}

function sizeAlone({ sizeOf }: Packing, { node, parents }: Pick<Span, 'node' | 'parents'>): number {
  const span = { node, parents, start: 0, end: 1, isWhole: true }
  return sum(sliceRow({ spans: [span] }, 0, 1).children.map(sizeOf))
}

/** The cut that ends the string that begins at `start`. */
function takeString(cutting: Cutting, start: number): Cut {
  const { row, end } = cutting
  const sizes = new Map<number, number>()
  const fitting = startFitting(cutting, start, (place) => {
    const size = sizes.get(place) ?? sizeOfRange(cutting, start, place)
    sizes.set(place, size)
    return size
  })
  const cut = fits(fitting, end) ? { end, start: end, rank: BLOCK } : cutWithHeadings(cutting, fitting)
  cutting.density = fitting.density
  if (cut !== undefined) return cut
  const { node, parents } = row.spans[indexAt(row.spans, start)] ?? {
    node: { type: 'root', children: [] },
    parents: [],
  }
  return cutting.refuse(parents.find(({ type }) => type === 'link') ?? node, parents[0] ?? node)
}

function startFitting({ limit, density }: Cutting, start: number, sizeOf: Fitting['sizeOf']): Fitting {
  // Every character of the row is written as well.
  return { start, room: limit, sizeOf, fit: start, over: start + 2 * limit + 1, density }
}

/** The best place where a string can end without a heading at its end, unless the next one would have to end with it. */
function cutWithHeadings(cutting: Cutting, fitting: Fitting): Cut | undefined {
  const cut = bestCut(cutting, fitting, true)
  if (cut === undefined || !beginsHeading(cutting, cut.start)) return cut ?? bestCut(cutting, fitting, false)
  const next = startFitting(cutting, cut.start, (end) => sizeOfRange(cutting, cut.start, end))
  const isHeldThere = !fits(next, cutting.end) && bestCut(cutting, next, true) === undefined
  return isHeldThere ? bestCut(cutting, fitting, false) : cut
}

function beginsHeading({ row, holdsHeadings }: Cutting, start: number): boolean {
  return holdsHeadings && row.blocks[indexAt(row.blocks, start)]?.type === 'heading'
}

/**
 * The best place where a string can end: of the best cuts the last one up to which it fits; where the piece behind that
 * does not fit alone, of the cuts in that piece, and so on.
 */
function bestCut(cutting: Cutting, fitting: Fitting, isStrict: boolean): Cut | undefined {
  let best: Cut | undefined
  let piece: Range = { start: fitting.start, end: cutting.end }
  for (let rank = BLOCK; rank <= CODE_POINT; rank += 1) {
    // What is only too long together with its heading is never cut.
    if (rank === CODE_POINT && fitsAlone(cutting, behindHeadings(cutting, piece))) break
    const places = placesIn(cutting, fitting, piece, rank).filter(({ end }) => !isStrict || !isHeld(cutting, end))
    let last = lastFit(fitting, places)
    // Hard formatting that ends at a cut takes more than what goes on behind it.
    while (last >= 0 && fitting.sizeOf(places[last]?.end ?? 0) > fitting.room) last -= 1
    best = places[last] ?? best
    piece = { start: places[last]?.start ?? piece.start, end: places[last + 1]?.end ?? piece.end }
    if (best !== undefined && fitsAlone(cutting, piece)) break
  }
  return best
}

/** Whether a string that ends at `end` has a heading at its end that what is behind it belongs to. */
function isHeld({ row, holdsHeadings }: Cutting, end: number): boolean {
  if (!holdsHeadings) return false
  const index = indexAt(row.blocks, end - 1)
  // The line ending between two blocks is no beginning of the second one, nor is white space that it begins with.
  const isBegun = end > (row.blocks[index]?.begin ?? 0)
  return row.blocks[isBegun ? index : index - 1]?.type === 'heading'
}

function behindHeadings({ row }: Cutting, { start, end }: Range): Range {
  return { start: Math.max(start, row.blocks[indexAt(row.blocks, end - 1)]?.start ?? 0), end }
}

/** The cuts inside a piece that are no worse than `rank`; where a piece surely does not fit, its end may be missing. */
function placesIn({ row, cuts, limit }: Cutting, fitting: Fitting, piece: Range, rank: number): Cut[] {
  const end = Math.min(piece.end, fitting.start + 4 * limit + 2)
  if (rank === GRAPHEME) return graphemeCuts(row, { start: piece.start, end }, lastFitAnywhere(fitting))
  if (rank === CODE_POINT) return codePointCuts(row, { start: piece.start, end })
  const places: Cut[] = []
  for (let index = indexAt(cuts, piece.start); index < cuts.length; index += 1) {
    const cut = cuts[index]
    if (cut === undefined || cut.end >= end || (places.at(-1)?.end ?? 0) >= fitting.over) break
    if (cut.rank <= rank) places.push(cut)
  }
  return places
}

function fitsAlone(cutting: Cutting, { start, end }: Range): boolean {
  const { limit } = cutting
  return end - start <= 2 * limit && sizeOfRange(cutting, start, end) <= limit
}
