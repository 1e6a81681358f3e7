/**
 * `blockmark/markdown`: CommonMark with GFM, in and out. `markdown.ts` has the functions; this file says which packages to
 * install if one is missing.
 */
import type { Source } from '../index.js'
import { orInstall } from '../missing.js'
import type { Converted, MarkdownOptions } from './options.js'
import type { MarkdownStream } from './stream.js'
import type { WritingOptions } from './to-mdast.js'

export type { ConversionOptions, Converted, MarkdownOptions } from './options.js'
export type { MarkdownStream } from './stream.js'
export type { WritingOptions } from './to-mdast.js'

const packages = ['mdast-util-from-markdown', 'mdast-util-gfm', 'mdast-util-to-markdown', 'micromark-extension-gfm']

const markdown: typeof import('./markdown.js') = await import('./markdown.js').catch(
  orInstall('blockmark/markdown', packages),
)

/**
 * Reads CommonMark with GFM, and the math and tags that models write. Nothing visible is lost: a construct that the dialect
 * lacks is degraded in the way that loses least, and each loss is a diagnostic with its position. Time is bounded for every
 * input: a paragraph or table row with more than 20 KB, 2,000 delimiters or 2,000 lines stays as typed, and so do texts after
 * many of those. Lists, quotes, tables, code and documents have no limit.
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
export const fromMarkdown: (markdown: string, options?: MarkdownOptions) => Converted = markdown.fromMarkdown

/**
 * Reads CommonMark with GFM while it arrives, for example a model's output. However a text is cut, the blocks that `push` and
 * `finish` return are `fromMarkdown(text, options).tree.children`. Only a reference whose definition comes later stays text,
 * and so does the definition; a diagnostic says so. A returned block never changes.
 *
 * A push takes time linear in the chunk, plus once the length of each line, text, row or block that ends with it. A list, a
 * table, a quote or code is returned at its end. Reading `tail` parses only the open text or row.
 *
 * @param options - the options of `fromMarkdown`
 * @returns an empty stream
 * @throws {TypeError} if an option is not valid
 * @example
 * import { stringify, toText } from 'blockmark'
 *
 * const stream = createMarkdownStream()
 * stream.push('### Plan\n\n1. **Ask').map((block) => toText({ type: 'root', children: [block] })) // => ['Plan']
 * stringify(stream.tail) // => '1. **Ask**'
 * stream.push('** [the team](https://exa')
 * stringify(stream.tail) // => '1. **Ask** the team'
 * stream.push('mple.com)\n').length // => 0
 * stringify({ type: 'root', children: stream.finish() }) // => '1. **Ask** [the team](https://example.com)'
 */
export const createMarkdownStream: (options?: MarkdownOptions) => MarkdownStream = markdown.createMarkdownStream

/**
 * Writes CommonMark with GFM that shows the same text. Underline, which CommonMark does not have, becomes emphasis, a mention
 * `@` and the name, a file its name in brackets, and a link whose scheme §6 does not allow its text and URL. Lines that look
 * like lists and quotes (`1. x`, `• x`, `> x`) become those, unless `literal` is set.
 *
 * @param source - Markdown of the dialect, a tree, or a post's blocks
 * @param options - names of users and files, and `literal`
 * @returns the Markdown, without a line ending at its end
 * @throws {TypeError} if `source` is not a source
 * @throws {BlockmarkError} if a tree is not valid
 * @example
 * toMarkdown('_now_ (<@7|Ann>): see 2*3*4') // => '*now* (@Ann): see 2\\*3\\*4'
 */
export const toMarkdown: (source: Source, options?: WritingOptions) => string = markdown.toMarkdown
