/** Previews of messages. */
import { lengthBefore, traitsAt, traitsBefore, UNSPACED } from '../characters.js'
import { describe } from '../errors.js'
import { toText } from '../render/text.js'
import { blocksOf, type Source } from '../source.js'
import type { AnyNode, Root } from '../tree.js'
import { normalize } from '../write/normalize.js'
import { cutsOf, graphemeCuts, graphemesOf } from './cuts.js'
import { type Fitting, fits, lastFit, lastFitAnywhere } from './fitting.js'
import { type FlatText, flattenBlocks, sliceFlat } from './flat-text.js'

/** The length of a preview, and its end. */
export interface TruncateOptions {
  /** The maximum number of graphemes of the plain text (`toText`), including the ellipsis. */
  length: number
  /** The end of a preview that is not the whole message (default `…`). */
  ellipsis?: string
}

/**
 * Returns the start of a message as a tree: as much as fits, to the end of a word if one fits, with its formatting. A mention, a link
 * or a file is complete or missing. If the whole message fits, it is returned.
 *
 * @param source - Markdown, a tree, or a post's blocks
 * @param options - the length and the ellipsis
 * @returns a tree that can be written; it is empty if the ellipsis does not fit
 * @throws {TypeError} if `source` is not a source, or an option is not valid
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
  // Each block has at least one grapheme or the line ending before it, so later blocks cannot fit.
  const { tree } = normalize({ type: 'root', children: whole.children.slice(0, length + 1) })
  if (sizeOf(tree, length) <= length) return tree
  const flat = flattenBlocks(tree.children, ({ type }) => type === 'link')
  const preview = (end: number): Root => normalize(withEllipsis(sliceFlat(flat, 0, end), ellipsis)).tree
  const longest = preview(lastEnd(flat, length, (end) => sizeOf(preview(endOfGrapheme(flat.text, end)), length)))
  return sizeOf(longest, length) <= length ? longest : { type: 'root', children: [] }
}

/** Returns the number of graphemes of a tree's plain text; a lower bound if it is far too long. */
function sizeOf(tree: Root, lengthMax: number): number {
  const text = toText(tree)
  if (text.length <= lengthMax || ASCII.test(text)) return text.length
  let size = 0
  // The engine needs more time for each grapheme if the text is longer.
  for (let start = 0, length = WINDOW; size <= 4 * lengthMax; ) {
    // A window ends with a whole character.
    const end = start + length + lengthBefore(text, start + length + 1) - 1
    const starts = Array.from(graphemesOf(text.slice(start, end)), ({ index }) => index)
    if (end >= text.length) return size + starts.length
    // The last grapheme may continue after the window.
    const last = starts.at(-1) ?? 0
    if (last === 0) length *= 2
    else [size, start, length] = [size + starts.length - 1, start + last, WINDOW]
  }
  return size
}

/** Characters that are one grapheme each. */
const ASCII = /^[\n -~]*$/
const WINDOW = 256

/** Returns the end of the preview: after a word, else inside the first word; 0 if nothing fits. */
function lastEnd(flat: FlatText, room: number, sizeOf: Fitting['sizeOf']): number {
  const cuts = cutsOf(flat).filter(({ end }) => end > 0)
  const fitting: Fitting = { start: 0, room, sizeOf, fit: 0, over: flat.text.length }
  // A preview is usually far shorter than the message.
  let far = Math.floor(room) + 1
  while (fits(fitting, far)) far *= 2
  const cut = cuts[lastFit(fitting, cuts)]
  const at = lastFitAnywhere(fitting)
  const graphemes = graphemeCuts(flat, { start: cut?.start ?? 0, end: at + NEAR }, at)
  const fitted = graphemes.filter(({ end }) => fits(fitting, end))
  // In scripts without spaces, words end between split points.
  const word = fitted.findLast(({ end }) => isBetweenWords(flat.text, cut?.start ?? 0, end))
  return (word ?? cut ?? fitted.at(-1))?.end ?? 0
}

/** The number of characters around an offset that decide whether a grapheme or a word ends there. */
const NEAR = 32

/** Returns the offset, or the end of the grapheme around it: a part of a grapheme may count as more than one. */
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

/** Appends the ellipsis to a tree's last text, with the same formatting. */
function withEllipsis(root: Root, ellipsis: string): Root {
  let siblings: AnyNode[] = root.children
  let last = siblings.at(-1)
  while (last !== undefined && 'children' in last && last.type !== 'link') {
    siblings = last.children
    last = siblings.at(-1)
  }
  // `normalize` merges adjacent texts.
  const text: AnyNode = { type: 'text', value: ellipsis }
  if (last?.type === 'code') siblings.splice(-1, 1, { ...last, value: last.value + ellipsis })
  else siblings.push(siblings === root.children ? { type: 'paragraph', children: [text] } : text)
  return root
}
