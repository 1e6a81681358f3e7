/** Options and result of every conversion into the dialect. */
import { describe } from '../describe.js'
import type { Diagnostic } from '../diagnostic.js'
import type { Root } from '../tree.js'

/** How foreign text is converted. */
export interface ConversionOptions {
  /**
   * Users that a `<@id|label>` in foreign text may mention: none (default), or those with the given ids. All others stay
   * text, so nothing that a model or a stranger writes notifies people.
   */
  mentions?: 'none' | readonly string[] | undefined
  /**
   * The form of a table: code with aligned columns, a list with one item per row, or (default) items if a row is wider than
   * 60 columns or contains a link, else code.
   */
  tables?: 'auto' | 'code' | 'items' | undefined
  /**
   * Formulas: `$$…$$` and `\[…\]` become code blocks with the language `math`, `$…$` and `\(…\)` inline code (default), or
   * all of them stay text as typed.
   */
  math?: 'code' | 'text' | undefined
}

/** How Markdown is read. */
export interface MarkdownOptions extends ConversionOptions {
  /**
   * Whether CommonMark and GFM are followed to the letter. By default, the dialect's rules count where they would format or link
   * what people and models did not mean: `**注意：**正文` closes, `4*k*4` and `3~5` are text, a bare URL ends before `。`.
   */
  commonmark?: boolean | undefined
  /** Whether a soft line break is a break, as chats show it. By default it is a space. */
  breaks?: boolean | undefined
  /**
   * Elements of models' outputs, by name: `{ think: 'drop' }` leaves out `<think>…</think>`, `{ think: 'quote' }` makes it a
   * quote. Tags that are neither HTML nor named here stay text.
   */
  tags?: Readonly<Record<string, 'drop' | 'quote'>> | undefined
  /** The name of the element in `tags` that the text begins inside of: some outputs lack the start tag. */
  startsIn?: string | undefined
}

/** A tree of the dialect, and diagnostics for the parts of the source that it cannot contain. */
export interface Converted {
  tree: Root
  /** The diagnostics, in the order of the source. */
  diagnostics: Diagnostic[]
}

/**
 * Returns the ids of users that may be mentioned.
 *
 * @throws {TypeError} if `mentions` is not an array: each character of a string would be an id
 */
export function idsIn({ mentions = 'none' }: ConversionOptions): ReadonlySet<string> {
  if (mentions === 'none') return new Set()
  if (Array.isArray(mentions) && mentions.every((id) => typeof id === 'string')) return new Set<string>(mentions)
  throw new TypeError(`mentions: expected 'none' or an array of ids, received ${describe(mentions)}`)
}

/** The options apart from `mentions`, without the ones left out. */
export interface Rules {
  readonly tables: 'auto' | 'code' | 'items'
  readonly math: 'code' | 'text'
  readonly commonmark: boolean
  readonly breaks: boolean
  /** The tags of models by their names in lower case, because HTML compares names so. */
  readonly tags: ReadonlyMap<string, 'drop' | 'quote'>
  readonly startsIn: string | null
}

/**
 * Returns the options with their defaults.
 *
 * @throws {TypeError} if the value of an option is not one of its choices
 */
export function rulesFrom(options: MarkdownOptions): Rules {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`options: expected an object, received ${describe(options)}`)
  const tags = tagsIn(options.tags ?? {})
  return {
    tables: choiceOf('tables', options.tables, ['auto', 'code', 'items']),
    math: choiceOf('math', options.math, ['code', 'text']),
    commonmark: isSet('commonmark', options.commonmark),
    breaks: isSet('breaks', options.breaks),
    tags,
    startsIn: startIn(tags, options.startsIn),
  }
}

/** Returns the value if it is allowed, and the first allowed value if the option is left out. */
function choiceOf<Choice extends string>(
  name: string,
  value: unknown,
  allowed: readonly [Choice, ...Choice[]],
): Choice {
  const chosen = allowed.find((choice) => choice === (value ?? allowed[0]))
  if (chosen !== undefined) return chosen
  throw new TypeError(`${name}: expected ${listed(allowed)}, received ${describe(value)}`)
}

function isSet(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  throw new TypeError(`${name}: expected a boolean, received ${describe(value)}`)
}

function startIn(tags: Rules['tags'], name: unknown): string | null {
  if (name === undefined) return null
  if (typeof name === 'string' && tags.has(name.toLowerCase())) return name.toLowerCase()
  throw new TypeError(`startsIn: expected a name in \`tags\`, received ${describe(name)}`)
}

function tagsIn(tags: NonNullable<MarkdownOptions['tags']>): Rules['tags'] {
  if (typeof tags !== 'object' || Array.isArray(tags))
    throw new TypeError(`tags: expected an object, received ${describe(tags)}`)
  for (const [name, use] of Object.entries(tags)) {
    if (!/^[a-z][\w-]*$/i.test(name)) throw new TypeError(`tags: expected names of tags, received ${describe(name)}`)
    if (use !== 'drop' && use !== 'quote')
      throw new TypeError(`tags.${name}: expected ${listed(['drop', 'quote'])}, received ${describe(use)}`)
  }
  return new Map(Object.entries(tags).map(([name, use]) => [name.toLowerCase(), use]))
}

function listed(values: readonly string[]): string {
  return values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, (?='[^']*'$)/, ' or ')
}
