/** `blockmark/slack`: Slack's mrkdwn and Block Kit in, mrkdwn out. */

import type { RootContent } from 'mdast'
import { describe } from '../../describe.js'
import type { Message } from '../../message.js'
import { printable } from '../../message.js'
import { byOffset, fromMdast } from '../from-mdast.js'
import { type ConversionOptions, type Converted, idsIn } from '../options.js'
import { readAttachment } from './attachment.js'
import { plainParagraphs, readBlock } from './block-kit.js'
import { fieldOf, listIn, stringIn } from './fields.js'
import { readMrkdwn } from './mrkdwn.js'
import { nowhere, placesIn } from './places.js'
import type { Reading } from './reading.js'

export type { ConversionOptions, Converted } from '../options.js'
export { toSlack } from './write.js'
export { type RichTextBlock, type SlackBlocksOptions, toSlackBlocks } from './write-blocks.js'

/**
 * Reads a message of Slack: its mrkdwn (bare urls in it are links), its blocks as the API gives them (`rich_text`,
 * `section`, `header`, `context`, `table` and so on), or the whole of it with attachments, as bots post it. What is shown
 * stays; what the dialect has no construct for is degraded, each time with a message that names it.
 *
 * @param source - mrkdwn, an array of blocks, or a message, of which the text shows where there are no blocks
 * @param options - who may be mentioned, by Slack's ids: by default nobody
 * @returns a tree that `stringify` writes and `parse` reads back as it is, and what was lost: with the place in the mrkdwn,
 * or with the index of the block or the path of the attachment
 * @throws {TypeError} when the source is none of these
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, messages } = fromSlack('*Done* (<@U7|ann>): <https://example.com/log|the log> &amp; more (<!here>)')
 * stringify(tree) // => '**Done** (@ann): [the log](https://example.com/log) & more (@here)'
 * messages.map(({ ruleId }) => ruleId) // => ['mention', 'slack-element']
 *
 * const alert = { text: 'Deploy', attachments: [{ color: 'danger', title: 'v7 failed', fields: [{ title: 'Env', value: 'eu' }] }] }
 * stringify(fromSlack(alert).tree) // => 'Deploy\n\n🟥\n\n**v7 failed**\n\n**Env:** eu'
 */
export function fromSlack(source: string | object, options: ConversionOptions = {}): Converted {
  const allowed = idsIn(options)
  if (typeof source === 'string') {
    const reading: Reading = { messages: [], mentions: allowed, placeOf: placesIn(source) }
    const { tree, messages } = fromMdast({ type: 'root', children: readMrkdwn(source, reading) })
    return { tree, messages: [...reading.messages, ...messages].toSorted(byOffset) }
  }
  if (typeof source !== 'object' || source === null) throw noMessage(describe(source))
  if (!Array.isArray(source) && !fields.some((name) => name in source))
    throw noMessage('an object without text, blocks or attachments')
  const all: Converted = { tree: { type: 'root', children: [] }, messages: [] }
  for (const { read, where } of partsOf(source)) {
    const reading: Reading = { messages: [], mentions: allowed, placeOf: nowhere }
    const { tree, messages } = fromMdast({ type: 'root', children: read(reading) })
    for (const child of tree.children) all.tree.children.push(child)
    for (const message of [...reading.messages, ...messages]) all.messages.push(printable({ ...message, ...where }))
  }
  return all
}

/** A message has one of these at least, a block its type. */
const fields = ['text', 'blocks', 'attachments', 'type']

function noMessage(received: string): TypeError {
  return new TypeError(`fromSlack: expected a string, an array of blocks or a message, received ${received}`)
}

/** A part of a message, and what says of a remark that it is about it. */
interface Part {
  readonly read: (reading: Reading) => RootContent[]
  readonly where: Pick<Message, 'block' | 'path'>
}

function partsOf(source: object): Part[] {
  const blocks: readonly unknown[] = Array.isArray(source) ? source : listIn(source, 'blocks')
  const parts = blocks.map(
    (block, index): Part => ({ read: (reading) => readBlock(block, reading), where: { block: index } }),
  )
  if (Array.isArray(source)) return parts
  const attachments = listIn(source, 'attachments')
  const isAlone = !['blocks', 'attachments', 'channel'].some((name) => name in source)
  // A block by itself is no message, though some have a text, too.
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
  return parts
}
