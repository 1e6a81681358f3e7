/** `blockmark/slack`: Slack's mrkdwn and Block Kit in, mrkdwn out. */
import type { Message } from '../../message.js'
import { fromMdast } from '../from-mdast.js'
import type { ConversionOptions, Converted } from '../options.js'
import { readBlock, type SlackBlock } from './block-kit.js'
import { readMrkdwn } from './mrkdwn.js'
import { nowhere, placesIn } from './places.js'
import type { Reading } from './reading.js'

export type { ConversionOptions, Converted } from '../options.js'
export type { SlackBlock } from './block-kit.js'
export { toSlack } from './write.js'

/**
 * Reads a message of Slack: its mrkdwn, or its blocks as the API gives them (`rich_text`, `section`, `header`, `context`,
 * `table` and so on). What is shown stays; what the dialect has no construct for is degraded, each time with a message.
 *
 * @param source - mrkdwn, or an array of blocks
 * @param options - who may be mentioned, by Slack's ids: by default nobody
 * @returns a tree that `stringify` writes and `parse` reads back as it is, and what was lost: with the place in the mrkdwn,
 * or with the block's index
 * @throws {TypeError} when the source is neither
 * @example
 * import { stringify } from 'blockmark'
 *
 * const { tree, messages } = fromSlack('*Done*, <@U7|ann>: <https://example.com/log|the log> &amp; more <!here>')
 * stringify(tree) // => '**Done**, @ann: [the log](https://example.com/log) & more @here'
 * messages.map(({ ruleId }) => ruleId) // => ['mention', 'slack-element']
 */
export function fromSlack(source: string | readonly SlackBlock[], options: ConversionOptions = {}): Converted {
  const { mentions = 'none' } = options
  const allowed = new Set(mentions === 'none' ? [] : mentions)
  if (typeof source === 'string') {
    const reading: Reading = { messages: [], mentions: allowed, placeOf: placesIn(source) }
    const { tree, messages } = fromMdast({ type: 'root', children: readMrkdwn(source, reading) })
    return { tree, messages: [...reading.messages, ...messages].toSorted(byOffset) }
  }
  if (!Array.isArray(source)) throw new TypeError(`fromSlack: expected a string or an array, received ${typeof source}`)
  const all: Converted = { tree: { type: 'root', children: [] }, messages: [] }
  for (const [block, content] of source.entries()) {
    const reading: Reading = { messages: [], mentions: allowed, placeOf: nowhere }
    const { tree, messages } = fromMdast({ type: 'root', children: readBlock(content, reading) })
    for (const child of tree.children) all.tree.children.push(child)
    for (const message of [...reading.messages, ...messages]) all.messages.push({ ...message, block })
  }
  return all
}

function byOffset(one: Message, other: Message): number {
  return offsetOf(one) - offsetOf(other)
}

function offsetOf({ place }: Message): number {
  return place !== undefined && 'start' in place ? (place.start.offset ?? 0) : 0
}
