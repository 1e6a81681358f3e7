/**
 * `blockmark/markdown`: CommonMark with GFM, in and out. What is here is in `markdown.ts`; this file says what to install
 * where a package is missing.
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
 * Reads CommonMark with GFM. Nothing visible is lost; what the dialect has no construct for is degraded in the way that
 * loses least, and each loss is a message with the place. Whatever the input, time stays in bounds: a paragraph or a row
 * of a table with more than 20 KB, 2,000 delimiters or 2,000 lines stays as it was typed, and so do those that follow
 * very many of them; lists, quotes, tables, code and documents may be as long as they like.
 *
 * @param markdown - the text of a model, of a README, of an issue
 * @param options - how mentions, emphasis, math, tables and tags of models are read
 * @returns a tree that `stringify` writes and `parse` reads back as it is, and what was lost
 * @throws {TypeError} when the input is no string
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, messages } = fromMarkdown('### Result\n\n- [x] _done_, <@7|Ann>')
 * stringify(tree) // => '**Result**\n\n* ☑ *done*, \\<@7|Ann>'
 * messages.map(({ ruleId }) => ruleId) // => ['heading-depth', 'task-item', 'mention']
 */
export const fromMarkdown: (markdown: string, options?: MarkdownOptions) => Converted = markdown.fromMarkdown

/**
 * Reads CommonMark with GFM while it arrives, as a model's answer does. For every text and every way to cut it, all the
 * blocks that `push` and `finish` return in a row are `fromMarkdown(text, options).tree.children`, except that a reference
 * whose definition comes later stays text, and so does that definition (`messages` says so); none changes after it was
 * given.
 *
 * A push takes time linear in the chunk, plus once the length of what it ends: a line, a text, a row, an item, and the
 * block that is given then. What can still change is the text or the row that is being written, and of a list whether it
 * is one of the dialect's, which is why a list, a table, a quote or code is given when it ends. Reading `tail` parses no
 * more than that text or row, and takes time linear in the block that is open.
 *
 * @param options - those of `fromMarkdown`
 * @returns a stream that nothing has been pushed to
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
