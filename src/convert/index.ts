/** The entry `blockmark/markdown`: CommonMark with GFM, in and out. */

export type { MarkdownStream } from './markdown/stream.js'
export { createMarkdownStream } from './markdown/stream.js'
export { fromMarkdown, toMarkdown } from './markdown.js'
export type { WritingOptions } from './names.js'
export type { Converted, MarkdownOptions } from './options.js'
