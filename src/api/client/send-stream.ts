/** A message that is still being written, delivered in parts as it settles, each once however often it is tried. */

import { tell } from '../../chunks.js'
import { type ArrivingText, packetsOf } from '../../messengers/pack-stream.js'
import { roomOfBody, roomOfComment } from '../../messengers/packing.js'
import type { ResultOf } from '../contract/types.js'
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
import { isUnanswered, SendStreamError } from './errors.js'

interface Arriving<Result> extends Delivery, Omit<ArrivingText, 'signal'> {
  /** Called with each message after it has been posted; the first has the index 0. Its errors are ignored. */
  onMessage?: (delivered: Result, index: number) => void
}

/** Chat messages that are still being written. */
export interface ChatStream extends Arriving<ResultOf<'postChatMessage'>>, ToChat {}

/** Comments that are still being written. */
export interface ThreadStream extends Arriving<ResultOf<'postComment'>>, ToThread {}

/** Delivers a message while it is written. Throws SendStreamError where the source or a post fails, or the signal ends it. */
export async function sendStream(sender: Sender, stream: ChatStream | ThreadStream): Promise<Delivered[]> {
  const { id, signal } = stream
  const key = keyOf('sendStream', id)
  const { endpoint, fields } = placeOf('sendStream', stream)
  const room = endpoint === 'postComment' ? roomOfComment(stream.size) : roomOfBody(stream.size)
  const packets = packetsOf('sendStream', stream, room)
  signal?.throwIfAborted()
  const beginning = await begin('sendStream', sender, stream)
  const delivered: Delivered[] = []
  let isPosting = false
  try {
    for await (const packet of packets) {
      const part = endpoint === 'postComment' ? { blocks: packet } : { body: packet.join('\n\n') }
      isPosting = true
      const posted = await sender.post({ ...fields, ...part }, endpoint, `${key}/${delivered.length + 1}`, signal)
      isPosting = false
      beginning.answered()
      delivered.push(posted)
      // What was posted is of the kind that the place says.
      const onMessage = stream.onMessage as Arriving<Delivered>['onMessage']
      tell(() => onMessage?.(posted, delivered.length - 1))
    }
  } catch (cause) {
    const isNextUnknown = isPosting && isUnanswered(cause)
    throw new SendStreamError({ id, delivered, isNextUnknown, startedAt: beginning.startedAt, cause })
  }
  return delivered
}
