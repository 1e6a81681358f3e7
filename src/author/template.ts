/**
 * A template tag that keeps markup and values apart. What stands between the values is the dialect, and is parsed once
 * for each call site, with a made-up word in the place of each value; a call fills the values into a copy of that tree.
 * So no value is ever parsed, and what stands around it can not depend on it.
 */
import type { Block, Phrasing, Root } from '../tree.js'
import type { Child, TextValue } from './builders.js'
import { compile, type Template } from './compile.js'
import { fill } from './fill.js'
import type { UrlValue } from './values.js'

/** What can stand in a template: text, a URL, a node, the result of another template, an array of them, or nothing. */
export type TemplateValue = Child<TextValue | UrlValue | Phrasing | Block | Root>

/**
 * Writes a message: the literal parts are the dialect, the values are content. To what stands around it a value is a
 * word, whatever it holds: `**${a}**` and `https://${a}/b` are markup, `${a}_${b}` and `${a}-${b}` are not.
 *
 * - In a literal part, a backslash directly before one of `* _ - [ ] < # :` is the dialect's escape, as typed: md`\*` shows a star.
 *   Any other escape is JavaScript's.
 * - A string, number, bigint or date is text. Its line endings are breaks, or one space each where no line can end: in a
 *   heading, an item, a code span, a label, an info string. In a link's target and in fenced code it is as it is.
 * - A `URL` is a link; in a link's target or label, and in code, it is its text.
 * - A node is that node. What another template gave stands as its source would: a single paragraph anywhere, other
 *   blocks alone on their line, where items join the list on the lines around them.
 * - An array is its values in a row. null, undefined and false are nothing, and alone on a line not even that line.
 *
 * @param strings - the literal parts
 * @param values - what stands between them
 * @returns the tree; only the nodes among the values are not its own
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle` where a value can not stand where it does
 * @throws {TypeError} where only text can stand and a value is none, or the literal parts hold an invalid escape
 * @example
 * const [user, branch] = ['*Ann*', 'fix_it']
 * toHtml(md`**${user}** pushed ${branch}`) // => '<p><strong>*Ann*</strong> pushed fix_it</p>'
 */
export function md(strings: TemplateStringsArray, ...values: readonly TemplateValue[]): Root {
  let template = templates.get(strings)
  if (template === undefined) {
    template = compile(strings)
    templates.set(strings, template)
  }
  return fill(template, values)
}

/** By the array of the literal parts, of which a call site has one. */
const templates: WeakMap<TemplateStringsArray, Template> = new WeakMap()
