/** What a client offers for messages that need several calls. */

import type { ResultOf } from '../contract/types.js'
import type { ChatDelivery, ThreadDelivery } from './send-all.js'
import type { ChatStream, ThreadStream } from './send-stream.js'

export interface Deliveries {
  /**
   * Delivers a message that may need several chat messages, in order. Calling it again with the same `id` sends what is missing.
   *
   * @param message - `chat` or `chatID`, its `source`, and an `id` of your own
   * @returns what was posted, in order
   * @throws {SendAllError} where it stops half way, with what was delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * const source = ['# Report', 'all green: '.repeat(4_000)]
   * const delivered = await createClient(service).sendAll({ chat: 'ops', source, id: 'report of today' })
   * delivered.length // => 2
   */
  sendAll(message: ChatDelivery): Promise<ResultOf<'postChatMessage'>[]>
  /**
   * Delivers a message that may need several comments, in order. Calling it again with the same `id` sends what is missing.
   *
   * @param message - the `threadID`, its `source`, and an `id` of your own
   * @returns what was posted, in order
   * @throws {SendAllError} where it stops half way, with what was delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7' })
   * await bot.sendAll({ threadID, source: 'line\n\n'.repeat(101), id: 'log of v7' })
   * service.comments.length // => 2
   */
  sendAll(message: ThreadDelivery): Promise<ResultOf<'postComment'>[]>

  /**
   * Delivers what a model writes while it writes, in chat messages that are filled by size alone: the same text with the same `id` makes the
   * same messages, so that calling it again after a crash posts the rest and repeats nothing, for 24 hours.
   *
   * @param message - `chat` or `chatID`, the `source` as it arrives, an `id` of your own, and a `reader` where it is not the dialect
   * @returns what was posted, in order
   * @throws {SendStreamError} where it stops half way, with what was delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createMarkdownStream } from 'blockmark/markdown'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * async function* model() {
   *   yield* ['### All', ' is\n', '1. **wel', 'l**']
   * }
   * const stream = { chat: 'ops', source: model(), reader: createMarkdownStream(), id: 'answer 42' }
   * await createClient(service).sendStream(stream)
   * service.messages.map(({ body }) => body) // => ['**All is**\n\n1. **well**']
   */
  sendStream(message: ChatStream): Promise<ResultOf<'postChatMessage'>[]>
  /**
   * Delivers what a model writes while it writes, in comments that are filled by size alone.
   *
   * @param message - the `threadID`, the `source` as it arrives, an `id` of your own, and a `reader` where it is not the dialect
   * @returns what was posted, in order
   * @throws {SendStreamError} where it stops half way, with what was delivered
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7' })
   * async function* log() {
   *   yield* ['# Lo', 'g\n', 'done']
   * }
   * await bot.sendStream({ threadID, source: log(), id: 'log of v7' })
   * service.comments.map(({ text }) => text) // => ['Log\n\ndone']
   */
  sendStream(message: ThreadStream): Promise<ResultOf<'postComment'>[]>
}
