/** Parses the literal parts of a template, and finds the placeholders of its values in the tree. */
import { parse } from '../parse/index.js'
import type { Block, Paragraph, Phrasing } from '../tree.js'

/** The parsed literal parts of one call site of `md`. */
export interface Template {
  readonly blocks: readonly TemplateBlock[]
  /** Matches a placeholder; group 1 is the index of its value. */
  readonly placeholder: RegExp
}

export interface TemplateBlock {
  readonly block: Block
  /** The lines of a paragraph; empty for other blocks. */
  readonly lines: readonly Line[]
  /** Whether the block begins on the line after the end of the previous block, without a blank line between them. */
  readonly isNextLine: boolean
}

/** The nodes of a line, or the index of a value that is alone on its line. */
export type Line = readonly Phrasing[] | number

/** Literal text and the indexes of values, alternating. */
type Pieces = readonly (string | number)[]

/**
 * Parses the literal parts of a template with a placeholder for each value.
 *
 * @throws {TypeError} if `strings` is not from a template, or contains an invalid escape
 */
export function compile(strings: TemplateStringsArray): Template {
  // A literal part with an invalid escape is undefined, although its type does not say so.
  const literals: readonly (string | undefined)[] = strings
  if (!Array.isArray(strings) || !strings.raw)
    throw new TypeError('md: expected a template, md`…`, received a call, md(…)')
  if (literals.includes(undefined)) throw new TypeError('md: expected a template with valid escapes')
  const literalParts = strings.map((cooked, at) =>
    strings.raw[at] === cooked ? cooked : readLiteral(strings.raw[at] ?? '', cooked),
  )
  const edge = edgeFor(literalParts.join(''))
  // The URL of a named link needs a scheme (§3.4), so a placeholder at its start contains a `:`.
  const source = literalParts.reduce(
    (before, after, at) => `${before}${edge}${at - 1}${before.endsWith('](') ? ':' : ''}${edge}${after}`,
  )
  const template: Template = { blocks: [], placeholder: new RegExp(`${edge}(\\d+):?${edge}`) }
  let line = 0
  const blocks = parse(source).children.map((block): TemplateBlock => {
    const isNextLine = block.position?.start.line === line + 1
    line = block.position?.end.line ?? line
    return { block, lines: block.type === 'paragraph' ? linesOf(template, block) : [], isNextLine }
  })
  return { ...template, blocks }
}

/** Any of JavaScript's escapes; `.` includes line endings. */
const ESCAPE = /\\(?:u\{.*?\}|u.{4}|x..|.)/gs

/**
 * Replaces JavaScript's escapes in a raw literal part by their meanings, which are in `cooked`. A backslash directly before a
 * special character stays, because it is an escape of the dialect (§3.1).
 */
function readLiteral(raw: string, cooked: string): string {
  /** The number of characters by which `raw` is longer than `cooked` up to the next escape. */
  let surplus = 0
  return raw.replace(ESCAPE, (escapeText: string, offset: number) => {
    const start = offset - surplus
    // An escaped line ending is removed, and a code point above U+FFFF has two code units.
    const length = /[\n\u2028\u2029]/.test(escapeText) ? 0 : /\{0*[1-9a-f]\w{4}/i.test(escapeText) ? 2 : 1
    surplus += escapeText.length - length
    return /^\\[*_\-[\]<#:]/.test(escapeText) ? escapeText : cooked.slice(start, start + length)
  })
}

/**
 * Returns the capital letters with which a placeholder begins and ends. Letters are valid everywhere, also in ids and schemes. The
 * literal parts do not contain this sequence, even if delimiters are removed. It is short, because a scheme has at most 32 characters
 * (§3.4).
 */
function edgeFor(literals: string): string {
  const letters = literals.replace(/[\W_]/g, '')
  let edge = ''
  // The candidates are single letters, then pairs of letters, and so on.
  for (let number = 26; letters.includes(edge); number += 1) edge = number.toString(36).replace(/\d/g, '').toUpperCase()
  return edge
}

function linesOf(template: Template, { children }: Paragraph): Line[] {
  const lines: Phrasing[][] = [[]]
  for (const node of children) {
    if (node.type === 'break') lines.push([])
    else lines.at(-1)?.push(node)
  }
  return lines.map((line) => {
    const [node, ...others] = line
    if (node?.type !== 'text' || others.length > 0) return line
    const [before, index, after, ...more] = splitAtPlaceholders(template, node.value)
    const isAlone = before === '' && after === '' && more.length === 0
    return isAlone && typeof index === 'number' ? index : line
  })
}

/** Splits a field of the tree at its placeholders. */
export function splitAtPlaceholders({ placeholder }: Template, field: string): Pieces {
  return field.split(placeholder).map((piece, at) => (at % 2 === 0 ? piece : Number(piece)))
}
