/**
 * Explains why a character is markup or text. The tree shows the node of a character. For a delimiter that is text, copies of the
 * source with other characters next to it are parsed: if it is markup in a copy, its neighbor is the reason (`explain-run.ts`).
 */

import { delimiterOf, isDelimiter, isFormatting, SEPARATOR } from '../delimiters.js'
import { describe } from '../describe.js'
import { SHRUG } from '../parse/constructs.js'
import { parse } from '../parse/index.js'
import { escapableChars, isEscapable } from '../parse/units.js'
import { createLocator } from '../search.js'
import type { AnyNode, Formatting, Link, NodeType, Position, Text } from '../tree.js'
import { type Explanation, explainRun, isEscaped } from './explain-run.js'
import { rangeOf } from './text.js'

/** A rule of the dialect that applies to a character. */
export interface Reason {
  /** The section of the dialect's description with the rule, for example `§4`; in §3 a subsection, for example `§3.4`. */
  section: string
  /** The rule's effect on this character, in one sentence. */
  message: string
  /** The range of text that the sentence is about. */
  place: Position
}

/**
 * Explains why a character is markup or text, or why it is not the markup that its author may have meant.
 *
 * @param input - the source
 * @param offset - the character's offset in UTF-16 code units
 * @returns the reasons of the character, then of the nodes around it; an empty array if `offset` is the length of `input`
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
  const path = pathTo(tree, input, offset)
  const node = path.at(-1)
  // An offset in a list, but not in an item, is at a line ending.
  const isOutside = node === undefined || node.type === 'list'
  const explanations = isOutside
    ? explainOutside(input, offset)
    : [...explainInline(input, offset, path, node), ...explainBlock(input, offset, path)]
  const positionOf = createLocator(input)
  return explanations.map(([section, message, start, end]) => ({ section, message, place: positionOf(start, end) }))
}

/** Returns the nodes at an offset, from the block to the innermost. The text of a bare link is not one of them. */
function pathTo(root: AnyNode, input: string, offset: number): AnyNode[] {
  const path: AnyNode[] = []
  for (let node: AnyNode | undefined = root; node !== undefined && 'children' in node; ) {
    if (node.type === 'link' && !isNamed(input, node)) break
    const children: readonly AnyNode[] = node.children
    node = children.find((child) => rangeOf(child)[0] <= offset && offset < rangeOf(child)[1])
    if (node !== undefined) path.push(node)
  }
  return path
}

/** Explains a character by the innermost node that contains it. */
function explainInline(input: string, offset: number, path: readonly AnyNode[], node: AnyNode): Explanation[] {
  const [start, end] = rangeOf(node)
  switch (node.type) {
    case 'inlineCode':
      return [['§3.2', 'Inline code: its content is not parsed.', start, end]]
    case 'mention':
      return [['§3.3', 'A mention: its content is not parsed.', start, end]]
    case 'break':
      return [['§3.8', 'A break.', start, end]]
    case 'text':
      return explainText(input, offset, path, node)
    case 'link':
      return explainLink(input, offset, node)
    default:
      return isFormatting(node) ? [explainFormatting(input, offset, node)] : []
  }
}

/** Explains a character of a link outside the link text. */
function explainLink(input: string, offset: number, link: Link): Explanation[] {
  const [start, end] = rangeOf(link)
  if (!isNamed(input, link)) return [['§3.5', 'A bare link: delimiters in it are part of the URL.', start, end]]
  if (offset === start) return [['§3.4', 'Starts the text of a link.', start, end]]
  const last = link.children.at(-1)
  const bracket = input.indexOf(']', last === undefined ? start : rangeOf(last)[1])
  return offset < bracket ? [] : [['§3.4', 'Ends the text of a link, before its URL.', bracket, end]]
}

function isNamed(input: string, link: Link): boolean {
  return input.charAt(rangeOf(link)[0]) === '['
}

/** Explains a delimiter of a node, or a delimiter inside the node that the normal form removed (§4.10). */
function explainFormatting(input: string, offset: number, node: Formatting): Explanation {
  const [start, end] = rangeOf(node)
  const isForced = input.charAt(start) === SEPARATOR
  const length = delimiterOf(node.type).length + (isForced ? 1 : 0)
  const section = isForced ? '§3.6' : '§4'
  if (offset < start + length) return [section, `Opens ${node.type}.`, start, start + length]
  if (offset >= end - length) return [section, `Closes ${node.type}.`, end - length, end]
  return ['§4', MERGED_MESSAGE, offset, offset + 1]
}

const MERGED_MESSAGE = 'Merged: formatting of the same kind is around it or next to it.'
const BACKSLASH_MESSAGE = `Before \`\` ${[...escapableChars].join(' ')} \`\` and U+2063 two backslashes are one, and a single one escapes; before any other character, backslashes are text.`
const NO_LINK_MESSAGE = 'Text: a link is `[text](url)`; its text is not blank, its URL has a scheme and no space.'
const NO_CONSTRUCT_MESSAGES: Readonly<Record<string, readonly [section: string, message: string]>> = {
  '\\': ['§3.1', BACKSLASH_MESSAGE],
  '<': ['§3.3', 'Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.'],
  '[': ['§3.4', NO_LINK_MESSAGE],
  ']': ['§3.4', NO_LINK_MESSAGE],
  '`': [
    '§3.2',
    'Text: no backtick run of the same length follows, or it is an apostrophe after a letter (two backticks never are).',
  ],
  [SEPARATOR]: ['§3.6', 'Text: a U+2063 forces the delimiter next to it only if an equal pair is around visible text.'],
}

/** Explains a character in a text node. */
function explainText(input: string, offset: number, path: readonly AnyNode[], text: Text): Explanation[] {
  const char = input.charAt(offset)
  const from = Math.max(offset - SHRUG.length + 1, 0)
  const shrug = input.slice(from, offset + SHRUG.length).indexOf(SHRUG)
  if (shrug >= 0) return [['§3.1', 'Text: part of a shrug.', from + shrug, from + shrug + SHRUG.length]]
  if (isEscapable(char.charCodeAt(0)) && isEscaped(input, offset)) {
    return [['§3.1', char === '\\' ? BACKSLASH_MESSAGE : 'Text: it is escaped.', offset, offset + 1]]
  }
  const isMarkup = isDelimiter(char) || char === SEPARATOR
  if (isMarkup && !text.value.includes(char)) return [['§4', MERGED_MESSAGE, offset, offset + 1]]
  const sectionAndMessage = NO_CONSTRUCT_MESSAGES[char]
  if (sectionAndMessage !== undefined) return [[...sectionAndMessage, offset, offset + 1]]
  return isDelimiter(char) ? explainRun(input, offset, leafOf(path), rangeOf(text)) : explainScheme(input, offset)
}

/** Returns the range of the inline content around a character. */
function leafOf(path: readonly AnyNode[]): [start: number, end: number] {
  const leaf = path.find(({ type }) => type === 'heading' || type === 'paragraph')
  const children: readonly AnyNode[] = leaf !== undefined && 'children' in leaf ? leaf.children : []
  const [start = 0] = children.slice(0, 1).flatMap(rangeOf)
  const [, end = 0] = children.slice(-1).flatMap(rangeOf)
  return [start, end]
}

/** Explains the beginning of a URL that is not a link. */
function explainScheme(input: string, offset: number): Explanation[] {
  const from = Math.max(offset - 'https:/'.length, 0)
  const match = /https?:\/\//i.exec(input.slice(from, offset + 'https://'.length))
  const start = from + (match?.index ?? 0)
  const end = start + (match?.[0].length ?? 0)
  return start <= offset && offset < end ? [['§3.5', NO_URL_MESSAGE, start, end]] : []
}

const NO_URL_MESSAGE =
  'Text: a URL starts only after a character that is not a letter or digit, and its host must start with a letter or digit.'

/** Explanations for the nodes that contain a character. */
const CONTEXT_MESSAGES: Partial<Record<NodeType, readonly [section: string, message: string]>> = {
  heading: ['§2', 'In a heading.'],
  paragraph: ['§2', 'In a paragraph.'],
  listItem: ['§2', 'In a list item.'],
  code: ['§2', 'Fenced code: between its fences nothing is parsed.'],
  file: ['§2', 'A file.'],
  strong: ['§4', 'In strong.'],
  emphasis: ['§4', 'In emphasis.'],
  underline: ['§4', 'In underline.'],
  delete: ['§4', 'In delete.'],
  link: ['§3.4', 'In a link.'],
}

/** Starts of lines that would start a block in CommonMark, or that nearly start a block of the dialect. */
const NO_BLOCK_MESSAGES: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^#+/, 'Not a heading: a heading is `#` or `##`, a space, and a character.'],
  [/^\*(?=[ \t]|$)/, 'Not an item: an item is `*`, a space, and a character other than a single star.'],
  [/^`{3,}/, 'Not a fence: its line contains another backtick.'],
  [
    /^(?:[-+>]|\d+[.)])(?=[ \t])/,
    'Not a block: a list item starts with `* `, and there are no numbered lists or quotes.',
  ],
]

/** Returns the reasons of a line start, then the reasons of the nodes in a path, the innermost first. */
function explainBlock(input: string, offset: number, path: readonly AnyNode[]): Explanation[] {
  const reasons = path.toReversed().flatMap((node): Explanation[] => {
    // The paragraph of an item is not visible, and `explainLink` explains a bare link. Both are skipped.
    if (node.type === 'paragraph' && node !== path[0]) return []
    if (node.type === 'link' && !isNamed(input, node)) return []
    const sectionAndMessage = CONTEXT_MESSAGES[node.type]
    return sectionAndMessage === undefined ? [] : [[...sectionAndMessage, ...rangeOf(node)]]
  })
  return path[0]?.type === 'paragraph' ? [...explainLineStart(input, offset), ...reasons] : reasons
}

/** Explains white space between blocks or items. */
function explainOutside(input: string, offset: number): Explanation[] {
  if (offset === input.length) return []
  const isBlank = lineOf(input, offset).text === ''
  const message = isBlank ? 'A blank line ends a paragraph or a list.' : 'The end of a line.'
  return [['§2', message, offset, offset + 1]]
}

function explainLineStart(input: string, offset: number): Explanation[] {
  const { start, text } = lineOf(input, offset)
  return NO_BLOCK_MESSAGES.flatMap(([pattern, message]): Explanation[] => {
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
