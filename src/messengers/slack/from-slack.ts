/** Reads messages of Slack: mrkdwn, Block Kit and payloads. */

import type { RootContent } from 'mdast'
import { fromMdast } from '../../convert/blocks.js'
import type { Converted } from '../../convert/options.js'
import { describe } from '../../describe.js'
import { type Diagnostic, printable } from '../../diagnostic.js'
import { normalize } from '../../index.js'
import { createLocator } from '../../search.js'
import { type AnyNode, isBareLink, type Root } from '../../tree.js'
import { readAttachment } from './attachment.js'
import { readBlock } from './block-kit.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, nameFrom, paragraph, plainParagraphs } from './nodes.js'
import { fieldOf, listIn, reportLoss, type SlackOptions, type SlackReading, stringIn } from './reading.js'

/**
 * Reads a message of Slack: mrkdwn (bare URLs are links), blocks as the API returns them (`rich_text`, `section`, `header`,
 * `context`, `table` and so on), or a whole payload with attachments and files, as bots post it. All visible text stays. A
 * construct that the dialect lacks is degraded, and a diagnostic names it.
 *
 * @param source - mrkdwn, an array of blocks, or a message; its text is read only if it has no blocks
 * @param options - callbacks that name users, channels and `:shortcodes:`, and the reader of `markdown` blocks
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
  const { markdown } = options
  if (markdown !== undefined && typeof markdown !== 'function')
    throw new TypeError(`fromSlack: markdown: expected fromMarkdown, received ${describe(markdown)}`)
  const placeOf = typeof source === 'string' ? createLocator(source) : () => undefined
  const reading: SlackReading = { options, placeOf, diagnostics: [] }
  const all: Converted = { tree: { type: 'root', children: [] }, diagnostics: [] }
  for (const [children, where] of partsOf(source, reading)) {
    const { tree, diagnostics } = fromMdast({ type: 'root', children }, {}, reading.diagnostics.splice(0))
    for (const child of tree.children) all.tree.children.push(child)
    for (const diagnostic of diagnostics) all.diagnostics.push(printable({ ...diagnostic, ...where }))
  }
  return { ...all, tree: withEmoji(all.tree, options) }
}

/** Replaces the shortcodes that the caller's callback knows, and the skin tones after them. */
function withEmoji(tree: Root, { emoji }: SlackOptions): Root {
  if (emoji === undefined) return tree
  const emojiOf = (all: string, name: string, tone: string | undefined): string => {
    const text = nameFrom('emoji', emoji(name))
    // The tones 2 to 6 are U+1F3FB to U+1F3FF.
    return text === undefined ? all : text + (tone === undefined ? '' : String.fromCodePoint(0x1f3f9 + Number(tone)))
  }
  const replaceIn = <Node extends AnyNode>(node: Node): Node => {
    if (node.type === 'text') return { ...node, value: node.value.replace(SHORTCODE, emojiOf) }
    if (!('children' in node) || (node.type === 'link' && isBareLink(node))) return node
    // The children keep their types, so the cast holds.
    return { ...node, children: (node.children as AnyNode[]).map(replaceIn) } as Node
  }
  return normalize(replaceIn(tree)).tree
}

const SHORTCODE = /:([\p{L}\p{M}\p{N}_+'-]{1,100}):(?::skin-tone-([2-6]):)?/gu

/** Yields the content of each part of a message, and the fields that name the part in a diagnostic. */
function* partsOf(
  source: unknown,
  reading: SlackReading,
): Generator<[RootContent[], where: Pick<Diagnostic, 'block' | 'path'>]> {
  if (typeof source === 'string') return yield [readMrkdwn(source, reading), {}]
  const blocks: readonly unknown[] = Array.isArray(source) ? source : listIn(source, 'blocks')
  for (const [index, block] of blocks.entries()) yield [readBlock(block, reading), { block: index }]
  if (Array.isArray(source)) return
  const text = fieldOf(source, 'text')
  const lists = ['blocks', 'attachments', 'files'].filter((name) => Array.isArray(fieldOf(source, name)))
  if (typeof text !== 'string' && lists.length === 0)
    throw new TypeError(
      `fromSlack: expected a string, an array of blocks, or a message with text, blocks, attachments or files, received ${describe(source)}`,
    )
  const readText = fieldOf(source, 'mrkdwn') === false ? plainParagraphs : readMrkdwn
  if (blocks.length === 0 && typeof text === 'string') yield [readText(text, reading), { path: ['text'] }]
  for (const [index, attachment] of listIn(source, 'attachments').entries())
    yield [readAttachment(attachment, reading), { path: ['attachments', index] }]
  for (const [index, file] of listIn(source, 'files').entries())
    yield [readFile(file, reading), { path: ['files', index] }]
}

/** Reads a file as a link to its page in Slack, or to its content. */
function readFile(file: unknown, reading: SlackReading): RootContent[] {
  reportLoss(reading, 'slack-file')
  const url = stringIn(file, 'permalink') || stringIn(file, 'url_private')
  const name = stringIn(file, 'title') || stringIn(file, 'name') || stringIn(file, 'id')
  if (url === '' && name === '') return []
  return [paragraph(linkTo(url, url === '' ? `[file: ${name}]` : name || url))]
}
