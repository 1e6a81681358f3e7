/** What every conversion into the dialect takes and gives. */
import { describe } from '../describe.js'
import type { Message } from '../message.js'
import type { Root } from '../tree.js'

/** How foreign text is taken in. */
export interface ConversionOptions {
  /**
   * Which users a `<@id|label>` in foreign text may mention: nobody (default), or those with these ids. All others stay
   * text, so that nothing a model or a stranger writes notifies people.
   */
  mentions?: 'none' | readonly string[] | undefined
}

/** How Markdown is read. */
export interface MarkdownOptions extends ConversionOptions {
  /**
   * Where emphasis closes: also where the dialect sees that it does (default), since models write `**注意：**正文` and
   * `**Status:**OK`, or to the letter of CommonMark.
   */
  emphasis?: 'dialect' | 'commonmark' | undefined
}

/** A tree of the dialect, and what it could not hold of what it was made from. */
export interface Converted {
  tree: Root
  /** In the order of the source. */
  messages: Message[]
}

/** The users who may be mentioned. Throws TypeError where they are no array: of a string each character would be one. */
export function idsIn({ mentions = 'none' }: ConversionOptions): ReadonlySet<string> {
  if (mentions === 'none') return new Set()
  if (Array.isArray(mentions)) return new Set<string>(mentions)
  throw new TypeError(`mentions: expected 'none' or an array of ids, received ${describe(mentions)}`)
}
