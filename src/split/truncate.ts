/** Previews of messages. */
import { lengthBefore } from '../characters.js'
import { describe } from '../errors.js'
import { firstIndex } from '../search.js'
import { blocksOf, type Source } from '../source.js'
import {
  type AnyNode,
  type Block,
  type File,
  isBareLink,
  type Paragraph,
  type Phrasing,
  type Root,
  type Text,
} from '../tree.js'
import { normalize } from '../write/normalize.js'
import { cutsOf, graphemeCuts, graphemesOf, unspacedCuts } from './cuts.js'
import { type FlatText, flattenBlocks, indexAt, sliceFlat } from './flat-text.js'

/** The length of a preview, and its end. */
export interface TruncateOptions {
  /**
   * The maximum number of graphemes of the plain text (`toText`), including the ellipsis. A named link counts only by its text,
   * without its URL.
   */
  length: number
  /** The end of a preview that is not the whole message (default `…`). */
  ellipsis?: string
  /** The maximum number of lines. With 1, all blocks become one paragraph without breaks, which `md` can insert into a line. */
  lines?: number
}

/**
 * Returns the start of a message as a tree: as much as fits, to the end of a word if one fits, with its formatting. A mention or a
 * file is complete or missing; a bare URL that is cut becomes text. If the whole message fits, it is returned. The time does not
 * depend on the length of the message, apart from parsing it.
 *
 * @param source - Markdown, a tree, or a post's blocks
 * @param options - the length, the ellipsis and the number of lines
 * @returns a tree that can be written; it is empty if the ellipsis does not fit
 * @throws {TypeError} if `source` is not a source, or an option is not valid
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * toText(truncate('**Build 7** of `blockmark` has failed', { length: 20 })) // => 'Build 7 of…'
 */
export function truncate(source: Source, options: TruncateOptions): Root {
  const { length, ellipsis = '…', lines = Infinity } = options ?? {}
  checkCount('length', length, 0)
  checkCount('lines', lines, 1)
  if (typeof ellipsis !== 'string') {
    throw new TypeError(`ellipsis: expected a string, received ${describe(ellipsis)}`)
  }
  const { blocks, isWhole } = startOf([...blocksOf(source)], length, lines)
  const flat = flatten(blocks)
  const size = createMeasure(flat)
  const end = endOfLines(flat.text, lines)
  if (isWhole && end === flat.text.length && size(end) <= length) return rootOf(blocks)
  const room = length - graphemeStarts(ellipsis).length
  const at = room < 0 ? 0 : lastEnd(flat, (place) => place <= end && size(place) <= room)
  const { tree } = normalize(withEllipsis(flat, at, ellipsis))
  return room >= 0 && sizeOf(tree.children) <= length ? tree : rootOf([])
}

function checkCount(name: string, count: number, least: number): void {
  if (typeof count === 'number' && count >= least) return
  throw new TypeError(`${name}: expected a number of ${least} or more, received ${describe(count)}`)
}

function rootOf(blocks: readonly Block[]): Root {
  return { type: 'root', children: [...blocks] }
}

/** Flattens blocks so that links and code can be cut; a mention or a file is one character. */
function flatten(blocks: readonly Block[], lengthMax = Infinity): FlatText {
  return flattenBlocks(blocks, () => false, lengthMax)
}

/** Code units that are read in addition to the length. If graphemes are longer than one unit, more of the message is read. */
const UNITS_MORE = 64

/** Returns the blocks at the start of a message that are longer than `length`, in normal form, or the whole message. */
function startOf(message: Block[], length: number, lines: number): { blocks: readonly Block[]; isWhole: boolean } {
  for (let units = length + UNITS_MORE; ; units *= 4) {
    const flat = flatten(message, units)
    const isWhole = flat.text.length <= units
    if (isWhole && lines !== 1 && createMeasure(flat)(flat.text.length) <= length) return { blocks: message, isWhole }
    // A bare link that is cut here would be a named one.
    const span = flat.spans[indexAt(flat.spans, units - 1)]
    const end = span?.parents.some(({ type }) => type === 'link') ? span.end : units
    const start = isWhole ? rootOf(message) : sliceFlat(flat, 0, end)
    const blocks = normalize(lines === 1 ? rootOf([inOneLine(start.children)]) : start).tree.children
    if (isWhole || sizeOf(blocks) > length) return { blocks, isWhole }
  }
}

/** Joins blocks to a paragraph without breaks. */
function inOneLine(blocks: readonly Block[]): Paragraph {
  const parts = blocks.flatMap((block): Phrasing[][] => {
    if (block.type === 'list') return block.children.map(({ children: [{ children }] }) => children)
    if (block.type === 'code') return [[{ type: 'inlineCode', value: block.value }]]
    if (block.type === 'file') return [[{ type: 'text', value: fileName(block) }]]
    return [block.children]
  })
  const children = parts.flatMap((part, index) => [...(index > 0 ? [SPACE] : []), ...part.map(withoutBreaks)])
  return { type: 'paragraph', children }
}

const SPACE: Text = { type: 'text', value: ' ' }

function withoutBreaks(node: Phrasing): Phrasing {
  if (node.type === 'break') return SPACE
  // The children have the same types, apart from breaks, which are not text.
  return 'children' in node ? ({ ...node, children: node.children.map(withoutBreaks) } as Phrasing) : node
}

function fileName({ label, fileID }: File): string {
  return `[file: ${label || fileID}]`
}

/** Returns the number of graphemes of the plain text, without the URLs of named links. */
function sizeOf(blocks: readonly Block[]): number {
  const flat = flatten(blocks)
  return createMeasure(flat)(flat.text.length)
}

/** Returns a function that counts the graphemes of the plain text up to an offset of the flat text. */
function createMeasure({ text, blocks, spans }: FlatText): (end: number) => number {
  const starts = ASCII.test(text) ? null : graphemeStarts(text)
  /** Offsets at which plain text has more characters, and the number of these characters so far. */
  const more: { end: number; count: number }[] = []
  const add = (end: number, count: number) => more.push({ end, count: count + (more.at(-1)?.count ?? 0) })
  let block = 1
  let item: AnyNode | undefined
  for (const { start, node, parents } of spans) {
    // A blank line is between two blocks, and a bullet before each item.
    for (; (blocks[block]?.start ?? Infinity) <= start; block += 1) add(start, 1)
    if (parents[1]?.type === 'listItem' && parents[1] !== item) add(start, 2)
    item = parents[1]
    if (node.type === 'mention') add(start, graphemeStarts(node.label || node.userID).length)
    if (node.type === 'file') add(start, graphemeStarts(fileName(node)).length - 1)
  }
  return (end) => {
    const graphemes = starts === null ? end : firstIndex(starts.length, (index) => (starts[index] ?? 0) >= end)
    return graphemes + (more[indexAt(more, end - 1) - 1]?.count ?? 0)
  }
}

/** Characters that are one grapheme each, and the one of a mention or a file. */
const ASCII = /^[\n -~\uFFFC]*$/
const WINDOW = 256

/** Returns the offsets at which the graphemes of a text start. The engine is slow, so it sees only what is not simple. */
function graphemeStarts(text: string): number[] {
  const all: number[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    if (isSimple(text, at) && (end === text.length || isSimple(text, end))) all.push(at)
    else {
      while (end < text.length && !(isSimple(text, end - 1) && isSimple(text, end))) end += 1
      addSegments(all, text.slice(at, end), at)
    }
    at = end
  }
  return all
}

/** Whether a character joins no other simple one: ASCII, Latin letters, and dashes, quotation marks and the ellipsis. */
function isSimple(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 0x300) return code === 10 || (code >= 0x20 && code !== 0x7f)
  return code === 0xfffc || (code >= 0x2010 && code <= 0x2027)
}

/** Adds the starts of the graphemes of a text, which begins at `offset`. */
function addSegments(all: number[], text: string, offset: number): void {
  // The engine needs more time for each grapheme if the text is longer.
  for (let start = 0, length = WINDOW; start < text.length; ) {
    // A window ends with a whole character.
    const end = start + length + lengthBefore(text, start + length + 1) - 1
    const starts = Array.from(graphemesOf(text.slice(start, end)), ({ index }) => index)
    // The last grapheme may continue after the window.
    const count = end >= text.length ? starts.length : starts.length - 1
    if (count > 0) {
      for (const index of starts.slice(0, count)) all.push(offset + start + index)
      start = end >= text.length ? text.length : start + (starts[count] ?? 0)
      length = WINDOW
    } else length *= 2
  }
}

/** Returns the end of the given number of lines. */
function endOfLines(text: string, lines: number): number {
  let end = -1
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1)
    if (end < 0) return text.length
  }
  return end
}

/** Returns the end of the preview: after a word, else inside the first word; 0 if nothing fits. */
function lastEnd(flat: FlatText, fits: (end: number) => boolean): number {
  const { length } = flat.text
  const cuts = cutsOf(flat, false).filter(({ end }) => end > 0)
  const cut = cuts[firstIndex(cuts.length, (index) => !fits(cuts[index]?.end ?? 0)) - 1]
  const at = firstIndex(length + 1, (end) => !fits(end)) - 1
  const start = cut?.start ?? 0
  const fitted = unspacedCuts(flat, { start, end: length }, at).findLast(({ end }) => end <= at) ?? cut
  if (fitted !== undefined) return fitted.end
  return graphemeCuts(flat, { start, end: Math.min(at + NEAR, length) }, at).findLast(({ end }) => fits(end))?.end ?? 0
}

/** The number of characters after an offset that decide whether a grapheme ends there. */
const NEAR = 32

/** Returns the message up to `end`, and the ellipsis after the last text, with the same formatting. */
function withEllipsis(flat: FlatText, end: number, ellipsis: string): Root {
  const root = sliceFlat(flat, 0, end)
  const index = indexAt(flat.spans, end - 1)
  const span = end > 0 ? flat.spans[index] : undefined
  const link = span?.parents.find(({ type }) => type === 'link')
  const isCut = link !== undefined && (end < (span?.end ?? 0) || flat.spans[index + 1]?.parents.includes(link))
  let siblings: AnyNode[] = root.children
  let last = siblings.at(-1)
  while (last !== undefined && 'children' in last && (last.type !== 'link' || isCut)) {
    // A part of a bare URL is not a URL.
    if (link?.type === 'link' && last.type === 'link' && isBareLink(link)) siblings.splice(-1, 1, ...last.children)
    else siblings = last.children
    last = siblings.at(-1)
  }
  // `normalize` merges adjacent texts.
  const text: AnyNode = { type: 'text', value: ellipsis }
  if (last?.type === 'code') siblings.splice(-1, 1, { ...last, value: last.value + ellipsis })
  else siblings.push(siblings === root.children ? { type: 'paragraph', children: [text] } : text)
  return root
}
