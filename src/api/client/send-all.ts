/** A message that needs several comments or chat messages, delivered once however often it is tried. */

import type { Source } from '../../index.js'
import {
  begin,
  type Delivered,
  type Delivery,
  keyOf,
  placeOf,
  type Sender,
  type ToChat,
  type ToThread,
} from './delivery.js'
import { isUnanswered, SendAllError } from './errors.js'
import { bodiesFor, commentsFor } from './message.js'

interface Whole extends Delivery {
  source: Source
}

/** A long message to a chat. */
export interface ChatDelivery extends Whole, ToChat {}

/** A long comment on a thread. */
export interface ThreadDelivery extends Whole, ToThread {}

/** Delivers a long message. Throws SendAllError where it stops half way. */
export async function sendAll(sender: Sender, delivery: ChatDelivery | ThreadDelivery): Promise<Delivered[]> {
  const { source, id, signal } = delivery
  const key = keyOf('sendAll', id)
  const { endpoint, fields } = placeOf('sendAll', delivery)
  const parts: object[] =
    endpoint === 'postComment'
      ? commentsFor(source).map((blocks) => ({ blocks }))
      : bodiesFor(source).map((body) => ({ body }))
  signal?.throwIfAborted()
  const beginning = await begin('sendAll', sender, delivery)
  const delivered: Delivered[] = []
  for (const [index, part] of parts.entries()) {
    try {
      delivered.push(await sender.post({ ...fields, ...part }, endpoint, `${key}/${index + 1}`, signal))
      beginning.answered()
    } catch (cause) {
      const { startedAt } = beginning
      throw new SendAllError({
        ...{ id, delivered, total: parts.length, isNextUnknown: isUnanswered(cause), startedAt, cause },
      })
    }
  }
  return delivered
}
