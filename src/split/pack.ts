/**
 * Packs blocks into as few strings as they fit into. A piece that does not fit alone is cut in its best places; what
 * stands between two of them and does not fit alone either is cut in worse ones, and so on. Each string takes as much as
 * it can: that is the least number of them, and the earlier ones are the fuller.
 */
import { isBlank } from '../characters.js'
import { lengthOf } from '../check/limits.js'
import { type AnyNode, type Block, isBareLink, type Root } from '../tree.js'
import { write } from '../write/stringify.js'
import { BLOCK, CODE_POINT, type Cut, codePointCuts, cutsOf, GRAPHEME, graphemeCuts } from './cuts.js'
import { type Fitting, fits, lastFit, lastFitAnywhere } from './fitting.js'
import { indexAt, type Range, type Row, type Span, sliceRow, toRow } from './row.js'

export interface Packing {
  /** The code points of a string. */
  readonly limit: number
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
  /** The blocks that have been written whole, each by its index. */
  readonly written: Map<number, string>
  density: number
}

/** The strings; one for each group of blocks that fits into it, all of them together if they can. */
export function pack(blocks: readonly Block[], packing: Packing): string[] {
  const limit = Math.floor(packing.limit)
  const root: Root = { type: 'root', children: [...blocks] }
  const whole = unitsOf(root) > 2 * limit ? null : writeSent(root)
  if (whole !== null && isShort(whole, limit)) return isBlank(whole) ? [] : [whole]
  const row = toRow(blocks, (node, parents) => {
    // A bare link is not cut: its text is its target.
    return node.type === 'link' ? isBareLink(node) : isShort(writeAlone({ node, parents }), limit)
  })
  const cuts = cutsOf(row)
  const cutting: Cutting = {
    ...packing,
    limit,
    row,
    cuts,
    end: cuts.at(-1)?.end ?? 0,
    blocks,
    written: new Map(),
    density: DENSITY,
  }
  const strings: string[] = []
  for (let start = cuts[0]?.start ?? 0; start < cutting.end && strings.length <= packing.countMax; ) {
    const taken = takeString(cutting, start)
    // White space that lost its markers at a cut is all that some pieces hold.
    if (!isBlank(taken.text)) strings.push(taken.text)
    start = taken.cut.start
  }
  return strings
}

/** A first guess; one that is too high costs less than one that is too low. */
const DENSITY = 2

/** At least so many code units are written, and a character has at most two of them. */
function unitsOf(node: AnyNode): number {
  if ('children' in node) return node.children.reduce((sum, child) => sum + unitsOf(child), 0)
  return 'value' in node ? node.value.length : 1
}

/** Writes what is sent: the service refuses U+0000 and lone surrogates. */
function writeSent(tree: Root): string {
  return write(tree, () => {}).replace(/[\0\uD800-\uDFFF]/gu, '\uFFFD')
}

/** Writes what stands from `start` to `end`: how blocks are written does not depend on their neighbours (§8). */
function writeRange(cutting: Cutting, start: number, end: number): string {
  const { row } = cutting
  const texts: string[] = []
  for (let index = indexAt(row.blocks, start); index < row.blocks.length; index += 1) {
    const block = row.blocks[index]
    if (block === undefined || block.start >= end) break
    const isWhole = start <= block.start && block.end <= end
    const text = isWhole
      ? writeWhole(cutting, index)
      : writeSent(sliceRow(row, Math.max(start, block.start), Math.min(end, block.end)))
    if (text !== '') texts.push(text)
  }
  return texts.join('\n\n')
}

/** Writes a block, once. */
function writeWhole({ blocks, written }: Cutting, index: number): string {
  const known = written.get(index)
  if (known !== undefined) return known
  const text = writeSent({ type: 'root', children: blocks.slice(index, index + 1) })
  written.set(index, text)
  return text
}

function writeAlone({ node, parents }: Pick<Span, 'node' | 'parents'>): string {
  const span = { node, parents, start: 0, end: 1, isWhole: true }
  return writeSent(sliceRow({ spans: [span] }, 0, 1))
}

function isShort(text: string, limit: number): boolean {
  return text.length <= limit || lengthOf(text) <= limit
}

/** The string that begins at `start`, and the cut that it ends with. */
function takeString(cutting: Cutting, start: number): { text: string; cut: Cut } {
  const { row, end } = cutting
  const texts = new Map<number, string>()
  const textUpTo = (place: number): string => {
    const text = texts.get(place) ?? writeRange(cutting, start, place)
    texts.set(place, text)
    return text
  }
  const sizeOf = (place: number): number => lengthOf(textUpTo(place))
  const fitting = startFitting(cutting, start, sizeOf)
  const cut = fits(fitting, end) ? { end, start: end, rank: BLOCK } : cutWithHeadings(cutting, fitting)
  cutting.density = fitting.density
  if (cut !== undefined) return { text: textUpTo(cut.end), cut }
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
  const next = startFitting(cutting, cut.start, (end) => lengthOf(writeRange(cutting, cut.start, end)))
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
  return end - start <= 2 * limit && isShort(writeRange(cutting, start, end), limit)
}
