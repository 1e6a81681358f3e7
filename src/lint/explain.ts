/**
 * Explains why a character is markup or text. The tree shows what a character belongs to. For text, changed copies of the source
 * are parsed: if a change makes it markup, that is the reason.
 */

import { endOfSpaces, isSpace } from '../characters.js'
import { delimiterOf, delimiterText, isDelimiter, isFormatting, SEPARATOR } from '../delimiters.js'
import { describe } from '../describe.js'
import { parse } from '../parse/index.js'
import { escapableChars, isEscapable } from '../parse/units.js'
import { createLocator } from '../search.js'
import type { AnyNode, Formatting, Link, NodeType, Position } from '../tree.js'
import { type Explanation, explainRun, isEscaped, runAt } from './explain-run.js'
import { nodesOf } from './find.js'
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
  const path = pathTo(tree, input, offset)
  const node = path.at(-1)
  // A position in a list but in none of its items is the end of a line.
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

const SPACES = 'The end of a line: spaces there are not significant.'

/** Explains a character by the innermost node that contains it. */
function explainInline(input: string, offset: number, path: readonly AnyNode[], node: AnyNode): Explanation[] {
  const [start, end] = rangeOf(node)
  switch (node.type) {
    case 'inlineCode':
      return [['§3.2', 'Inline code: its content is not parsed.', start, end]]
    case 'mention':
      return [['§3.3', 'A mention: its content is not parsed.', start, end]]
    case 'break':
      return explainBreak(input, offset, start, end)
    case 'text':
      return explainText(input, offset, path)
    case 'link':
      return explainLink(input, offset, node)
    case 'paragraph':
      return isSpace(input.charCodeAt(offset)) ? [['§1', SPACES, offset, offset + 1]] : []
    default:
      return isFormatting(node) ? explainFormatting(input, offset, node) : []
  }
}

function explainBreak(input: string, offset: number, start: number, end: number): Explanation[] {
  const ending = endOfSpaces(input, start, end)
  if (isSpace(input.charCodeAt(offset))) return [['§1', SPACES, offset, offset + 1]]
  return [['§3.8', 'A break.', ending, ending + (input.startsWith('\r\n', ending) ? 2 : 1)]]
}

/** Explains a character of a link that is not in its text. */
function explainLink(input: string, offset: number, link: Link): Explanation[] {
  const [start, end] = rangeOf(link)
  if (!isNamed(input, link)) return [['§3.5', 'A bare link: delimiters in it are part of the URL.', start, end]]
  if (offset === start) return [['§3.4', 'Starts the text of a link.', start, end]]
  const last = link.children.at(-1)
  const bracket = input.indexOf(']', last === undefined ? start : rangeOf(last)[1])
  if (offset >= bracket) return [['§3.4', 'Ends the text of a link, before its URL.', bracket, end]]
  return isSpace(input.charCodeAt(offset)) ? [['§1', SPACES, offset, offset + 1]] : []
}

/** Explains a delimiter of a node, or one inside the node that the normal form removed (§4.10). */
function explainFormatting(input: string, offset: number, node: Formatting): Explanation[] {
  const [start, end] = rangeOf(node)
  const mark = delimiterText(delimiterOf(node.type))
  const isForced = input.charAt(start) === SEPARATOR
  const length = mark.length + (isForced ? 1 : 0)
  const opens = offset < start + length
  if (!opens && offset < end - length) return explainMerged(node, offset, offset + 1)
  const [from, to] = opens ? [start, start + length] : [end - length, end]
  const reason: Explanation = [isForced ? '§3.6' : '§4', `${opens ? 'Opens' : 'Closes'} ${node.type}.`, from, to]
  if (!isForced) return [reason]
  const separator = opens ? from : to - 1
  const effect = `the \`${mark}\` ${opens ? 'after it open' : 'before it close'}`
  const message = `The U+2063 makes ${effect}, regardless of the characters around it.`
  return [reason, ['§3.6', message, separator, separator + 1]]
}

function explainMerged(node: Formatting, start: number, end: number): Explanation[] {
  return [['§4', `Merged with the ${node.type} around it or next to it.`, start, end]]
}

const SHRUG = '¯\\_(ツ)_/¯'
const BACKSLASHES = `Before \`\` ${[...escapableChars].join(' ')} \`\` and U+2063 two backslashes are one, and a single one escapes; before any other character, backslashes are text.`
const NO_LINK = 'Text: a link is `[text](url)`; its text is not blank, its URL has a scheme and no space.'
const NO_CONSTRUCT: Readonly<Record<string, readonly [section: string, message: string]>> = {
  '\\': ['§3.1', BACKSLASHES],
  '<': ['§3.3', 'Text: a mention is `<@id|label>`, or `<@id>` with a digit; a file is alone on its line.'],
  '[': ['§3.4', NO_LINK],
  ']': ['§3.4', NO_LINK],
}

/** Explains a character in a text node. */
function explainText(input: string, offset: number, path: readonly AnyNode[]): Explanation[] {
  const char = input.charAt(offset)
  const from = Math.max(offset - SHRUG.length + 1, 0)
  const shrug = input.slice(from, offset + SHRUG.length).indexOf(SHRUG)
  if (shrug >= 0) return [['§3.1', 'Text: part of a shrug.', from + shrug, from + shrug + SHRUG.length]]
  if (isEscapable(char.charCodeAt(0)) && isEscaped(input, offset)) {
    return [['§3.1', char === '\\' ? BACKSLASHES : 'Text: it is escaped.', offset, offset + 1]]
  }
  if (isTrimmed(input, offset, path)) return [['§3.5', 'Text: trimmed from the end of a URL.', offset, offset + 1]]
  const words = NO_CONSTRUCT[char]
  if (words !== undefined) return [[...words, offset, offset + 1]]
  if (char === '`') return explainBacktick(input, offset)
  const merged = isDelimiter(char) || char === SEPARATOR ? mergedInto(input, offset, path) : undefined
  if (merged !== undefined) return explainMerged(merged, ...runAt(input, offset))
  if (char === SEPARATOR) return explainSeparator(input, offset)
  return isDelimiter(char) ? explainRun(input, offset, path) : explainScheme(input, offset, path)
}

/** Whether the bare link before a text would contain the character if a letter followed it. */
function isTrimmed(input: string, offset: number, path: readonly AnyNode[]): boolean {
  const [parent, text] = path.slice(-2)
  if (parent === undefined || text === undefined || !('children' in parent)) return false
  const siblings: readonly AnyNode[] = parent.children
  const link = siblings[siblings.indexOf(text) - 1]
  if (link?.type !== 'link' || isNamed(input, link)) return false
  const longer = `${input.slice(0, offset + 1)}x${input.slice(offset + 1)}`
  return nodesOf(longer).some(({ start, end }) => start === rangeOf(link)[0] && end > offset + 1)
}

function isNamed(input: string, link: Link): boolean {
  return input.charAt(rangeOf(link)[0]) === '['
}

function explainBacktick(input: string, offset: number): Explanation[] {
  const [start, end] = runAt(input, offset)
  const apart = `${input.slice(0, start)} ${input.slice(start)}`
  const isApostrophe = nodesOf(apart).some((node) => node.type === 'inlineCode' && node.start === start + 1)
  const message = isApostrophe
    ? 'Text: after a letter, a single backtick can be an apostrophe; two backticks always start code.'
    : 'Text: no backtick run of the same length follows.'
  return [['§3.2', message, start, end]]
}

/** Returns the formatting whose delimiter, at this offset, was removed because the node is inside or next to another of its kind. */
function mergedInto(input: string, offset: number, path: readonly AnyNode[]): Formatting | undefined {
  const text = path.at(-1)
  const char = input.charAt(offset)
  if (text?.type !== 'text' || text.value.includes(char)) return undefined
  return path.filter(isFormatting).findLast(({ type }) => char === SEPARATOR || delimiterOf(type).char === char)
}

function explainSeparator(input: string, offset: number): Explanation[] {
  const isNext = isDelimiter(input.charAt(offset - 1)) || isDelimiter(input.charAt(offset + 1))
  const message = isNext
    ? 'This U+2063 is text: the delimiters of a pair are equal, and no white space is at an end of its content.'
    : 'This U+2063 is text: no delimiter is directly next to it.'
  return [['§3.6', message, offset, offset + 1]]
}

const URL_START = /(https?:\/\/)\S*/gi

/** Explains the beginning of a URL that is not a link. */
function explainScheme(input: string, offset: number, path: readonly AnyNode[]): Explanation[] {
  const isInLabel = path.some((node) => node.type === 'link')
  const [start, end] = path.slice(-1).flatMap(rangeOf)
  return [...input.slice(start, end).matchAll(URL_START)].flatMap(
    ({ 0: url, 1: scheme = '', index }): Explanation[] => {
      const from = (start ?? 0) + index
      const to = from + (isInLabel ? url : scheme).length
      if (offset < from || offset >= to) return []
      return [['§3.5', isInLabel ? 'Text: a URL in the text of a link.' : NO_URL, from, to]]
    },
  )
}

const NO_URL =
  'Text: a URL starts only after a character that is not a letter or digit, and its host must start with a letter or digit.'

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
    if (node.type === 'link' && !isNamed(input, node)) return []
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
