/** Parses the literal parts of a template, and finds them in the tree. */
import { parse } from '../parse/index.js'
import type { Block, Paragraph, Phrasing } from '../tree.js'

/** The parsed literal parts of a call site. */
export interface Template {
  readonly blocks: readonly TemplateBlock[]
  /** Matches a placeholder; group 1 is the index of its value. */
  readonly placeholder: RegExp
}

export interface TemplateBlock {
  readonly block: Block
  /** The lines of a paragraph; empty for other blocks. */
  readonly lines: readonly Line[]
  /** Whether the block begins on the line directly after the block before it. */
  readonly isNextLine: boolean
}

/** The nodes of a line, or the index of a value that is alone on it. */
export type Line = readonly Phrasing[] | number

/** Literal text and the indexes of values, alternating. */
type Pieces = readonly (string | number)[]

/**
 * Parses the literal parts with a placeholder for each value.
 *
 * @throws {TypeError} if the argument is not the literal parts of a template, or a part has an invalid escape
 */
export function compile(strings: TemplateStringsArray): Template {
  // The literal part is undefined if it has an invalid escape, although its type does not say so.
  const literals: readonly (string | undefined)[] = strings
  if (!Array.isArray(strings) || !strings.raw)
    throw new TypeError('md: expected a template, md`…`, received a call, md(…)')
  if (literals.includes(undefined)) throw new TypeError('md: expected a template with valid escapes')
  const parts = strings.map((cooked, at) => (strings.raw[at] === cooked ? cooked : readLiteral(strings.raw[at] ?? '')))
  const edge = edgeFor(parts.join(''))
  // The URL of a named link begins with a scheme (§3.4).
  const source = parts.reduce(
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

/** A hexadecimal escape, or a backslash and the character after it. */
const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gis

/** Escapes of one letter, and of the end of a line. */
const MEANINGS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
  '\n': '',
  '\r': '',
  '\u2028': '',
  '\u2029': '',
}

/**
 * Reads a literal part from its raw string: a backslash directly before a special character is the dialect's (§3.1), every other
 * escape is JavaScript's.
 */
function readLiteral(raw: string): string {
  return raw.replace(ESCAPE, (typed: string, braced?: string, four?: string, two?: string, char = '') => {
    const code = braced ?? four ?? two
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
    return /[*_\-[\]<#:]/.test(char) ? typed : (MEANINGS[char] ?? char)
  })
}

/**
 * Returns the characters that a placeholder begins and ends with: capital letters, which ids and schemes can contain. The literal
 * parts do not contain them, even without their delimiters. They are few, because a scheme has at most 32 characters (§3.4).
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
    const [before, index, after, ...more] = cut(template, node.value)
    const isAlone = before === '' && after === '' && more.length === 0
    return isAlone && typeof index === 'number' ? index : line
  })
}

/** Splits a field of the tree at its placeholders. */
export function cut({ placeholder }: Template, field: string): Pieces {
  return field.split(placeholder).map((piece, at) => (at % 2 === 0 ? piece : Number(piece)))
}
