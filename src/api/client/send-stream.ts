/** A message that is still being written, delivered in parts as its blocks settle, each once however often it is tried. */

import { notify } from '../../chunks.js'
import { type ArrivingText, packetsOf, roomOfBody, roomOfComment } from '../../packing.js'
import type { ResultOf } from '../contract/types.js'
import { begin, type Delivered, keyOf, type Sender, type ToChat, type ToThread, targetOf } from './delivery.js'
import { isUnanswered, SendStreamError } from './errors.js'
import type { SendOptions } from './options.js'

interface Arriving<Result> extends Omit<ArrivingText, 'signal'> {
  /** Called with each message after it was posted; the first has the index 0. Errors that it throws are ignored. */
  onMessage?: (delivered: Result, index: number) => void
}

/** Chat messages that are still being written. */
export type ChatStream = ToChat & Arriving<ResultOf<'postChatMessage'>>

/** A stream of text that is posted as comments on a thread. */
export type ThreadStream = ToThread & Arriving<ResultOf<'postComment'>>

/** Delivers a message while it is written. Throws SendStreamError if the source or a post fails, or the signal aborts. */
export async function sendStream(
  sender: Sender,
  stream: ChatStream | ThreadStream,
  options: SendOptions,
): Promise<Delivered[]> {
  const { idempotencyKey, signal } = options
  const key = keyOf('sendStream', idempotencyKey)
  const { endpoint, fields } = targetOf('sendStream', stream)
  const room = endpoint === 'postComment' ? roomOfComment(stream.size) : roomOfBody(stream.size)
  const packets = packetsOf('sendStream', { ...stream, signal }, room)
  signal?.throwIfAborted()
  const beginning = await begin('sendStream', sender, options)
  const delivered: Delivered[] = []
  let isPosting = false
  try {
    for await (const packet of packets) {
      const part = endpoint === 'postComment' ? { blocks: packet } : { body: packet.join('\n\n') }
      isPosting = true
      const own = { ...options, idempotencyKey: `${key}/${delivered.length + 1}` }
      const posted = await sender.post({ ...fields, ...part }, endpoint, own)
      isPosting = false
      beginning.answered()
      delivered.push(posted)
      // The endpoint's result is of the kind that the target says.
      const onMessage = stream.onMessage as Arriving<Delivered>['onMessage']
      notify(() => onMessage?.(posted, delivered.length - 1))
    }
  } catch (cause) {
    const isNextUnknown = isPosting && isUnanswered(cause)
    throw new SendStreamError({ idempotencyKey, delivered, isNextUnknown, startedAt: beginning.startedAt, cause })
  }
  return delivered
}
