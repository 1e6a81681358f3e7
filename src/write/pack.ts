/**
 * Packs blocks into as few strings as they fit into. A piece that does not fit alone is cut in its best places; what
 * stands between two of them and does not fit alone either is cut in worse ones, and so on. Each string takes as much as
 * it can: that is the least number of them, and the earlier ones are the fuller.
 */
import { isBlank } from '../characters.js'
import { type AnyNode, type Block, isBareLink, type Root } from '../tree.js'
import { BLOCK, CODE_POINT, type Cut, codePointCuts, cutsOf, GRAPHEME, graphemeCuts } from './cuts.js'
import type { Report } from './draft.js'
import { type Filling, fits, lastFit, lastFitAnywhere } from './fill.js'
import { lengthOf } from './limits.js'
import { indexAt, type Range, type Row, type Span, sliceRow, toRow } from './row.js'
import type { Pool } from './settle.js'
import { write } from './stringify.js'

export interface Packing {
  /** The code points of a string. */
  readonly limit: number
  /** No more strings are made than one above these. */
  readonly countMax: number
  /** Whether a heading must not be left last in a string that others follow. */
  readonly holdsHeadings: boolean
  /** Throws: this node, or what is in it, does not fit into a string. */
  readonly refuse: (node: AnyNode, block: AnyNode) => never
  /** What all strings may take together in search of how they are written. */
  readonly pool: Pool
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
  const whole = unitsOf(root) > 2 * limit ? null : writeSent(root, packing.pool)
  if (whole !== null && isShort(whole, limit)) return isBlank(whole) ? [] : [whole]
  const row = toRow(blocks, (node, parents) => {
    // A bare link is not cut: its text is its target.
    return node.type === 'link' ? isBareLink(node) : isShort(writeAlone({ node, parents }, packing.pool), limit)
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
    const filled = fill(cutting, start)
    // White space that lost its markers at a cut is all that some pieces hold.
    if (!isBlank(filled.text)) strings.push(filled.text)
    start = filled.cut.start
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
function writeSent(tree: Root, pool: Pool): string {
  return write(tree, () => {}, pool).replace(/[\0\uD800-\uDFFF]/gu, '\uFFFD')
}

/** Writes what stands from `start` to `end`: how blocks are written does not depend on their neighbours (§8). */
function writeRange(cutting: Cutting, start: number, end: number): string {
  const { row, pool } = cutting
  const texts: string[] = []
  for (let index = indexAt(row.blocks, start); index < row.blocks.length; index += 1) {
    const block = row.blocks[index]
    if (block === undefined || block.start >= end) break
    const isWhole = start <= block.start && block.end <= end
    const text = isWhole
      ? writeWhole(cutting, index)
      : writeSent(sliceRow(row, Math.max(start, block.start), Math.min(end, block.end)), pool)
    if (text !== '') texts.push(text)
  }
  return texts.join('\n\n')
}

/** Writes a block, once. */
function writeWhole({ blocks, written, pool }: Cutting, index: number): string {
  const known = written.get(index)
  if (known !== undefined) return known
  const text = writeSent({ type: 'root', children: blocks.slice(index, index + 1) }, pool)
  written.set(index, text)
  return text
}

function writeAlone({ node, parents }: Pick<Span, 'node' | 'parents'>, pool: Pool): string {
  const span = { node, parents, start: 0, end: 1, isWhole: true }
  return writeSent(sliceRow({ text: '', spans: [span], blocks: [] }, 0, 1), pool)
}

function isShort(text: string, limit: number): boolean {
  return text.length <= limit || lengthOf(text) <= limit
}

/** The string that begins at `start`, and the cut that it ends with. */
function fill(cutting: Cutting, start: number): { text: string; cut: Cut } {
  const { row, end } = cutting
  const texts = new Map<number, string>()
  const textUpTo = (place: number): string => {
    const text = texts.get(place) ?? writeRange(cutting, start, place)
    texts.set(place, text)
    return text
  }
  const sizeOf = (place: number): number => lengthOf(textUpTo(place))
  const filling = startFilling(cutting, start, sizeOf)
  const cut = fits(filling, end) ? { end, start: end, rank: BLOCK } : cutWithHeadings(cutting, filling)
  cutting.density = filling.density
  if (cut !== undefined) return { text: textUpTo(cut.end), cut }
  const { node, parents } = row.spans[indexAt(row.spans, start)] ?? {
    node: { type: 'root', children: [] },
    parents: [],
  }
  return cutting.refuse(parents.find(({ type }) => type === 'link') ?? node, parents[1] ?? node)
}

function startFilling({ limit, density }: Cutting, start: number, sizeOf: Filling['sizeOf']): Filling {
  // Every character of the row is written as well.
  return { start, room: limit, sizeOf, fit: start, over: start + 2 * limit + 1, density }
}

/** The best place where a string can end without a heading at its end, unless the next one would have to end with it. */
function cutWithHeadings(cutting: Cutting, filling: Filling): Cut | undefined {
  const cut = bestCut(cutting, filling, true)
  if (cut === undefined || !beginsHeading(cutting, cut.start)) return cut ?? bestCut(cutting, filling, false)
  const next = startFilling(cutting, cut.start, (end) => lengthOf(writeRange(cutting, cut.start, end)))
  const isHeldThere = !fits(next, cutting.end) && bestCut(cutting, next, true) === undefined
  return isHeldThere ? bestCut(cutting, filling, false) : cut
}

function beginsHeading({ row, holdsHeadings }: Cutting, start: number): boolean {
  return holdsHeadings && row.blocks[indexAt(row.blocks, start)]?.type === 'heading'
}

/**
 * The best place where a string can end: of the best cuts the last one up to which it fits; where the piece behind that
 * does not fit alone, of the cuts in that piece, and so on.
 */
function bestCut(cutting: Cutting, filling: Filling, isStrict: boolean): Cut | undefined {
  const found: Cut[] = []
  let piece: Range = { start: filling.start, end: cutting.end }
  for (let rank = BLOCK; rank <= CODE_POINT; rank += 1) {
    // What is only too long together with its heading is never cut.
    if (rank === CODE_POINT && fitsAlone(cutting, behindHeadings(cutting, piece))) break
    const places = placesIn(cutting, filling, piece, rank).filter(({ end }) => !isStrict || !isHeld(cutting, end))
    const last = lastFit(filling, places)
    // No more of them are looked at.
    found.push(...places.slice(0, last + 1).slice(-TRIES_MAX))
    piece = { start: places[last]?.start ?? piece.start, end: places[last + 1]?.end ?? piece.end }
    if (found.length > 0 && fitsAlone(cutting, piece)) break
  }
  return choose(cutting, filling, found)
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
function placesIn({ row, cuts, limit }: Cutting, filling: Filling, piece: Range, rank: number): Cut[] {
  const end = Math.min(piece.end, filling.start + 4 * limit + 2)
  if (rank === GRAPHEME) return graphemeCuts(row, { start: piece.start, end }, lastFitAnywhere(filling))
  if (rank === CODE_POINT) return codePointCuts(row, { start: piece.start, end })
  const places: Cut[] = []
  for (let index = indexAt(cuts, piece.start); index < cuts.length; index += 1) {
    const cut = cuts[index]
    if (cut === undefined || cut.end >= end || (places.at(-1)?.end ?? 0) >= filling.over) break
    if (cut.rank <= rank) places.push(cut)
  }
  return places
}

function fitsAlone(cutting: Cutting, { start, end }: Range): boolean {
  const { limit } = cutting
  return end - start <= 2 * limit && isShort(writeRange(cutting, start, end), limit)
}

/** How many cuts are looked at for one that loses no formatting. */
const TRIES_MAX = 8

/** The last cut behind which and before which all formatting can be written; where that is asked too much, the last one. */
function choose(cutting: Cutting, { start, room, sizeOf }: Filling, found: Cut[]): Cut | undefined {
  let last: Cut | undefined
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const cut = found.pop()
    if (cut === undefined) break
    if (sizeOf(cut.end) > room) continue
    if (isClean(cutting, start, cut)) return cut
    last ??= cut
  }
  return last
}

function isClean({ row, cuts, limit, end, pool }: Cutting, start: number, cut: Cut): boolean {
  const [before, behind] = [row.spans[indexAt(row.spans, cut.end - 1)], row.spans[indexAt(row.spans, cut.start)]]
  const shared = before?.parents.filter((parent) => behind?.parents.includes(parent)) ?? []
  if (!shared.some(({ type }) => formats.includes(type))) return true
  // One word or two tell whether what goes on behind the cut can begin there.
  const next = indexAt(cuts, cut.start)
  const ends = [cuts[next], cuts[next + 1]].map((word) => Math.min(word?.end ?? end, cut.start + limit))
  return ends.some((to) => isWritable(row, cut.start, to, pool)) && isWritable(row, start, cut.end, pool)
}

const formats: readonly AnyNode['type'][] = ['strong', 'emphasis', 'underline', 'delete', 'link']

function isWritable(row: Row, start: number, end: number, pool: Pool): boolean {
  let isSame = true
  const report: Report = (_, change) => {
    // Emphasis around strong looks the same as strong around emphasis.
    if (change !== 'order') isSame = false
  }
  write(sliceRow(row, start, end), report, pool)
  return isSame
}
