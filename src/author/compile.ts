/** Parses the literal parts of a template, and knows them again in the tree. */
import { parse } from '../parse/index.js'
import type { Block, Paragraph, Phrasing } from '../tree.js'

/** What is known of a call site. */
export interface Template {
  readonly blocks: readonly TemplateBlock[]
  /** A word that stands for a value; it catches the value's index. */
  readonly word: RegExp
  /** The fields of the tree that have been cut at the words. */
  readonly pieces: Map<string, Pieces>
}

export interface TemplateBlock {
  readonly block: Block
  /** Of a paragraph. */
  readonly lines: readonly Line[]
  /** Whether it begins on the line behind the block before it. */
  readonly isNextLine: boolean
}

/** What a line holds or, of a value that is alone on it, its index. */
export type Line = readonly Phrasing[] | number

/** Literal text and the indexes of values in turns. */
type Pieces = readonly (string | number)[]

/**
 * Parses the literal parts with a word in the place of each value.
 *
 * @throws {TypeError} if the argument is not the literal parts of a template, or a part has an invalid escape
 */
export function compile(strings: TemplateStringsArray): Template {
  // Whatever the type says, an escape that JavaScript does not know leaves no string.
  const literals: readonly (string | undefined)[] = strings
  if (!Array.isArray(strings) || !strings.raw)
    throw new TypeError('md: expected a template, md`…`, received a call, md(…)')
  if (literals.includes(undefined)) throw new TypeError('md: expected a template with valid escapes')
  const parts = strings.map((cooked, at) => (strings.raw[at] === cooked ? cooked : readLiteral(strings.raw[at] ?? '')))
  const mark = markFor(parts.join(''))
  // A link's target begins with a scheme (§3.4).
  const source = parts.reduce(
    (before, behind, at) => `${before}${mark}${at - 1}${before.endsWith('](') ? ':' : ''}${mark}${behind}`,
  )
  const template: Template = { blocks: [], word: new RegExp(`${mark}(\\d+):?${mark}`), pieces: new Map() }
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
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' },
  ...{ '\n': '', '\r': '', '\u2028': '', '\u2029': '' },
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
 * What a word begins and ends with: capital letters, as ids and schemes may have them, and some that the literal parts
 * do not have in a row, even when all their markers are gone. They are few, so that a scheme has room for them (§3.4).
 */
function markFor(literals: string): string {
  const letters = literals.replace(/[\W_]/g, '')
  let mark = ''
  // Q to Z, the other letters, and in the end all pairs of them, and more.
  for (let number = 26; letters.includes(mark); number += 1) mark = number.toString(36).replace(/\d/g, '').toUpperCase()
  return mark
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
    const [before, index, behind, ...more] = cut(template, node.value)
    const isAlone = before === '' && behind === '' && more.length === 0
    return isAlone && typeof index === 'number' ? index : line
  })
}

/** Cuts a field of the tree at the words in it. */
export function cut({ pieces, word }: Template, field: string): Pieces {
  let found = pieces.get(field)
  if (found === undefined) {
    found = field.split(word).map((piece, at) => (at % 2 === 0 ? piece : Number(piece)))
    pieces.set(field, found)
  }
  return found
}
