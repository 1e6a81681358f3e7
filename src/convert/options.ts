/** Options and result of every conversion into the dialect. */
import { describe } from '../describe.js'
import type { Diagnostic } from '../diagnostic.js'
import type { Root } from '../tree.js'

/** Options for reading Markdown. */
export interface MarkdownOptions {
  /**
   * Users that a `<@id|label>` may mention: none (default), or the users with these ids. Other mentions stay text, so nothing that a
   * model or a stranger writes notifies people.
   */
  mentions?: 'none' | readonly string[] | undefined
  /**
   * The form of a table: code with aligned columns, a list with one item per row, or (default) items if a row is wider than
   * 60 columns or contains a link, else code.
   */
  tables?: 'auto' | 'code' | 'items' | undefined
  /**
   * `code` (default): `$$…$$` and `\[…\]` become code blocks with the language `math`, and `$…$` and `\(…\)` become inline
   * code. `text`: all formulas stay as typed.
   */
  math?: 'code' | 'text' | undefined
  /**
   * Whether CommonMark and GFM are followed to the letter. By default, the dialect's rules apply where CommonMark and GFM would
   * not read what was meant: `**注意：**正文` closes, `4*k*4` and `3~5` are text, a bare URL ends before `。`.
   */
  commonmark?: boolean | undefined
  /** Whether a soft line break is a break, as chats show it. By default it is a space. */
  breaks?: boolean | undefined
  /**
   * Elements of models' outputs, by name: `{ think: 'drop' }` leaves out `<think>…</think>`, `{ think: 'quote' }` makes it a
   * quote. Tags that are neither HTML nor named here stay text.
   */
  tags?: Readonly<Record<string, 'drop' | 'quote'>> | undefined
  /** The name of the element in `tags` that is open when the text begins: some outputs lack the start tag. */
  startsIn?: string | undefined
}

/** A tree of the dialect, and diagnostics for the parts of the source that the dialect cannot contain. */
export interface Converted {
  tree: Root
  /** The diagnostics, in the order of the source. */
  diagnostics: Diagnostic[]
}

/** The options with their defaults. */
export interface Rules {
  readonly mentions: ReadonlySet<string>
  readonly tables: 'auto' | 'code' | 'items'
  readonly math: 'code' | 'text'
  readonly commonmark: boolean
  readonly breaks: boolean
  /** The tags of models by their names in lower case, because HTML ignores the case of names. */
  readonly tags: ReadonlyMap<string, 'drop' | 'quote'>
  readonly startsIn: string | null
}

/**
 * Returns the options with their defaults.
 *
 * @throws {TypeError} if the value of an option is not one of its choices
 */
export function rulesFrom(options: MarkdownOptions): Rules {
  if (typeof options !== 'object' || options === null) throw unexpectedOption('options', 'an object', options)
  const { mentions = 'none', tables = 'auto', math = 'code', commonmark = false, breaks = false } = options
  const tags = tagsIn(options.tags ?? {})
  const startsIn = options.startsIn?.toLowerCase?.() ?? options.startsIn ?? null
  // A string is not accepted: each of its characters would be an id.
  if (mentions !== 'none' && !(Array.isArray(mentions) && mentions.every((id) => typeof id === 'string')))
    throw unexpectedOption('mentions', "'none' or an array of ids", mentions)
  if (!/^(?:auto|code|items)$/.test(tables)) throw unexpectedOption('tables', "'auto', 'code' or 'items'", tables)
  if (!/^(?:code|text)$/.test(math)) throw unexpectedOption('math', "'code' or 'text'", math)
  for (const [name, value] of Object.entries({ commonmark, breaks }))
    if (typeof value !== 'boolean') throw unexpectedOption(name, 'a boolean', value)
  if (startsIn !== null && !tags.has(startsIn)) throw unexpectedOption('startsIn', 'a name in `tags`', startsIn)
  return { mentions: new Set(mentions === 'none' ? [] : mentions), tables, math, commonmark, breaks, tags, startsIn }
}

function tagsIn(tags: NonNullable<MarkdownOptions['tags']>): Rules['tags'] {
  if (typeof tags !== 'object' || Array.isArray(tags)) throw unexpectedOption('tags', 'an object', tags)
  for (const [name, use] of Object.entries(tags)) {
    if (!/^[a-z][\w-]*$/i.test(name)) throw unexpectedOption('tags', 'names of tags', name)
    if (use !== 'drop' && use !== 'quote') throw unexpectedOption(`tags.${name}`, "'drop' or 'quote'", use)
  }
  return new Map(Object.entries(tags).map(([name, use]) => [name.toLowerCase(), use]))
}

function unexpectedOption(option: string, expected: string, received: unknown): TypeError {
  return new TypeError(`${option}: expected ${expected}, received ${describe(received)}`)
}
