/** The beginning of a message, where there is no room for all of it. */

import { fileReference } from '../../api/service/message.js'
import { toText } from '../../index.js'
import type { Posted, References } from './message.js'
import { renderOptions, treesOf } from './message.js'

const TITLE_LENGTH_MAX = 80
const PREVIEW_LENGTH_MAX = 280

/** A message in two lines: what it is called, and how it goes on. */
export interface Beginning {
  readonly title: string
  readonly rest: string
}

/** The beginning of a message: its first line, and some of the others; of one that only shows files, their names. */
export function beginningOf(message: Posted, references: References): Beginning {
  const text = textOf(message.id, references)
  const [first = 'Untitled', ...others] = text.split('\n').filter((line) => line.trim() !== '')
  return { title: cut(first, TITLE_LENGTH_MAX), rest: cut(others.join('\n'), PREVIEW_LENGTH_MAX) }
}

/** What other programs say of a message whose address they are given: the beginning of its text. */
export function summaryOf(message: Posted, references: References): string {
  const text = textOf(message.id, references).replace(/\s*\n\s*/g, ' ')
  return cut(text.trim(), PREVIEW_LENGTH_MAX)
}

/** The text of as many blocks as a preview can need: what is written comes first, and files only where nothing is. */
function textOf(id: string, references: References): string {
  const options = renderOptions(id, references)
  const files = new Map(references.files.get(id)?.map((file) => [file.id, file.name]))
  const names: string[] = []
  let text = ''
  for (const block of treesOf(references, id).flatMap(({ children }) => children)) {
    if (text.length > (TITLE_LENGTH_MAX + PREVIEW_LENGTH_MAX) * 4) break
    const name = files.get(fileReference(block)?.id ?? '')
    if (block.type === 'file' || name !== undefined) {
      names.push((block.type === 'file' ? block.label : null) ?? name ?? 'A file')
    } else text += `${toText({ type: 'root', children: [block] }, options)}\n\n`
  }
  return text.trim() === '' ? names.join('\n') : text
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
