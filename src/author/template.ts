/**
 * A template tag that separates markup from values. The literal parts are parsed once for each call site, with a placeholder for
 * each value. A call fills the values into a copy of that tree. So a value is never parsed, and the tree around it does not
 * depend on it.
 */
import type { Block, Phrasing, Root } from '../tree.js'
import { compile, type Template } from './compile.js'
import { fill } from './fill.js'
import type { Child, TextValue, UrlValue } from './values.js'

/** A value in a template: text, a URL, a node, the result of another template, an array of them, or a value that is left out. */
export type TemplateValue = Child<TextValue | UrlValue | Phrasing | Block | Root>

/**
 * Builds a message: the literal parts are the dialect, the values are content. For the markup around it, a value is a word: `**${a}**`
 * and `https://${a}/b` are markup, `${a}_${b}` and `${a}-${b}` are not.
 *
 * - In a literal part, a backslash directly before one of `* _ - [ ] < # :` is the dialect's escape, as typed: md`\*` shows a star.
 *   Any other escape is JavaScript's.
 * - A string, number, bigint or date is text. Its line endings become breaks; in a heading, an item, a code span, a label or an info
 *   string, spaces. In a link's URL and in fenced code the text is unchanged.
 * - A `URL` is a link; in a link and in code it is its text.
 * - A node is that node. The result of another template can be a single paragraph anywhere, or other blocks alone on their line. Its
 *   items join the list on the lines around it.
 * - An array inserts its elements one after another. `null`, `undefined` and `false` insert nothing, and remove a line that has
 *   nothing else.
 *
 * @param strings - the literal parts
 * @param values - the values between them
 * @returns the tree; it shares only the nodes among the values
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if a value is not valid in its position
 * @throws {TypeError} if a value must be text and is not, or a literal part has an invalid escape
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

/** The parsed templates, by their array of literal parts; each call site has one array. */
const templates: WeakMap<TemplateStringsArray, Template> = new WeakMap()
