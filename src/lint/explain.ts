/** Explains why a character is markup or text. The parser reports its decisions (`parse/trace.ts`). */

import { isFormatting } from '../delimiters.js'
import { describe } from '../errors.js'
import { parse } from '../parse/index.js'
import { createLocator } from '../search.js'
import type { AnyNode, Formatting, NodeType, Position } from '../tree.js'
import type { Explanation } from './leaves.js'
import { explainInline, SPACES } from './reasons.js'
import { closingFence, endOfFence, rangeOf } from './text.js'

/** A rule of the dialect that applies to a character. */
export interface Reason {
  /** The section of the dialect's description that has the rule: `§4`, or in §3 the construct, for example `§3.4`. */
  section: string
  /** The rule's effect on this character, in one sentence. */
  message: string
  /** The text that the sentence is about. */
  place: Position
}

/**
 * Explains why a character is markup or text, or why it is not the markup that its author may have meant.
 *
 * @param input - the source
 * @param offset - the character's offset in UTF-16 code units
 * @returns the reasons: first those of the character, then those of the nodes around it; none after the last character
 * @throws {TypeError} if `input` is not a string, or `offset` is not an integer from 0 to its length
 * @example
 * explain('snake_case', 5).map(({ section, message }) => `${section}: ${message}`)
 * // => ['§4: This `_` cannot open: it follows the letter `e`.', '§4: This `_` cannot close: the letter `c` follows it.', '§2: In a paragraph.']
 */
export function explain(input: string, offset: number): Reason[] {
  if (typeof input !== 'string') throw new TypeError(`explain: expected a string, received ${describe(input)}`)
  const tree = parse(input)
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= input.length)) {
    throw new TypeError(`explain: expected an offset from 0 to ${input.length}, received ${describe(offset)}`)
  }
  const path = pathTo(tree, offset)
  // A position in a list but in none of its items is the end of a line.
  const isOutside = path.length === 0 || path.at(-1)?.type === 'list'
  const explanations = [
    ...explainInline(input, offset),
    ...(isOutside ? explainOutside(input, offset) : explainBlock(input, offset, path)),
  ]
  const positionOf = createLocator(input)
  return explanations.map(([section, message, start, end]) => ({ section, message, place: positionOf(start, end) }))
}

/** Returns the nodes at an offset, from the block to the innermost. */
function pathTo(root: AnyNode, offset: number): AnyNode[] {
  const path: AnyNode[] = []
  for (let node: AnyNode | undefined = root; node !== undefined && 'children' in node; ) {
    const children: readonly AnyNode[] = node.children
    node = children.find((child) => rangeOf(child)[0] <= offset && offset < rangeOf(child)[1])
    if (node !== undefined) path.push(node)
  }
  return path
}

/** The explanation for each type of node around a character; null for a type without one. Formatting and code are not here. */
const WITHIN: {
  readonly [Type in Exclude<NodeType, Formatting['type'] | 'code'>]: readonly [section: string, message: string] | null
} = {
  root: null,
  heading: ['§2', 'In a heading.'],
  paragraph: ['§2', 'In a paragraph.'],
  list: null,
  listItem: ['§2', 'In a list item.'],
  file: ['§2', 'A file.'],
  text: null,
  inlineCode: null,
  link: ['§3.4', 'In a link.'],
  mention: null,
  break: null,
}

/** Starts of lines that would start a block in CommonMark, or that nearly start a block of the dialect. */
const NO_BLOCKS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^#+/, 'Not a heading: a heading is `#` or `##`, a space, and a character.'],
  [/^\*(?=[ \t]|$)/, 'Not an item: an item is `*`, a space, and a character other than a single star.'],
  [/^`{3,}/, 'Not a fence: its line contains another backtick.'],
  [
    /^(?:[-+>]|\d+[.)])(?=[ \t])/,
    'Not a block: a list item starts with `* `, and there are no numbered lists or quotes.',
  ],
]

/** Returns the reasons of the nodes in a path, the innermost first. */
function explainBlock(input: string, offset: number, path: readonly AnyNode[]): Explanation[] {
  const reasons = path.toReversed().flatMap((node): Explanation[] => {
    const [start, end] = rangeOf(node)
    if (node.type === 'code') return [['§2', codeReason(input, offset, start, end), start, end]]
    if (isFormatting(node)) return [['§4', `In ${node.type}.`, start, end]]
    // The paragraph of an item is not visible, and a bare link has its own reason.
    if (node.type === 'paragraph' && node !== path[0]) return []
    if (node.type === 'link' && input.charAt(start) !== '[') return []
    const within = WITHIN[node.type]
    return within === null ? [] : [[...within, start, end]]
  })
  return path[0]?.type === 'paragraph' ? [...explainLineStart(input, offset), ...reasons] : reasons
}

/** Explains white space between blocks. */
function explainOutside(input: string, offset: number): Explanation[] {
  const isBlank = lineOf(input, offset).text === ''
  const message = isBlank ? 'A blank line ends a paragraph or a list.' : SPACES
  return offset < input.length ? [[isBlank ? '§2' : '§1', message, offset, offset + 1]] : []
}

function codeReason(input: string, offset: number, start: number, end: number): string {
  const closing = closingFence(input, start, end)
  if (closing >= 0 && offset >= closing) return 'Closes fenced code.'
  return offset < endOfFence(input, start) ? 'Opens fenced code.' : 'Fenced code: its content is not parsed.'
}

function explainLineStart(input: string, offset: number): Explanation[] {
  const { start, text } = lineOf(input, offset)
  return NO_BLOCKS.flatMap(([pattern, message]): Explanation[] => {
    const end = start + (pattern.exec(text)?.[0].length ?? 0)
    return start <= offset && offset < end ? [['§2', message, start, end]] : []
  })
}

/** Returns the line at an offset, without the spaces at its ends. */
function lineOf(input: string, offset: number): { start: number; text: string } {
  const start = Math.max(input.lastIndexOf('\n', offset - 1), input.lastIndexOf('\r', offset - 1)) + 1
  const line = input.slice(start).replace(/[\r\n].*/s, '')
  return { start: start + line.search(/[^ \t]|$/), text: line.trim() }
}
