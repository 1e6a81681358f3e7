/** Messages that need several posts. A repeated call with the same idempotency key posts no part twice. */

import { notify } from '../../chunks.js'
import type { Diagnostic, Source } from '../../index.js'
import { type ArrivingText, limitsOfBody, limitsOfComment, packetsOf, readerOf } from '../../packing.js'
import { type ChatTarget, RESPONSE_LIFETIME_MILLISECONDS, type ResultOf } from '../contract/types.js'
import { jsonOf, perform, type Transport } from './call.js'
import { inField, SendError } from './errors.js'
import { bodiesFor, commentsFor } from './message.js'
import { checkBody, checkedOptions, type SendOptions } from './options.js'

/** A chat as the target of a message. */
export type ToChat = ChatTarget & { threadID?: never; parentID?: never }

/** A thread as the target of a message. */
export interface ToThread {
  threadID: string
  /** The comment to reply to. */
  parentID?: string
  chat?: never
  chatID?: never
}

/** A text that is posted while it arrives. */
export interface Arriving<Result> extends Omit<ArrivingText, 'signal'> {
  /** Called with each message after it was posted; the first has the index 0. Errors that it throws are ignored. */
  onMessage?: (delivered: Result, index: number) => void
}

type Delivered = ResultOf<'postChatMessage'> | ResultOf<'postComment'>

/** The outcome of `sendStream`. */
export interface Streamed<Result = Delivered> {
  /** The results of all messages, in order. */
  delivered: Result[]
  /** The losses that the reader reported; none if the text is in the dialect. */
  diagnostics: readonly Diagnostic[]
}

/** Posts a long message. Throws SendError if a part was not posted, or may not have been. */
export async function sendAll(
  transport: Transport,
  message: (ToChat | ToThread) & { source: Source },
  options: SendOptions,
): Promise<Delivered[]> {
  const delivery = deliveryOf('sendAll', message, options, ['source'])
  const parts = inField<object[]>('sendAll', 'source', () =>
    delivery.endpoint === 'postComment'
      ? commentsFor(message.source).map((blocks) => ({ blocks }))
      : bodiesFor(message.source).map((body) => ({ body })),
  )
  return deliver(transport, delivery, parts)
}

/** Posts a message while it arrives. Throws SendError if the source or a post fails, or the signal aborts. */
export async function sendStream(
  transport: Transport,
  stream: (ToChat & Arriving<ResultOf<'postChatMessage'>>) | (ToThread & Arriving<ResultOf<'postComment'>>),
  options: SendOptions,
): Promise<Streamed> {
  const delivery = deliveryOf('sendStream', stream, options, ['source', 'reader', 'size', 'onMessage', 'onTail'])
  const isComment = delivery.endpoint === 'postComment'
  const limits = isComment ? limitsOfComment(stream.size) : limitsOfBody(stream.size)
  const reader = readerOf('sendStream', stream.reader)
  const packets = packetsOf('sendStream', { ...stream, signal: options.signal }, reader, limits)
  async function* parts(): AsyncGenerator<object> {
    for await (const packet of packets) yield isComment ? { blocks: packet } : { body: packet.join('\n\n') }
  }
  // The cast is safe: the target determines the endpoint, and so the type of its results.
  const onMessage = stream.onMessage as Arriving<Delivered>['onMessage']
  const delivered = await deliver(transport, delivery, parts(), onMessage)
  return { delivered, diagnostics: reader.diagnostics ?? [] }
}

/** A message that is posted in parts. */
interface Delivery extends SendOptions {
  readonly method: 'sendAll' | 'sendStream'
  readonly endpoint: 'postChatMessage' | 'postComment'
  /** The fields of each part besides its text. */
  readonly fields: object
}

/** Checks the arguments of a method, and finds the endpoint for the target. Throws TypeError if an argument is not valid. */
function deliveryOf(
  method: Delivery['method'],
  message: ToChat | ToThread,
  options: SendOptions,
  fields: readonly string[],
): Delivery {
  checkBody(method, message, ['chat', 'chatID', 'threadID', 'parentID', ...fields])
  if (options?.idempotencyKey === undefined) {
    throw new TypeError(`${method}: idempotencyKey is missing: pass { idempotencyKey } as the second argument`)
  }
  checkedOptions(method, options)
  const { chat, chatID, threadID, parentID } = message
  if (threadID !== undefined) return { ...options, method, endpoint: 'postComment', fields: { threadID, parentID } }
  if (chat !== undefined || chatID !== undefined) {
    return { ...options, method, endpoint: 'postChatMessage', fields: { chat, chatID } }
  }
  throw new TypeError(`${method}: chat: expected chat, chatID or threadID, received none of them`)
}

/** Posts the parts one after the other, each with a numbered idempotency key. */
async function deliver(
  transport: Transport,
  { method, endpoint, fields, idempotencyKey, signal }: Delivery,
  parts: Iterable<object> | AsyncIterable<object>,
  onMessage?: Arriving<Delivered>['onMessage'],
): Promise<Delivered[]> {
  const key = `${method}/${idempotencyKey}`
  signal?.throwIfAborted()
  if (transport.clock.now() - startOf(transport, key) > RESPONSE_LIFETIME_MILLISECONDS - MARGIN_MILLISECONDS) {
    throw new SendError({ method, idempotencyKey, delivered: [], cause: new Error(EXPIRED) })
  }
  const delivered: Delivered[] = []
  try {
    for await (const part of parts) {
      const content = jsonOf(endpoint, { ...fields, ...part })
      const call = { endpoint, content, idempotencyKey: `${key}/${delivered.length + 1}`, isPart: true, signal }
      // The cast is safe: the response was checked against the schema of the endpoint's result.
      const result = (await perform(transport, call)) as Delivered
      delivered.push(result)
      notify(() => onMessage?.(result, delivered.length - 1))
    }
  } catch (cause) {
    throw new SendError({ method, idempotencyKey, delivered, cause })
  }
  return delivered
}

const EXPIRED =
  'the first try with this idempotencyKey was 24 hours ago, and the service forgets deliveries after that time: ' +
  'see what was delivered, and send the rest with a new idempotencyKey'

/** Milliseconds before the service forgets the response to the first part: calls that start then or later are rejected. */
const MARGIN_MILLISECONDS = 5 * 60 * 1000

/** Maximum number of start times that are kept: more than the long messages that a client sends in a day. */
const START_TIMES_MAX = 10_000

/** Returns the time of the first try of a message, and remembers it. */
function startOf({ startTimes, clock }: Transport, key: string): number {
  const time = startTimes.get(key) ?? clock.now()
  startTimes.set(key, time)
  const [oldest] = startTimes.size > START_TIMES_MAX ? startTimes.keys() : []
  if (oldest !== undefined) startTimes.delete(oldest)
  return time
}
