/** What the package offers: parse a message, render it. */
export type { ParseOptions } from './parse/index.js'
export { parse } from './parse/index.js'
export { toHast } from './render/hast.js'
export { toHtml } from './render/html.js'
export { toText } from './render/text.js'
export type * from './tree.js'
