/** Reads messages of Slack: mrkdwn, Block Kit and payloads. */

import type { RootContent } from 'mdast'
import { byOffset, fromMdast } from '../../convert/from-mdast.js'
import { type ConversionOptions, type Converted, idsIn } from '../../convert/options.js'
import { describe } from '../../describe.js'
import { type Diagnostic, printable } from '../../diagnostic.js'
import { normalize } from '../../index.js'
import { createLocator } from '../../search.js'
import { type AnyNode, isBareLink, type Root } from '../../tree.js'
import { readAttachment } from './attachment.js'
import { readBlock } from './block-kit.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, paragraph, plainParagraphs } from './nodes.js'
import {
  fieldOf,
  listIn,
  type MarkdownReader,
  nameFrom,
  note,
  type SlackNames,
  type SlackReading,
  stringIn,
} from './reading.js'

/** Options of {@link fromSlack}. */
export interface SlackOptions extends ConversionOptions, SlackNames {
  /** Reads `markdown` blocks: `fromMarkdown` of `blockmark/markdown`. Without it, they are read as the dialect. */
  markdown?: MarkdownReader | undefined
}

/**
 * Reads a message of Slack: mrkdwn (bare URLs are links), blocks as the API returns them (`rich_text`, `section`, `header`,
 * `context`, `table` and so on), or a whole payload with attachments and files, as bots post it. All visible text stays. A
 * construct that the dialect lacks is degraded, and a diagnostic names it.
 *
 * @param source - mrkdwn, an array of blocks, or a message; its text is read only if it has no blocks
 * @param options - the users that may be mentioned, by Slack's ids (default: none), callbacks that name users, channels and
 * `:shortcodes:`, and the reader of `markdown` blocks
 * @returns a tree that `stringify` writes and `parse` reads back unchanged, and diagnostics with the position in the mrkdwn, the
 * index of the block or the path of the attachment
 * @throws {TypeError} if the source, an option or the result of a callback is not valid
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, diagnostics } = fromSlack('*Done* (<@U7|ann>): <https://example.com/log|the log> &amp; more (<!here>)')
 * stringify(tree) // => '**Done** (@ann): [the log](https://example.com/log) & more (@here)'
 * diagnostics.map(({ ruleId }) => ruleId) // => ['mention', 'slack-element']
 *
 * const alert = { text: 'Deploy', attachments: [{ color: 'danger', title: 'v7 failed', fields: [{ title: 'Env', value: 'eu' }] }] }
 * stringify(fromSlack(alert).tree) // => 'Deploy\n\n🟥 **v7 failed**\n\n**Env:** eu'
 *
 * const emoji = (name: string) => (name === 'tada' ? '🎉' : undefined)
 * stringify(fromSlack('Done :tada: <@U7>', { emoji, mention: () => ({ name: 'Ann', id: '42' }) }).tree) // => 'Done 🎉 <@42|Ann>'
 */
export function fromSlack(source: string | object, options: SlackOptions = {}): Converted {
  const { parts, placeOf } = partsOf(source)
  const shared = { mentions: idsIn(options), names: options, markdown: readerIn(options), placeOf }
  const all: Converted = { tree: { type: 'root', children: [] }, diagnostics: [] }
  for (const { read, where } of parts) {
    const reading: SlackReading = { ...shared, diagnostics: [] }
    const { tree, diagnostics } = fromMdast({ type: 'root', children: read(reading) })
    for (const child of tree.children) all.tree.children.push(child)
    for (const diagnostic of [...reading.diagnostics, ...diagnostics].toSorted(byOffset))
      all.diagnostics.push(printable({ ...diagnostic, ...where }))
  }
  return { ...all, tree: withEmoji(all.tree, options) }
}

/** Replaces the shortcodes that the caller's callback knows, and the skin tones after them. */
function withEmoji(tree: Root, { emoji }: SlackOptions): Root {
  if (emoji === undefined) return tree
  const shown = (all: string, name: string, tone: string | undefined): string => {
    const found = nameFrom('emoji', emoji(name))
    // The tones 2 to 6 are U+1F3FB to U+1F3FF.
    return found === undefined ? all : found + (tone === undefined ? '' : String.fromCodePoint(0x1f3f9 + Number(tone)))
  }
  const replaced = <Node extends AnyNode>(node: Node): Node => {
    if (node.type === 'text') return { ...node, value: node.value.replace(SHORTCODE, shown) }
    if (!('children' in node) || (node.type === 'link' && isBareLink(node))) return node
    // The children keep their types.
    return { ...node, children: (node.children as AnyNode[]).map(replaced) } as Node
  }
  return normalize(replaced(tree)).tree
}

const SHORTCODE = /:([\p{L}\p{M}\p{N}_+'-]{1,100}):(?::skin-tone-([2-6]):)?/gu

function readerIn({ markdown = undefined }: SlackOptions): MarkdownReader | null {
  if (markdown === undefined || typeof markdown === 'function') return markdown ?? null
  throw new TypeError(`fromSlack: markdown: expected fromMarkdown, received ${describe(markdown)}`)
}

/** A message has at least one of these fields; a block has a type. */
const fields = ['text', 'blocks', 'attachments', 'files', 'type']

function noMessage(received: string): TypeError {
  return new TypeError(`fromSlack: expected a string, an array of blocks or a message, received ${received}`)
}

/** A part of a message, and the fields that name it in a diagnostic. */
interface SlackPart {
  readonly read: (reading: SlackReading) => RootContent[]
  readonly where: Pick<Diagnostic, 'block' | 'path'>
}

/** Returns the parts of a message, and the positions in its text if it is mrkdwn. */
function partsOf(source: string | object): { parts: SlackPart[]; placeOf: SlackReading['placeOf'] } {
  if (typeof source === 'string')
    return { parts: [{ read: (reading) => readMrkdwn(source, reading), where: {} }], placeOf: createLocator(source) }
  if (typeof source !== 'object' || source === null) throw noMessage(describe(source))
  if (!Array.isArray(source) && !fields.some((name) => name in source))
    throw noMessage('an object without text, blocks, attachments or files')
  return { parts: partsOfObject(source), placeOf: () => undefined }
}

function partsOfObject(source: object): SlackPart[] {
  const blocks: readonly unknown[] = Array.isArray(source) ? source : listIn(source, 'blocks')
  const parts = blocks.map(
    (block, index): SlackPart => ({ read: (reading) => readBlock(block, reading), where: { block: index } }),
  )
  if (Array.isArray(source)) return parts
  const attachments = listIn(source, 'attachments')
  const isAlone = !['blocks', 'attachments', 'files', 'channel'].some((name) => name in source)
  // A single block may have a text, too.
  if (isAlone && typeof fieldOf(source, 'type') === 'string' && fieldOf(source, 'type') !== 'message')
    return [{ read: (reading) => readBlock(source, reading), where: { block: 0 } }]
  const text = stringIn(source, 'text')
  const isPlain = fieldOf(source, 'mrkdwn') === false
  if (blocks.length === 0 && text !== '')
    parts.push({
      read: (reading) => (isPlain ? plainParagraphs(text) : readMrkdwn(text, reading)),
      where: { path: ['text'] },
    })
  for (const [index, attachment] of attachments.entries())
    parts.push({ read: (reading) => readAttachment(attachment, reading), where: { path: ['attachments', index] } })
  for (const [index, file] of listIn(source, 'files').entries())
    parts.push({ read: (reading) => readFile(file, reading), where: { path: ['files', index] } })
  return parts
}

/** A file is a link to its page in Slack, or to its content. */
function readFile(file: unknown, reading: SlackReading): RootContent[] {
  note(reading, 'slack-file')
  const url = stringIn(file, 'permalink') || stringIn(file, 'url_private')
  const name = stringIn(file, 'title') || stringIn(file, 'name') || stringIn(file, 'id')
  if (url === '' && name === '') return []
  return [paragraph(linkTo(url, url === '' ? `[file: ${name}]` : name || url))]
}
