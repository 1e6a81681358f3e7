/** The entry `blockmark/markdown`: CommonMark with GFM, in and out. */

import { gfmToMarkdown } from 'mdast-util-gfm'
import { defaultHandlers, type Options, toMarkdown as writeMarkdown } from 'mdast-util-to-markdown'
import { describe } from '../describe.js'
import type { Source } from '../index.js'
import { fromMdast } from './blocks.js'
import { htmlReader } from './html-blocks.js'
import { parseDocument, parserOf } from './markdown/read.js'
import type { WritingOptions } from './names.js'
import { type Converted, type MarkdownOptions, rulesFrom } from './options.js'
import { toMdast } from './to-mdast.js'

export type { MarkdownStream } from './markdown/stream.js'
export { createMarkdownStream } from './markdown/stream.js'
export type { WritingOptions } from './names.js'
export type { Converted, MarkdownOptions } from './options.js'

/**
 * Converts Markdown to the dialect's tree, and returns it with diagnostics (mdast-util-from-markdown's function of this name
 * returns mdast). Reads CommonMark with GFM, and the math and tags that models write. Nothing visible is lost: a construct that
 * the dialect lacks is degraded in the way that loses least, and each loss is a diagnostic with its position. Where CommonMark
 * or GFM would format or link text by accident, the dialect's rule applies. Time is linear for every input: a part that
 * has delimiters stays as typed if a paragraph or table row in it has more than 20,000 characters, 2,000 delimiters or 2,000
 * lines, and so do parts in which very many nested quotes or lists end. The length of a document is not limited.
 *
 * @param markdown - the text, for example a model's output, a README or an issue
 * @param options - how mentions, emphasis, math, tables and tags of models are read
 * @returns the tree, in normal form, and the diagnostics
 * @throws {TypeError} if `markdown` is not a string, or an option is not valid
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, diagnostics } = fromMarkdown('### Result\n\n- [x] _done_, <@7|Ann>')
 * stringify(tree) // => '**Result**\n\n* ☑ *done*, \\<@7|Ann>'
 * diagnostics.map(({ ruleId }) => ruleId) // => ['heading-depth', 'task-item', 'mention']
 */
export function fromMarkdown(markdown: string, options: MarkdownOptions = {}): Converted {
  if (typeof markdown !== 'string')
    throw new TypeError(`fromMarkdown: expected a string, received ${describe(markdown)}`)
  const rules = rulesFrom(options)
  const { children, diagnostics } = parseDocument(markdown, rules)
  return fromMdast({ type: 'root', children }, options, diagnostics, htmlReader(parserOf(rules)))
}

/**
 * Writes CommonMark with GFM that shows the same text: underline → emphasis, because CommonMark has no underline; mention → `@`
 * and the name; file → its name in brackets; link with a scheme that §6 does not allow → its text and URL. Lines that look like
 * items and quotes (`1. x`, `• x`, `> x`) become lists and quotes, unless `literal` is set.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - names of users and files, and `literal`
 * @returns the Markdown, without a line ending at its end
 * @throws {TypeError} if `source` is not a string, a tree or an array of both
 * @throws {BlockmarkError} if a tree is not valid
 * @example
 * toMarkdown('_now_ (<@7|Ann>): see 2*3*4') // => '*now* (@Ann): see 2\\*3\\*4'
 */
export function toMarkdown(source: Source, options: WritingOptions = {}): string {
  const extensions = [withoutAddressEscapes(gfmToMarkdown()), upperCaseSchemeEscapes]
  return writeMarkdown(toMdast(source, options), {
    extensions,
    handlers: { link, text },
    bullet: '-',
    rule: '-',
  }).replace(/\n$/, '')
}

/** Escapes the colon of `HTTP://`, which GFM links, too. Otherwise, the link would include the backslash before a `<`. */
const upperCaseSchemeEscapes: Options = {
  unsafe: [
    {
      character: ':',
      before: '[PS]',
      after: '\\/',
      inConstruct: 'phrasing',
      notInConstruct: ['autolink', 'link', 'image', 'label'],
    },
  ],
}

/** Returns the extension without the escapes in e-mail addresses, because GFM links escaped addresses too. */
function withoutAddressEscapes({ extensions, unsafe, ...others }: Options): Options {
  return {
    ...others,
    extensions: extensions?.map(withoutAddressEscapes) ?? null,
    unsafe: unsafe?.filter(({ character }) => character !== '@') ?? null,
  }
}

/** Writes text without needless escapes: `[1]`, `#general`, `R&D`. No definitions are written, so brackets are text. */
const text: Handle = (node, _, state, info) => {
  const { value } = node
  return withoutAmpersandEscapes(state.safe(value, info))
    .replace(/\\(?=\[[^[\]\\\n]*\](.?))/g, (backslash, next: string, at: number) => {
      const isBox = at === 0 && /^\[[ xX]\]/.test(value)
      return isBox || /[(:[]/.test(next || info.after) ? backslash : ''
    })
    .replace(/\\(?=#+[^#\s])/g, '')
}

/** Writes a link without needless escapes of ampersands in its URL. */
const link: Handle = Object.assign<Handle, object>(
  (node, parent, state, info) => withoutAmpersandEscapes(defaultHandlers.link(node, parent, state, info)),
  { peek: defaultHandlers.link.peek },
)

type Handle = NonNullable<NonNullable<Options['handlers']>['text']>

/** Removes the escapes of ampersands that do not begin a character reference. */
function withoutAmpersandEscapes(markdown: string): string {
  return markdown.replace(/\\&(?!#?\w+;)/g, '&')
}
