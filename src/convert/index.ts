/**
 * `blockmark/markdown`: CommonMark with GFM, in and out. What is here is in `markdown.ts`; this file says what to install
 * where a package is missing.
 */
import type { Source } from '../index.js'
import type { ConversionOptions, Converted } from './options.js'

export type { ConversionOptions, Converted } from './options.js'

const packages = ['mdast-util-from-markdown', 'mdast-util-gfm', 'mdast-util-to-markdown', 'micromark-extension-gfm']

const markdown: typeof import('./markdown.js') = await import('./markdown.js').catch((cause: unknown) => {
  const isMissing = cause instanceof Error && packages.some((name) => cause.message.includes(name))
  if (!isMissing) throw cause
  throw new Error(`blockmark/markdown needs packages that are not here: npm install ${packages.join(' ')}`, { cause })
})

/**
 * Reads CommonMark with GFM. Nothing visible is lost; what the dialect has no construct for is degraded in the way that
 * loses least, and each loss is a message with the place. Whatever the input, time stays in bounds: a block with more
 * than 20 KB, 2,000 delimiters or 2,000 lines comes in as plain text, and so does what follows very many of them.
 *
 * @param markdown - the text of a model, of a README, of an issue
 * @param options - who may be mentioned in it: by default nobody
 * @returns a tree that `stringify` writes and `parse` reads back as it is, and what was lost
 * @throws {TypeError} when the input is no string
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, messages } = fromMarkdown('### Result\n\n- [x] _done_, <@7|Ann>')
 * stringify(tree) // => '**Result**\n\n* ☑ *done*, \\<@7|Ann>'
 * messages.map(({ ruleId }) => ruleId) // => ['heading-depth', 'task-item', 'mention']
 */
export const fromMarkdown: (markdown: string, options?: ConversionOptions) => Converted = markdown.fromMarkdown

/**
 * Writes CommonMark with GFM: what it renders shows the same text. Underline, which CommonMark does not have, is emphasis,
 * a mention is `@` and its name, a file its name in brackets, and a link whose scheme §6 does not allow its label and url.
 *
 * @param source - markdown of the dialect, a tree, or a post's blocks
 * @returns the Markdown, without a line ending at its end
 * @throws {TypeError} when the source is none
 * @example
 * toMarkdown('_now_, <@7|Ann>: see 2*3*4') // => '*now*, @Ann: see 2\\*3\\*4'
 */
export const toMarkdown: (source: Source) => string = markdown.toMarkdown
