/** The entry `blockmark/markdown`: CommonMark with GFM, in and out. */
export { fromMarkdown, toMarkdown } from './markdown.js'
export type { WritingOptions } from './names.js'
export type { ConversionOptions, Converted, MarkdownOptions } from './options.js'
export type { MarkdownStream } from './stream.js'
export { createMarkdownStream } from './stream.js'
