/** Shortens messages to previews. */
import { checkCount } from '../check/limits.js'
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
  withoutBreaks,
} from '../tree.js'
import { normalize } from '../write/normalize.js'
import { cutsOf, graphemeCuts, graphemesOf, unspacedCuts } from './cuts.js'
import { type FlatText, flattenBlocks, indexAt, sliceFlat } from './flat-text.js'

/** The maximum length of a preview, and the end of a shortened preview. */
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
 * Returns the start of a message as a tree with its formatting, or the whole message if it fits. A preview ends after the last
 * word that fits, or inside the first word. A mention or a file is complete or missing; a bare URL that is cut becomes text. Apart
 * from parsing, the time does not depend on the length of the message.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - the length, the ellipsis and the number of lines
 * @returns a tree that can be written; it is empty if the ellipsis does not fit
 * @throws {TypeError} if `source` is not a string, a tree or an array of both, or an option is not valid
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
  const { blocks, isWhole } = messageStart([...blocksOf(source)], length, lines)
  const flat = flatten(blocks)
  const sizeUpTo = createMeasure(flat)
  const end = endOfLines(flat.text, lines)
  if (isWhole && end === flat.text.length && sizeUpTo(end) <= length) return rootOf(blocks)
  const lengthLeft = length - graphemeStarts(ellipsis).length
  const at = lengthLeft < 0 ? 0 : lastEnd(flat, (offset) => offset <= end && sizeUpTo(offset) <= lengthLeft)
  const { tree } = normalize(withEllipsis(flat, at, ellipsis))
  return lengthLeft >= 0 && sizeOf(tree.children) <= length ? tree : rootOf([])
}

function rootOf(blocks: readonly Block[]): Root {
  return { type: 'root', children: [...blocks] }
}

/** Flattens blocks to their plain text (§7), without the URLs of named links. A mention or a file is never cut. */
function flatten(blocks: readonly Block[], lengthMax = Infinity): FlatText {
  return flattenBlocks(blocks, { isWhole: () => false, textOf: shownText, between: '\n\n', bullet: '• ' }, lengthMax)
}

function shownText(node: AnyNode): string {
  if (node.type === 'mention') return `@${node.label || node.userID}`
  return node.type === 'file' ? fileName(node) : ''
}

/** The number of code units that are first read beyond `length`. If graphemes are longer than one unit, more are read. */
const EXTRA_UNITS = 64

/** Returns the start of a message, in normal form, with a text longer than `length`; or the whole message if that is shorter. */
function messageStart(message: Block[], length: number, lines: number): { blocks: readonly Block[]; isWhole: boolean } {
  for (let units = length + EXTRA_UNITS; ; units *= 4) {
    const flat = flatten(message, units)
    const isWhole = flat.text.length <= units
    if (isWhole && lines !== 1 && createMeasure(flat)(flat.text.length) <= length) return { blocks: message, isWhole }
    // Links are not cut here, because a bare link would become a named link.
    const span = flat.spans[indexAt(flat.spans, units - 1)]
    const end = span?.parents.some(({ type }) => type === 'link') ? span.end : units
    const start = isWhole ? rootOf(message) : sliceFlat(flat, 0, end)
    const blocks = normalize(lines === 1 ? rootOf([toOneParagraph(start.children)]) : start).tree.children
    if (isWhole || sizeOf(blocks) > length) return { blocks, isWhole }
  }
}

/** Joins blocks into a paragraph without breaks. */
function toOneParagraph(blocks: readonly Block[]): Paragraph {
  const contents = blocks.flatMap((block): Phrasing[][] => {
    if (block.type === 'list') return block.children.map(({ children: [{ children }] }) => children)
    if (block.type === 'code') return [[{ type: 'inlineCode', value: block.value }]]
    if (block.type === 'file') return [[{ type: 'text', value: fileName(block) }]]
    return [block.children]
  })
  const children = contents.flatMap((part, index) => [...(index > 0 ? [SPACE] : []), ...part.map(withoutBreaks)])
  return { type: 'paragraph', children }
}

const SPACE: Text = { type: 'text', value: ' ' }

function fileName({ label, fileID }: File): string {
  return `[file: ${label || fileID}]`
}

/** Returns the number of graphemes of the plain text, without the URLs of named links. */
function sizeOf(blocks: readonly Block[]): number {
  const flat = flatten(blocks)
  return createMeasure(flat)(flat.text.length)
}

/** Matches a text in which each character is a grapheme: ASCII, Latin letters, dashes, quotation marks and the ellipsis. */
const SINGLE_UNIT_GRAPHEMES = /^[\n -~À-ʯ–-…]*$/

/** Returns a function that counts the graphemes up to an offset. */
function createMeasure({ text }: FlatText): (end: number) => number {
  if (SINGLE_UNIT_GRAPHEMES.test(text)) return (end) => end
  const starts = graphemeStarts(text)
  return (end) => firstIndex(starts.length, (index) => (starts[index] ?? 0) >= end)
}

/** Returns the offsets at which the graphemes of a text start. */
function graphemeStarts(text: string): number[] {
  return Array.from(graphemesOf(text), ({ index }) => index)
}

/** Returns the end of the given number of lines; blank lines do not count. */
function endOfLines(text: string, lines: number): number {
  let line = 0
  for (const { index } of text.matchAll(/\n+/g)) {
    line += 1
    if (line === lines) return index
  }
  return text.length
}

/** Returns the end of the preview: after a word, or inside the first word if that does not fit; 0 if nothing fits. */
function lastEnd(flat: FlatText, fits: (end: number) => boolean): number {
  const { length } = flat.text
  // A bullet before the first node is not a word, so the preview does not end after it.
  const first = flat.spans[0]?.start ?? 0
  const cuts = cutsOf(flat, false).filter(({ end }) => end > first && !isInsideUnsplit(flat, end))
  const cut = cuts[firstIndex(cuts.length, (index) => !fits(cuts[index]?.end ?? 0)) - 1]
  const last = firstIndex(length + 1, (end) => !fits(end)) - 1
  const at = isInsideUnsplit(flat, last) ? (flat.spans[indexAt(flat.spans, last - 1)]?.start ?? 0) : last
  const start = cut?.start ?? first
  const wordCut = unspacedCuts(flat, { start, end: length }, at).findLast(({ end }) => end <= at) ?? cut
  if (wordCut !== undefined) return wordCut.end
  return (
    graphemeCuts(flat, { start, end: Math.min(at + LOOKAHEAD, length) }, at).findLast(({ end }) => end <= at)?.end ?? 0
  )
}

/** Whether an offset is inside a mention, or inside or after a file: the ellipsis after a file would need another line. */
function isInsideUnsplit({ spans }: FlatText, at: number): boolean {
  const span = spans[indexAt(spans, at - 1)]
  return span?.isWhole === true && span.start < at && (at < span.end || span.node.type === 'file')
}

/** The number of characters after an offset that decide whether a grapheme ends there. */
const LOOKAHEAD = 32

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
    // A part of a bare URL is not a URL, so the link becomes its text.
    if (link?.type === 'link' && last.type === 'link' && isBareLink(link)) siblings.splice(-1, 1, ...last.children)
    else siblings = last.children
    last = siblings.at(-1)
  }
  // The ellipsis can be its own text node, because `normalize` merges adjacent text nodes.
  const text: AnyNode = { type: 'text', value: ellipsis }
  if (last?.type === 'code') siblings.splice(-1, 1, { ...last, value: last.value + ellipsis })
  else siblings.push(siblings === root.children ? { type: 'paragraph', children: [text] } : text)
  return root
}
