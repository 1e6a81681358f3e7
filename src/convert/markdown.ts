/** CommonMark with GFM, in and out: what `index.ts` offers. */

import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown as writeMarkdown } from 'mdast-util-to-markdown'
import { describe } from '../describe.js'
import type { Source } from '../index.js'
import { fromMdast } from './from-mdast.js'
import { type Converted, type MarkdownOptions, rulesFrom } from './options.js'
import { parseMarkdown } from './read/document.js'
import { toMdast } from './to-mdast.js'

export { createMarkdownStream } from './stream.js'

/** See `index.ts`. */
export function fromMarkdown(markdown: string, options: MarkdownOptions = {}): Converted {
  if (typeof markdown !== 'string')
    throw new TypeError(`fromMarkdown: expected a string, received ${describe(markdown)}`)
  const { tree, messages } = parseMarkdown(markdown, { ...rulesFrom(options), isOnlyHtml: true })
  return fromMdast(tree, options, messages)
}

/** See `index.ts`. */
export function toMarkdown(source: Source): string {
  return writeMarkdown(toMdast(source), { extensions: [gfmToMarkdown(), upperCase], bullet: '-' }).replace(/\n$/, '')
}

/** GFM links `HTTP://` too, whose url would take in the backslash before a `<`; the utility only escapes small letters. */
const upperCase: Options = {
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
