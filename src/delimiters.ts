/**
 * The table of delimiters (§3.6, §4). All code about delimiters reads this table: marking, runs, matching, forced formatting,
 * every output, the serializer and the checks. A new delimiter needs a row here, and a node type in `tree.ts`.
 */
import type { Formatting } from './tree.js'

export interface Delimiter<Node extends Formatting['type'] = Formatting['type']> {
  readonly node: Node
  readonly char: string
  /** The number of characters of the opening delimiter, and of the closing one. */
  readonly length: 1 | 2
  /** The HTML element (§6). */
  readonly element: string
  /**
   * The rule by which a run opens and closes. *Flanking*: CommonMark's rule; a run has any length, matches in twos and ones, and
   * the rule of three applies. *Boundary*: a run is one character, at a position where a word can begin or end.
   */
  readonly rule: 'flanking' | 'boundary'
  /**
   * Whether a word must be between opener and closer. A flanking delimiter that needs a word also cannot format a part of a word,
   * and does not match next to a slash, because of paths and comments.
   */
  readonly needsWord: boolean
  /** Characters before which a boundary delimiter does not open: `->`, `-:` */
  readonly opensNotBefore?: string
  /** Characters after which a boundary delimiter does not close: `:-`, `10,-` */
  readonly closesNotAfter?: string
  /** Characters before which a boundary delimiter does not close: `date +%Y-%m-%d` */
  readonly closesNotBefore?: string
}

/** The rows by node type: the compiler reports a missing row. If two rows share a character, the longer delimiter comes first. */
const table: { readonly [Node in Formatting['type']]: Delimiter<Node> } = {
  strong: { node: 'strong', char: '*', length: 2, element: 'strong', rule: 'flanking', needsWord: false },
  emphasis: { node: 'emphasis', char: '*', length: 1, element: 'em', rule: 'flanking', needsWord: true },
  underline: { node: 'underline', char: '_', length: 1, element: 'u', rule: 'boundary', needsWord: true },
  delete: {
    node: 'delete',
    char: '-',
    length: 1,
    element: 'del',
    rule: 'boundary',
    needsWord: true,
    opensNotBefore: ':;=>',
    closesNotAfter: ':;=<,@：；，、',
    closesNotBefore: '%@\\#',
  },
}

export const delimiters: readonly Delimiter[] = Object.values(table)

/** The characters of the table, each once, in the order of the table. */
export const delimiterChars: readonly string[] = [...new Set(delimiters.map(({ char }) => char))]

/** Whether a character is in the table. */
export function isDelimiter(char: string): boolean {
  return char !== '' && delimiterChars.includes(char)
}

/** The source of a regular expression that matches any character of a delimiter. */
export const anyDelimiter: string = `[${delimiterChars.map((char) => `\\${char}`).join('')}]`

/** Returns the row of a kind of formatting. */
export function delimiterOf(type: Formatting['type']): Delimiter {
  return table[type]
}

const formattingTypes: ReadonlySet<string> = new Set(delimiters.map(({ node }) => node))

/** Whether a node is formatting. The node may come from JSON. */
export function isFormatting(node: { readonly type: string }): node is Formatting {
  return formattingTypes.has(node?.type)
}

/** Returns a delimiter as it is written in a source. */
export function delimiterText({ char, length }: Delimiter): string {
  return length === 2 ? char + char : char
}

/** The separator opens forced formatting if a delimiter follows it, and closes forced formatting if it follows a delimiter (§3.6). */
export const SEPARATOR = '\u2063'
