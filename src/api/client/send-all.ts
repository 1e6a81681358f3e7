/** A message that needs several comments or chat messages, delivered once however often it is tried. */

import type { Source } from '../../index.js'
import { begin, type Delivered, keyOf, type Sender, type ToChat, type ToThread, targetOf } from './delivery.js'
import { inField, isUnanswered, SendAllError } from './errors.js'
import { bodiesFor, commentsFor } from './message.js'
import type { SendOptions } from './options.js'

/** A long message to a chat. */
export type ChatDelivery = ToChat & { source: Source }

/** A long comment on a thread. */
export type ThreadDelivery = ToThread & { source: Source }

/** Delivers a long message. Throws SendAllError if it fails halfway. */
export async function sendAll(
  sender: Sender,
  message: ChatDelivery | ThreadDelivery,
  options: SendOptions,
): Promise<Delivered[]> {
  const { idempotencyKey } = options
  const key = keyOf('sendAll', idempotencyKey)
  const { endpoint, fields } = targetOf('sendAll', message)
  const parts = inField<object[]>('sendAll', 'source', () =>
    endpoint === 'postComment'
      ? commentsFor(message.source).map((blocks) => ({ blocks }))
      : bodiesFor(message.source).map((body) => ({ body })),
  )
  options.signal?.throwIfAborted()
  const beginning = await begin('sendAll', sender, options)
  const delivered: Delivered[] = []
  for (const [index, part] of parts.entries()) {
    try {
      const posted = await sender.post({ ...fields, ...part }, endpoint, {
        ...options,
        idempotencyKey: `${key}/${index + 1}`,
      })
      delivered.push(posted)
      beginning.answered()
    } catch (cause) {
      const { startedAt } = beginning
      const isNextUnknown = isUnanswered(cause)
      throw new SendAllError({ idempotencyKey, delivered, total: parts.length, isNextUnknown, startedAt, cause })
    }
  }
  return delivered
}
