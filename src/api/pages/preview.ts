/** The beginning of a message, where there is no room for all of it. */

import { toText } from '../../render/text.js'
import { truncate } from '../../write/truncate.js'
import type { Posted, References } from './message.js'
import { renderOptions } from './message.js'

const TITLE_LENGTH_MAX = 80
const PREVIEW_LENGTH_MAX = 280

/** A message in two lines: what it is called, and how it goes on. */
export interface Beginning {
  readonly title: string
  readonly rest: string
}

/**
 * The beginning of a message.
 *
 * @param message - the message
 * @param references - what it refers to
 * @returns its first line, and some of the others
 */
export function beginningOf(message: Posted, references: References): Beginning {
  const text = textOf(message, references)
  const [first = '', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  return { title: cut(first, TITLE_LENGTH_MAX), rest: cut(others.join('\n'), PREVIEW_LENGTH_MAX) }
}

/**
 * What other programs say of a message that they are given the address of.
 *
 * @param message - the message
 * @param references - what it refers to
 * @returns the beginning of its text, whole words and whole names
 */
export function summaryOf(message: Posted, references: References): string {
  const preview = truncate(message.blocks ?? [], { length: PREVIEW_LENGTH_MAX })
  return toText(preview, renderOptions(message.id, references)).replace(/\s*\n\s*/g, ' ')
}

/** The text of as many blocks as a preview can need. */
function textOf({ id, blocks }: Posted, references: References): string {
  const options = renderOptions(id, references)
  let text = ''
  for (const block of blocks ?? []) {
    if (text.length > (TITLE_LENGTH_MAX + PREVIEW_LENGTH_MAX) * 4) break
    text += `${toText(block, options)}\n\n`
  }
  return text
}

let graphemes: Intl.Segmenter | null = null

function cut(text: string, lengthMax: number): string {
  let [count, end] = [0, 0]
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment, index } of graphemes.segment(text)) {
    count += 1
    if (count > lengthMax) return `${text.slice(0, end).trimEnd()}…`
    if (count < lengthMax) end = index + segment.length
  }
  return text
}
