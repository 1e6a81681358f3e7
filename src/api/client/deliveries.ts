/** The client's methods for messages that need several calls. */

import type { ResultOf } from '../contract/types.js'
import type { SendOptions } from './options.js'
import type { ChatDelivery, ThreadDelivery } from './send-all.js'
import type { ChatStream, ThreadStream } from './send-stream.js'

export interface Deliveries {
  /**
   * Posts a message that may need several chat messages, in order. Call it again with the same `idempotencyKey` to post
   * the rest after a failure.
   *
   * @param message - `chat` or `chatID`, and the `source`
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all chat messages, in order
   * @throws {SendAllError} if it fails halfway, with the parts that were delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * const source = ['# Report', 'all green: '.repeat(4_000)]
   * const bot = createClient(service)
   * const delivered = await bot.sendAll({ chat: 'ops', source }, { idempotencyKey: 'report of today' })
   * delivered.length // => 2
   */
  sendAll(message: ChatDelivery, options: SendOptions): Promise<ResultOf<'postChatMessage'>[]>
  /**
   * Posts a message that may need several comments, in order. Call it again with the same `idempotencyKey` to post the
   * rest after a failure.
   *
   * @param message - the `threadID`, and the `source`
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all comments, in order
   * @throws {SendAllError} if it fails halfway, with the parts that were delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7' })
   * await bot.sendAll({ threadID, source: 'line\n\n'.repeat(101) }, { idempotencyKey: 'log of v7' })
   * service.comments.length // => 2
   */
  sendAll(message: ThreadDelivery, options: SendOptions): Promise<ResultOf<'postComment'>[]>

  /**
   * Posts a model's output while it arrives, in chat messages that are filled by size alone. The same text with the same
   * `idempotencyKey` makes the same messages: a call after a crash posts the rest, for 24 hours. It needs the same text,
   * so keep the output to repeat it.
   *
   * @param message - `chat` or `chatID`, the `source`, and a `reader` if the text is not in the dialect
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all chat messages, in order
   * @throws {SendStreamError} if it fails halfway, with the messages that were posted
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createMarkdownStream } from 'blockmark/markdown'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * async function* model() {
   *   yield* ['### All', ' is\n', '1. **wel', 'l**']
   * }
   * const message = { chat: 'ops', source: model(), reader: createMarkdownStream() }
   * await createClient(service).sendStream(message, { idempotencyKey: 'answer 42' })
   * service.messages.map(({ body }) => body) // => ['**All is**\n\n1. **well**']
   */
  sendStream(message: ChatStream, options: SendOptions): Promise<ResultOf<'postChatMessage'>[]>
  /**
   * Posts a text while it arrives, in comments that are filled by size alone.
   *
   * @param message - the `threadID`, the `source`, and a `reader` if the text is not in the dialect
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all comments, in order
   * @throws {SendStreamError} if it fails halfway, with the comments that were posted
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7' })
   * async function* log() {
   *   yield* ['# Lo', 'g\n', 'done']
   * }
   * await bot.sendStream({ threadID, source: log() }, { idempotencyKey: 'log of v7' })
   * service.comments.map(({ text }) => text) // => ['Log\n\ndone']
   */
  sendStream(message: ThreadStream, options: SendOptions): Promise<ResultOf<'postComment'>[]>
}
