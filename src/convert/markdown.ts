/** Converts CommonMark with GFM in both directions, for `index.ts`. */

import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown as writeMarkdown } from 'mdast-util-to-markdown'
import { describe } from '../describe.js'
import type { Source } from '../index.js'
import { fromMdast } from './from-mdast.js'
import { type Converted, type MarkdownOptions, rulesFrom } from './options.js'
import { parseMarkdown } from './read/document.js'
import { toMdast, type WritingOptions } from './to-mdast.js'

export { createMarkdownStream } from './stream.js'

/** See `index.ts`. */
export function fromMarkdown(markdown: string, options: MarkdownOptions = {}): Converted {
  if (typeof markdown !== 'string')
    throw new TypeError(`fromMarkdown: expected a string, received ${describe(markdown)}`)
  const { tree, diagnostics } = parseMarkdown(markdown, { ...rulesFrom(options), isOnlyHtml: true })
  return fromMdast(tree, options, diagnostics)
}

/** See `index.ts`. */
export function toMarkdown(source: Source, options: WritingOptions = {}): string {
  const extensions = [withoutAddresses(gfmToMarkdown()), upperCase]
  return writeMarkdown(toMdast(source, options), { extensions, handlers: { text }, bullet: '-' }).replace(/\n$/, '')
}

/** GFM also links `HTTP://`, and such a URL would include the backslash before a `<`. The utility escapes lower case only. */
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

/** The extension without the escapes in e-mail addresses, because GFM links escaped addresses too. */
function withoutAddresses({ extensions, unsafe, ...others }: Options): Options {
  return {
    ...others,
    extensions: extensions?.map(withoutAddresses) ?? null,
    unsafe: unsafe?.filter(({ character }) => character !== '@') ?? null,
  }
}

/** Writes text without escaping the brackets of a file: they are a link only if a target follows. */
const text: NonNullable<NonNullable<Options['handlers']>['text']> = (node, _, state, info) => {
  const { value } = node
  return state
    .safe(value, info)
    .replace(/\\(?=\[file: [^[\]\n]*\](.?))/g, (backslash, next: string) =>
      /[(:[]/.test(next || info.after) ? backslash : '',
    )
}
