/** What block a character stands in, and what its line is not (§2). */
import { isFormatting } from '../../delimiters.js'
import type { AnyNode, Formatting, NodeType } from '../../tree.js'
import { closingFence, endOfFence } from '../fence.js'
import { rangeOf } from '../positions.js'
import type { Told } from './told.js'

export const SPACES = 'The end of a line: spaces there do not matter.'

/** Null where nothing is said, or more than this. */
const WITHIN: {
  readonly [Type in Exclude<NodeType, Formatting['type']>]: readonly [section: string, message: string] | null
} = {
  root: null,
  heading: ['§2', 'In a heading.'],
  paragraph: ['§2', 'In a paragraph.'],
  list: null,
  listItem: ['§2', 'In an item of a list.'],
  code: null,
  file: ['§2', 'A file.'],
  text: null,
  inlineCode: null,
  link: ['§3.4', 'In a link.'],
  mention: null,
  break: null,
}

/** What begins a block elsewhere, or nearly does here. */
const NO_BLOCKS: readonly (readonly [pattern: RegExp, section: string, message: string])[] = [
  [/^#+/, '§2', 'No heading: that takes `#` or `##`, a space, and a character.'],
  [/^\*(?=[ \t]|$)/, '§2', 'No item: that takes `*`, a space, and a character that is no lone star.'],
  [/^`{3,}/, '§2', 'No fence: another backtick is on its line.'],
  [/^(?:[-+>]|\d+[.)])(?=[ \t])/, '§2', 'Begins no block: `* ` is an item, and there are no numbers or quotations.'],
]

/** `path` leads from the block to the innermost node; what is nearest comes first. */
export function explainBlock(input: string, offset: number, path: readonly AnyNode[]): Told[] {
  const reasons = [...path].reverse().flatMap((node): Told[] => {
    const [start, end] = rangeOf(node)
    if (node.type === 'code') return [['§2', wordsOfCode(input, offset, start, end), start, end]]
    if (isFormatting(node)) return [['§4', `In ${node.type}.`, start, end]]
    // The paragraph of an item is not seen, and a bare link is told of as one.
    if (node.type === 'paragraph' && node !== path[0]) return []
    if (node.type === 'link' && input.charAt(start) !== '[') return []
    const within = WITHIN[node.type]
    return within === null ? [] : [[...within, start, end]]
  })
  return path[0]?.type === 'paragraph' ? [...explainLine(input, offset), ...reasons] : reasons
}

/** White space between blocks. */
export function explainOutside(input: string, offset: number): Told[] {
  const isBlank = lineOf(input, offset).text === ''
  const message = isBlank ? 'A blank line ends a paragraph or a list.' : SPACES
  return offset < input.length ? [[isBlank ? '§2' : '§1', message, offset, offset + 1]] : []
}

function wordsOfCode(input: string, offset: number, start: number, end: number): string {
  const closing = closingFence(input, start, end)
  if (closing >= 0 && offset >= closing) return 'Closes fenced code.'
  return offset < endOfFence(input, start) ? 'Opens fenced code.' : 'Fenced code: nothing in it is read.'
}

function explainLine(input: string, offset: number): Told[] {
  const { start, text } = lineOf(input, offset)
  return NO_BLOCKS.flatMap(([pattern, section, message]): Told[] => {
    const end = start + (pattern.exec(text)?.[0].length ?? 0)
    return start <= offset && offset < end ? [[section, message, start, end]] : []
  })
}

/** The line at an offset, without the spaces at its ends. */
function lineOf(input: string, offset: number): { start: number; text: string } {
  const before = input.slice(0, offset)
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
  const line = input.slice(start).replace(/[\r\n].*/s, '')
  return { start: start + line.search(/[^ \t]|$/), text: line.trim() }
}
