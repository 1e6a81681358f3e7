/** Makes a preview of a message. */
import { lengthBefore, traitsAt, traitsBefore, UNSPACED } from '../characters.js'
import { describe } from '../errors.js'
import { toText } from '../render/text.js'
import { blocksOf, type Source } from '../source.js'
import type { AnyNode, Root } from '../tree.js'
import { normalize } from '../write/normalize.js'
import { cutsOf, graphemeCuts, graphemesOf } from './cuts.js'
import { type Fitting, fits, lastFit, lastFitAnywhere } from './fitting.js'
import { type Row, sliceRow, toRow } from './row.js'

/** How long a preview may be. */
export interface TruncateOptions {
  /** The graphemes of its plain text, as `toText` writes it, the ellipsis counted. */
  length: number
  /** What stands at the end of a preview that is not the whole message (default `…`). */
  ellipsis?: string
}

/**
 * Gives the beginning of a message as a tree: as much as fits, up to the end of a word where one fits, with its
 * formatting. A mention, a link or a file is there as a whole or not at all. A message that fits is given whole.
 *
 * @param source - markdown, a tree, or a post's blocks
 * @param options - the length, and what stands at the end
 * @returns a tree that can be written; where not even the ellipsis fits it is empty
 * @throws {TypeError} when the source is none, or an option is none
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a tree is not valid (§5)
 * @example
 * toText(truncate('**Build 7** of `blockmark` has failed', { length: 20 })) // => 'Build 7 of…'
 */
export function truncate(source: Source, options: TruncateOptions): Root {
  const { length, ellipsis = '…' } = options ?? {}
  if (typeof length !== 'number' || !(length >= 0)) {
    throw new TypeError(`length: expected a number of 0 or more, received ${describe(length)}`)
  }
  if (typeof ellipsis !== 'string') {
    throw new TypeError(`ellipsis: expected a string, received ${describe(ellipsis)}`)
  }
  const whole: Root = { type: 'root', children: [...blocksOf(source)] }
  if (sizeOf(whole, length) <= length) return whole
  // Between any two blocks there is a line ending, so later ones do not come into it.
  const { tree } = normalize({ type: 'root', children: whole.children.slice(0, length + 1) })
  if (sizeOf(tree, length) <= length) return tree
  const row = toRow(tree.children, ({ type }) => type === 'link')
  const preview = (end: number): Root => normalize(withEllipsis(sliceRow(row, 0, end), ellipsis)).tree
  const longest = preview(lastEnd(row, length, (end) => sizeOf(preview(endOfGrapheme(row.text, end)), length)))
  return sizeOf(longest, length) <= length ? longest : { type: 'root', children: [] }
}

/** How many graphemes the plain text of a tree has; of one that is far too long, only that. */
function sizeOf(tree: Root, lengthMax: number): number {
  const text = toText(tree)
  if (text.length <= lengthMax || ASCII.test(text)) return text.length
  let size = 0
  // The engine takes longer for each grapheme of a longer text.
  for (let start = 0, length = WINDOW; size <= 4 * lengthMax; ) {
    // A window ends with a whole character.
    const end = start + length + lengthBefore(text, start + length + 1) - 1
    const starts = Array.from(graphemesOf(text.slice(start, end)), ({ index }) => index)
    if (end >= text.length) return size + starts.length
    // The last one may go on behind the window.
    const last = starts.at(-1) ?? 0
    if (last === 0) length *= 2
    else [size, start, length] = [size + starts.length - 1, start + last, WINDOW]
  }
  return size
}

/** Each of these is a grapheme. */
const ASCII = /^[\n -~]*$/
const WINDOW = 256

/** Where the preview ends: with a word, else in the middle of the first one; 0 where nothing fits. */
function lastEnd(row: Row, room: number, sizeOf: Fitting['sizeOf']): number {
  const cuts = cutsOf(row).filter(({ end }) => end > 0)
  const fitting: Fitting = { start: 0, room, sizeOf, fit: 0, over: row.text.length, density: 1 }
  const cut = cuts[lastFit(fitting, cuts)]
  const at = lastFitAnywhere(fitting)
  const graphemes = graphemeCuts(row, { start: cut?.start ?? 0, end: at + NEAR }, at)
  const fitted = graphemes.filter(({ end }) => fits(fitting, end))
  // In scripts without spaces words end in the middle of what does not fit.
  const word = fitted.findLast(({ end }) => isBetweenWords(row.text, cut?.start ?? 0, end))
  return (word ?? cut ?? fitted.at(-1))?.end ?? 0
}

/** How much of what is around a place says whether a grapheme or a word ends there. */
const NEAR = 32

/** The place itself, or where the grapheme ends that it is in: a part of one may be seen as more than all of it. */
function endOfGrapheme(text: string, at: number): number {
  const start = Math.max(at - NEAR, 0)
  const grapheme = graphemesOf(text.slice(start, at + NEAR)).containing(at - start - 1)
  return grapheme === undefined ? at : start + grapheme.index + grapheme.segment.length
}

/** Whether one word ends at `at` and another begins there, without a space. */
function isBetweenWords(text: string, start: number, at: number): boolean {
  if (((traitsBefore(text, at) | traitsAt(text, at)) & UNSPACED) === 0) return false
  const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(text.slice(start, at + NEAR))
  return words.containing(at - start)?.index === at - start
}

/** Puts the ellipsis at the end of a tree's last text; it looks like that text. */
function withEllipsis(root: Root, ellipsis: string): Root {
  let siblings: AnyNode[] = root.children
  let last = siblings.at(-1)
  while (last !== undefined && 'children' in last && last.type !== 'link') {
    siblings = last.children
    last = siblings.at(-1)
  }
  // Of texts side by side normalize makes one.
  const text: AnyNode = { type: 'text', value: ellipsis }
  if (last?.type === 'code') siblings.splice(-1, 1, { ...last, value: last.value + ellipsis })
  else siblings.push(siblings === root.children ? { type: 'paragraph', children: [text] } : text)
  return root
}
