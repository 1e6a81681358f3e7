/** Each output of the library, as data and as it is copied. Nothing here draws. */

import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { toMarkdown } from '../convert/index.js'
import { type AnyNode, BlockmarkError, type Root, stringify, toBlocks, toHtml, toText } from '../index.js'
import { MARKDOWN, OWN, type Reading } from './dialects.js'
import type { Span } from './highlight-layer.js'
import { type Card, cardOf, messengers } from './messengers.js'
import { spanOfNode } from './pairing.js'

/** A parsed text. */
export interface Read extends Reading {
  readonly text: string
  readonly dialect: string
}

/** An output as its panel draws it. */
export type View =
  | {
      readonly kind: 'message'
      readonly html: string
      readonly nodes: Root['children']
      /** The text as GitHub shows it; null if it is not CommonMark. */
      readonly commonmark: string | null
    }
  | { readonly kind: 'cards'; readonly cards: readonly Card[] }
  | { readonly kind: 'lines'; readonly lines: readonly TreeLine[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'replay' }

/** A line of the tree: a node's type, the rest of the line, and the node's position in the text. */
export interface TreeLine {
  readonly indent: string
  readonly type: string
  readonly fields: string
  readonly span: Span | null
}

/** An output, and the text for the Copy button. */
export interface Output {
  readonly view: View
  readonly copied: string
}

/** Characters of CommonMark that are rendered: micromark takes longer than the rest of the page. */
const COMMONMARK_LENGTH_MAX = 20_000

/** The outputs by name. */
export const outputs: Readonly<Record<string, (read: Read) => Output>> = {
  preview: messageOutput,
  replay: ({ text }) => ({ view: { kind: 'replay' }, copied: text }),
  messengers: cardsOutput,
  html: textual(({ tree }) => toHtml(tree)),
  tree: treeOutput,
  curl: textual((read) => curlOf(blocksOf(read))),
  typescript: textual((read) => typescriptOf(blocksOf(read))),
  blocks: textual((read) => JSON.stringify(blocksOf(read), null, 2)),
  text: textual(({ tree }) => toText(tree)),
  dialect: textual(({ tree }) => stringify(tree)),
  markdown: textual(({ tree }) => toMarkdown(tree)),
}

/** Makes an output that is text; if the message cannot be written, for example because it is empty, the text is the reason. */
function textual(write: (read: Read) => string): (read: Read) => Output {
  return (read) => {
    try {
      const text = write(read)
      return { view: { kind: 'text', text }, copied: text }
    } catch (error) {
      if (!(error instanceof BlockmarkError)) throw error
      return { view: { kind: 'text', text: error.message }, copied: error.message }
    }
  }
}

function messageOutput({ text, dialect, tree }: Read): Output {
  const html = toHtml(tree)
  const commonmark = dialect === MARKDOWN ? commonmarkOf(text.slice(0, COMMONMARK_LENGTH_MAX)) : null
  return { view: { kind: 'message', html, nodes: tree.children, commonmark }, copied: html }
}

/** Renders CommonMark with GFM as GitHub does. Without its dangerous options, micromark writes HTML in the text as text. */
export function commonmarkOf(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

function cardsOutput({ tree }: Read): Output {
  const cards = messengers.map((messenger) => cardOf(messenger, tree))
  const copied = cards.map(({ name, payload }) => `${name}\n\n${payload}`).join('\n\n\n')
  return { view: { kind: 'cards', cards }, copied }
}

/** Fields that add nothing to the type. */
const unshown = new Set(['type', 'children', 'position', 'ordered', 'spread', 'title'])

function treeOutput({ tree }: Read): Output {
  const lines: TreeLine[] = []
  const open: { node: AnyNode; depth: number }[] = [{ node: tree, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    lines.push({ indent: '  '.repeat(depth), type: node.type, fields: fieldsOf(node), span: spanOfNode(node) })
    if ('children' in node) for (const child of node.children.toReversed()) open.push({ node: child, depth: depth + 1 })
  }
  return { view: { kind: 'lines', lines }, copied: JSON.stringify(tree, null, 2) }
}

function fieldsOf(node: AnyNode): string {
  const fields = Object.entries(node).filter(([name]) => !unshown.has(name))
  const shown = fields.map(([name, value]) =>
    name === 'value' ? JSON.stringify(value) : `${name}=${JSON.stringify(value)}`,
  )
  const { position } = node
  const place = position === undefined ? [] : [`@${position.start.offset}–${position.end.offset}`]
  return [...shown, ...place].map((field) => ` ${field}`).join('')
}

function blocksOf({ text, dialect, tree }: Read): string[] {
  return toBlocks(dialect === OWN ? text : tree)
}

function curlOf(blocks: readonly string[]): string {
  const body = JSON.stringify({ channel: 'welcome', blocks }, null, 2)
  return `curl "$BLOCKMARK_URL/api/public/postThread" -H "Authorization: Bearer $BLOCKMARK_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", `'\\''`)}'`
}

function typescriptOf(blocks: readonly string[]): string {
  return `import { createClient } from 'blockmark/client'

const bot = createClient({
  baseUrl: process.env.BLOCKMARK_URL ?? '',
  apiKey: process.env.BLOCKMARK_API_KEY ?? '',
})
await bot.postThread({ channel: 'welcome', blocks: ${JSON.stringify(blocks, null, 2)} })`
}
