/** Explains a delimiter run that is text (§4): the parser reads samples in which the same run has other characters next to it. */
import { LETTER, lengthBefore, traits, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { delimiterOf, isDelimiter, isFormatting, SEPARATOR } from '../delimiters.js'
import { isEscapable } from '../parse/units.js'
import type { AnyNode } from '../tree.js'
import { nodesOf } from './find.js'
import { expression } from './replacements.js'
import { rangeOf } from './text.js'

/** A sentence with its section, and the range that it is about. */
export type Explanation = readonly [section: string, message: string, start: number, end: number]

/** A run in a source, and the nodes around it, from the block to the text node. */
interface Run {
  readonly input: string
  readonly path: readonly AnyNode[]
  readonly start: number
  readonly end: number
  readonly mark: string
}

/** The character next to a run. For `_` and `-` it is next to the delimiters that adjoin the run. */
interface Neighbor {
  readonly name: string
  /** A character with the same effect, which is not markup in a sample. */
  readonly sample: string
  /** The delimiters between the run and the character. */
  readonly chain: string
  /** Whether it is an end of the leaf. */
  readonly isEnd: boolean
}

/** Explains the run at `offset`, which is in the text node at the end of `path`. */
export function explainRun(input: string, offset: number, path: readonly AnyNode[]): Explanation[] {
  const [start, end] = runAt(input, offset)
  const mark = input.slice(start, end)
  const run = { input, path, start, end, mark }
  const explanation = (message: string): Explanation => ['§4', `This \`${mark}\` ${message}.`, start, end]
  if (mark.length > 1 && !mark.startsWith('*')) {
    return [explanation(`is text: only a single \`${mark.charAt(0)}\` is a delimiter`)]
  }
  const [textStart = 0, textEnd = 0] = path.slice(-1).flatMap(rangeOf)
  if (start < textStart || end > textEnd) return [['§4', 'Left over: the rest of its run has partners.', start, end]]
  if (mark === '*' && (traitsBefore(input, start) & traitsAt(input, endOfBackslash(input, end)) & LETTER) !== 0) {
    return [explanation('is text: it is alone in a word')]
  }
  const [before, after] = neighborsOf(run)
  const opens = canOpen(before, mark, after)
  const closes = canClose(before, mark, after)
  const reasons: Explanation[] = []
  if (opens) reasons.push(otherLine(run, 'start') ?? explanation('could open, but nothing after it closes it'))
  else if (!closes) reasons.push(explanation(`cannot open: ${blocking(before, mark, after, canOpen, [' ', 'x'])}`))
  if (closes) reasons.push(otherLine(run, 'end') ?? explanation('could close, but no opener before it fits'))
  else if (canClose(before, mark, after, 'a *y ')) {
    reasons.push(explanation('can close only inside an open `*`: a `*` follows directly'))
  } else if (!opens) reasons.push(explanation(`cannot close: ${blocking(before, mark, after, canClose, ['x', ' '])}`))
  return reasons
}

/** Returns the offsets of the run of equal unescaped characters at `offset`. */
export function runAt(input: string, offset: number): [start: number, end: number] {
  let [start, end] = [offset, offset + 1]
  while (start > 0 && input.charAt(start - 1) === input.charAt(offset)) start -= 1
  while (input.charAt(end) === input.charAt(offset)) end += 1
  return [start < offset && isEscaped(input, start) ? start + 1 : start, end]
}

/** Whether the number of backslashes before an offset is odd. */
export function isEscaped(input: string, offset: number): boolean {
  let start = offset
  while (input.charAt(start - 1) === '\\') start -= 1
  return (offset - start) % 2 === 1
}

function endOfBackslash(input: string, at: number): number {
  return input.charAt(at) === '\\' && isEscapable(input.charCodeAt(at + 1)) ? at + 1 : at
}

function canOpen(before: Neighbor, mark: string, after: Neighbor): boolean {
  return isDelimiting(`a ${before.sample}${before.chain}`, mark, `${after.chain}${after.sample}bc${mark}`)
}

function canClose(before: Neighbor, mark: string, after: Neighbor, start = 'a '): boolean {
  return isDelimiting(`${start}${mark}bc${before.sample}${before.chain}`, mark, `${after.chain}${after.sample} a`)
}

/** Whether formatting starts or ends in `mark` if it is between two other strings. */
function isDelimiting(before: string, mark: string, after: string): boolean {
  const [from, to] = [before.length, before.length + mark.length]
  return nodesOf(before + mark + after).some((node) => {
    return isFormatting(node) && ((from <= node.start && node.start < to) || (from < node.end && node.end <= to))
  })
}

/** Names the neighbor whose replacement would help, or both. */
function blocking(
  before: Neighbor,
  mark: string,
  after: Neighbor,
  can: typeof canOpen,
  [otherBefore, otherAfter]: readonly [before: string, after: string],
): string {
  const isBefore = can({ ...before, sample: otherBefore }, mark, after)
  const isAfter = can(before, mark, { ...after, sample: otherAfter })
  if (isBefore === isAfter) return `it is between ${before.name} and ${after.name}`
  if (isBefore) return before.isEnd ? `it is at ${before.name}` : `it follows ${before.name}`
  return after.isEnd ? `it is at ${after.name}` : `${after.name} follows it`
}

/** The reason of a run that would start or end formatting if its leaf were one line. */
function otherLine({ input, path, start, end, mark }: Run, side: 'start' | 'end'): Explanation | undefined {
  const [leafStart, leafEnd] = leafOf(path)
  const line = input.slice(leafStart, leafEnd).replace(/[\r\n]/g, ' ')
  const node = nodesOf(input.slice(0, leafStart) + line + input.slice(leafEnd)).find((node) => {
    return isFormatting(node) && node[side] === (side === 'start' ? start : end)
  })
  if (node === undefined) return undefined
  return side === 'start'
    ? [
        '§4',
        `This \`${mark}\` could open, but its line ends first.`,
        start,
        start + input.slice(start).search(/[\r\n]/),
      ]
    : ['§4', `This \`${mark}\` could close, but its opener is on an earlier line.`, node.start, end]
}

/** Returns the range of the leaf around a path's last node. */
function leafOf(path: readonly AnyNode[]): [start: number, end: number] {
  const leaf = path.find(({ type }) => type === 'heading' || type === 'paragraph')
  const children: readonly AnyNode[] = leaf !== undefined && 'children' in leaf ? leaf.children : []
  const [start = 0] = children.slice(0, 1).flatMap(rangeOf)
  const [, end = 0] = children.slice(-1).flatMap(rangeOf)
  return [start, end]
}

function neighborsOf({ input, path, start, end }: Run): [before: Neighbor, after: Neighbor] {
  // The content of a forced pair is a sequence of its own, for which its ends count as brackets.
  const forced = path.filter(isFormatting).findLast((node) => input.charAt(rangeOf(node)[0]) === SEPARATOR)
  const length = forced === undefined ? 0 : delimiterOf(forced.type).length + 1
  const [outerStart, outerEnd] = forced === undefined ? leafOf(path) : rangeOf(forced)
  const [first, last] = [outerStart + length, outerEnd - length]
  let [from, to] = [start, end]
  if (input.charAt(start) !== '*') {
    while (from > first && isDelimiter(input.charAt(from - 1))) from -= 1
    if (from < start && isEscaped(input, from)) from += 1
    while (to < last && isDelimiter(input.charAt(to))) to += 1
  }
  const neighborAt = (at: number, side: 'start' | 'end', chain: string, isEnd: boolean): Neighbor => {
    if (isEnd && forced === undefined) return { name: `the ${side} of the text`, sample: ' ', chain, isEnd }
    if (isEnd) return { name: 'a forced delimiter', sample: side === 'start' ? '[' : ']', chain, isEnd: false }
    return { ...characterAt(input, at), chain, isEnd }
  }
  const at = from - lengthBefore(input, from)
  const neighbor = neighborAt(at, 'start', input.slice(from, start), from <= first)
  const isLink = path.some(
    (node) => 'children' in node && node.children.some((child) => child.type === 'link' && rangeOf(child)[1] === from),
  )
  return [
    isLink && input.charAt(at) === ')' ? { ...neighbor, sample: '[x](y:z)' } : neighbor,
    neighborAt(to, 'end', input.slice(end, to), to >= last),
  ]
}

/** Samples for characters that would be markup next to others in a sample. */
const SAMPLES: Readonly<Record<string, string>> = { '`': '`x`', '\\': '\\\\', [SEPARATOR]: '\u2060' }

/** Names the character at an offset, or the escaped one after it, and gives its sample. */
function characterAt(input: string, offset: number): { name: string; sample: string } {
  const at = endOfBackslash(input, offset)
  const char = String.fromCodePoint(input.codePointAt(at) ?? 0)
  if ((traits(char.codePointAt(0) ?? 0) & WHITE_SPACE) !== 0) return { name: 'white space', sample: ' ' }
  if (at > offset) return { name: `an escaped \`${char}\``, sample: `\\${char}` }
  const sample = isEscapable(char.charCodeAt(0)) && isEscaped(input, at) ? `\\${char}` : (SAMPLES[char] ?? char)
  return { name: nameOf(char), sample: sample === '.' && input.slice(at - 1, at + 2).includes('..') ? '..' : sample }
}

function nameOf(char: string): string {
  if (char === '`') return 'a backtick'
  const has = (source: string): boolean => expression(source, 'u').test(char)
  if (has('\\p{Cf}|\\p{Mn}')) return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return `${has('\\p{L}') ? 'the letter ' : has('\\p{N}') ? 'the digit ' : ''}\`${char}\``
}
