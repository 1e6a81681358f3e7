/** CommonMark with GFM, in and out: what `index.ts` offers. */
import type { Root as MdastRoot } from 'mdast'
import { type Options as ParserOptions, fromMarkdown as parseMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown as writeMarkdown } from 'mdast-util-to-markdown'
import { gfm } from 'micromark-extension-gfm'
import type { Source } from '../index.js'
import { bound } from './bound.js'
import { fromMdast } from './from-mdast.js'
import type { ConversionOptions, Converted } from './options.js'
import { messageOf } from './rules.js'
import { toMdast } from './to-mdast.js'

/** See `index.ts`. */
export function fromMarkdown(markdown: string, options: ConversionOptions = {}): Converted {
  if (typeof markdown !== 'string') throw new TypeError(`fromMarkdown: expected a string, received ${typeof markdown}`)
  const bounded = bound(markdown, parseBlocks)
  if (bounded === null) return fromMdast(plainDocument(markdown), options)
  const mdast = parseMarkdown(bounded.markdown, parserOptions)
  bounded.restore(mdast)
  const { tree, messages } = fromMdast(mdast, options, bounded.plain)
  return { tree, messages: [...bounded.plain.map((place) => messageOf('block-limit', place)), ...messages] }
}

/** See `index.ts`. */
export function toMarkdown(source: Source): string {
  return writeMarkdown(toMdast(source), { extensions: [gfmToMarkdown()], bullet: '-' }).replace(/\n$/, '')
}

const parserOptions: ParserOptions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** The constructs of phrasing, and tables, which hold it: without them a parse finds blocks only, in linear time. */
const phrasingConstructs: readonly string[] = ['attention', 'autolink', 'characterEscape', 'characterReference']
  .concat(['codeText', 'hardBreakEscape', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'])
  .concat(['strikethrough', 'wwwAutolink', 'protocolAutolink', 'emailAutolink', 'tasklistCheck'])
  .concat(['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'table'])

const blockOptions: ParserOptions = {
  extensions: [gfm(), { disable: { null: [...phrasingConstructs] } }],
  // What would look for addresses in the text.
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
}

function parseBlocks(markdown: string): MdastRoot {
  return parseMarkdown(markdown, blockOptions)
}

/** Only a text that was made to defeat the bounds has every character of private use in it. */
function plainDocument(markdown: string): MdastRoot {
  const paragraphs = markdown.split(/(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\s*/)
  return {
    type: 'root',
    children: paragraphs.map((value) => ({ type: 'paragraph', children: [{ type: 'text', value }] })),
  }
}
