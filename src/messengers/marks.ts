/**
 * Writes lines for a product that formats text between marks (`*bold*`) and has no escapes. Next to a mark that is meant as text,
 * an invisible gap keeps it from formatting.
 */

import { isInvisible, splitLines } from '../convert/lines.js'
import type { Formatting, Link, Mention, Phrasing } from '../tree.js'
import { edgesOf } from './message.js'

/** The marks of a product. */
export interface Marks {
  /** The mark of each kind of formatting; null if the product lacks it. */
  readonly formatting: Readonly<Record<Formatting['type'], string | null>>
  /** Returns the backticks around a code span; null if the product cannot show it. */
  readonly fenceOf: (value: string) => string | null
  readonly gap: string
  /** Writes a mention or a link, in which the product finds no marks. */
  readonly reference: (node: Mention | Link) => string
  /** Escapes characters that begin other commands of the product. */
  readonly escape?: (value: string, isCode: boolean) => string
  /** Matches the start of a line that would begin an item or a quote. */
  readonly lineStart?: RegExp
}

/** Writes phrasing. Formatting ends with its line. */
export function writeMarked(nodes: readonly Phrasing[], marks: Marks): string {
  return splitLines(nodes)
    .map((line) => writeLine(line, marks))
    .join('\n')
}

/** A piece of a line: plain characters, a mark, or text in which the product finds no marks. */
interface Token {
  readonly type: 'text' | 'open' | 'close' | 'verbatim'
  readonly value: string
}

/** The marks that occur more than once in a line, so that two of them could format the text between them. */
type RepeatedMarks = ReadonlySet<string>

function writeLine(nodes: readonly Phrasing[], marks: Marks): string {
  const texts = tokensOf(nodes, marks, new Set()).map(({ value }) => value)
  const repeatedMarks = new Set(['*', '_', '~', '`'].filter((mark) => texts.join('').split(mark).length > 2))
  const tokens = tokensOf(nodes, marks, repeatedMarks)
  let line = ''
  for (const [index, { type, value }] of tokens.entries()) {
    const closerBefore = tokens[index - 1]?.type === 'close' ? tokens[index - 1]?.value : undefined
    // A mark counts only if no letter or digit is next to its outer side.
    const isInWord =
      (type === 'open' && WORD_END.test(line.slice(-4))) || (closerBefore !== undefined && WORD_START.test(value))
    if (isInWord || (type === 'open' && closerBefore?.[0] === value[0])) line += marks.gap
    const around = [tokens[index - 1]?.value, tokens[index + 1]?.value] as const
    line += type === 'text' ? separate(value, repeatedMarks, marks.gap, ...around) : value
  }
  const { lineStart } = marks
  return tokens[0]?.type === 'text' && lineStart !== undefined ? line.replace(lineStart, `$&${marks.gap}`) : line
}

function tokensOf(
  nodes: readonly Phrasing[],
  marks: Marks,
  repeatedMarks: RepeatedMarks,
  open: readonly string[] = [],
): readonly Token[] {
  const escapeText = marks.escape ?? ((value: string) => value)
  return nodes.flatMap((node): readonly Token[] => {
    switch (node.type) {
      case 'text':
        return piecesOf('text', escapeText(node.value, false))
      case 'break':
        return []
      case 'inlineCode': {
        const fence = isInvisible(node.value) ? null : marks.fenceOf(node.value)
        if (fence === null) return piecesOf('text', escapeText(node.value, false))
        return enclose(fence, [{ type: 'verbatim', value: escapeText(node.value, true) }])
      }
      case 'mention':
      case 'link':
        return piecesOf('verbatim', marks.reference(node))
      default: {
        const mark = marks.formatting[node.type]
        // A mark inside the same mark is omitted: bold text in a heading needs none, because the heading is bold already.
        if (mark === null || open.includes(mark)) return tokensOf(node.children, marks, repeatedMarks, open)
        return formatTokens(mark, tokensOf(node.children, marks, repeatedMarks, [...open, mark]), repeatedMarks)
      }
    }
  })
}

/** Separates white space at the ends as text, because a mark next to white space does not format. */
function piecesOf(type: Token['type'], value: string): readonly Token[] {
  const tokens = edgesOf(value).map((part, index): Token => ({ type: index === 1 ? type : 'text', value: part }))
  return tokens.filter((token) => token.value !== '')
}

/** Formats the visible tokens, unless a repeated mark in text is their first or last character, because it needs a gap there. */
function formatTokens(mark: string, tokens: readonly Token[], repeatedMarks: RepeatedMarks): readonly Token[] {
  const start = tokens.findIndex(isShown)
  const end = tokens.findLastIndex(isShown) + 1
  const [first, last] = [tokens[start], tokens[end - 1]]
  const isBare =
    (first?.type === 'text' && repeatedMarks.has(first.value.charAt(0))) ||
    (last?.type === 'text' && repeatedMarks.has(last.value.slice(-1)))
  if (start < 0 || isBare) return tokens
  return [...tokens.slice(0, start), ...enclose(mark, tokens.slice(start, end)), ...tokens.slice(end)]
}

function enclose(mark: string, tokens: readonly Token[]): readonly Token[] {
  return [{ type: 'open', value: mark }, ...tokens, { type: 'close', value: mark }]
}

function isShown({ type, value }: Token): boolean {
  return type !== 'text' || !isInvisible(value)
}

/** Matches a letter or digit at the end, with its combining marks, for example a vowel of Thai. */
const WORD_END = /[\p{L}\p{N}]\p{M}*$/u
const WORD_START = /^[\p{L}\p{N}]/u

/** Puts gaps next to marks in a text. A mark inside a word or before a space does not need a gap, but a backtick does. */
function separate(value: string, repeatedMarks: RepeatedMarks, gap: string, before = '', after = ''): string {
  return value.replace(/[*_~`]/g, (mark, at: number) => {
    const left = at > 0 ? value.slice(Math.max(0, at - 2), at) : before
    const right = value.slice(at + 1, at + 3) || after
    const isCode = mark === '`'
    if (!repeatedMarks.has(mark) || (!isCode && WORD_END.test(left.slice(-2)) && WORD_START.test(right))) return mark
    return (isCode || /\S$/.test(left) ? gap : '') + mark + (isCode || /^\S/.test(right) ? gap : '')
  })
}
