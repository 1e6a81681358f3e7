/** A message that needs several comments or chat messages, delivered once however often it is tried. */

import type { Source } from '../../index.js'
import type { ChatTarget, ResultOf } from '../contract/types.js'
import { BlockmarkApiError, SendAllError } from './errors.js'
import { bodiesFor, commentsFor } from './message.js'

/** What every long message says. */
interface Delivery {
  source: Source
  /** What this message is to you: the same id is the same message, in every process, for 24 hours. */
  id: string
  /**
   * When the message was first tried, where that was in another process. Without it only this client's own memory tells
   * that an id is too old.
   */
  startedAt?: Date
  signal?: AbortSignal
}

/** A long message to a chat. */
export interface ChatDelivery extends Delivery, ChatTarget {
  threadID?: never
}

/** A long comment on a thread. */
export interface ThreadDelivery extends Delivery {
  threadID: string
  /** The comment that is replied to. */
  parentID?: string
  chat?: never
  chatID?: never
}

export type Delivered = ResultOf<'postChatMessage'> | ResultOf<'postComment'>

/** What is needed of a client. */
export interface Sender {
  /** Posts one part. */
  post(body: object, endpoint: 'postChatMessage' | 'postComment', key: string, signal?: AbortSignal): Promise<Delivered>
  /** The service's time, asked for now. */
  time(signal?: AbortSignal): Promise<Date>
  /** How many milliseconds the service's clock is ahead of ours, as its last answer says. */
  clockAhead(): number
  /** When each id was first used, in the service's time. */
  readonly started: Map<string, Date>
}

/** As long as the service keeps the answers. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000
/** Time for what is being delivered now: no part may be so late that the first one is forgotten. */
const MARGIN_MILLISECONDS = 5 * 60 * 1000

/**
 * Delivers a long message.
 *
 * @param sender - who posts
 * @param delivery - the message, and where it goes
 * @returns what was posted, in order
 * @throws {SendAllError} where it stops half way
 */
export async function sendAll(sender: Sender, delivery: ChatDelivery | ThreadDelivery): Promise<Delivered[]> {
  const { source, id, signal } = delivery
  const key = keyOf(id)
  const parts = partsOf(delivery, source)
  signal?.throwIfAborted()
  const begun = Date.now()
  const isNew = !sender.started.has(id) && delivery.startedAt === undefined
  let startedAt = await startOf(sender, delivery)
  const delivered: Delivered[] = []
  for (const [index, part] of parts.entries()) {
    try {
      delivered.push(await sender.post(part.body, part.endpoint, `${key}/${index + 1}`, signal))
      // The first answer tells the service's time.
      if (isNew && index === 0) startedAt = remember(sender, id, begun)
    } catch (cause) {
      const isNextUnknown = !(cause instanceof BlockmarkApiError) || cause.status === 0 || cause.status >= 500
      throw new SendAllError({ id, delivered, total: parts.length, isNextUnknown, startedAt, cause })
    }
  }
  return delivered
}

const ID_LENGTH_MAX = 200

/** An id as a header can hold it. */
function keyOf(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('sendAll: expected an id that names the message')
  const key = `sendAll/${/^[!-~]+$/.test(id) ? id : encodeURIComponent(id)}`
  if (key.length > ID_LENGTH_MAX) throw new TypeError(`sendAll: the id is too long: ${key.length} characters`)
  return key
}

interface Part {
  readonly endpoint: 'postChatMessage' | 'postComment'
  readonly body: object
}

function partsOf({ chat, chatID, ...delivery }: ChatDelivery | ThreadDelivery, source: Source): Part[] {
  if (delivery.threadID !== undefined) {
    const { threadID } = delivery
    const parent = 'parentID' in delivery && delivery.parentID !== undefined ? { parentID: delivery.parentID } : {}
    return commentsFor(source).map((blocks) => ({ endpoint: 'postComment', body: { threadID, ...parent, blocks } }))
  }
  const target = { ...(chat === undefined ? {} : { chat }), ...(chatID === undefined ? {} : { chatID }) }
  if (Object.keys(target).length === 0) throw new TypeError('sendAll: expected chat, chatID or threadID')
  return bodiesFor(source).map((body) => ({ endpoint: 'postChatMessage', body: { ...target, body } }))
}

/** When the message was first tried; refuses where the service may have forgotten it. */
async function startOf(sender: Sender, { id, startedAt, signal }: ChatDelivery | ThreadDelivery): Promise<Date> {
  const known = [sender.started.get(id), startedAt].filter((time) => time !== undefined)
  const first = known.sort((one, other) => one.getTime() - other.getTime())[0]
  if (first === undefined) return remember(sender, id, Date.now())
  const now = await sender.time(signal)
  if (now.getTime() - first.getTime() > KEPT_MILLISECONDS - MARGIN_MILLISECONDS) {
    throw new Error(
      `sendAll: ${id} was first tried at ${first.toISOString()}, and the service forgets after 24 hours what was delivered; ` +
        'look at what is there and send the rest with a new id',
    )
  }
  return first
}

/** More long messages than a client sends in a day. */
const REMEMBERED_MAX = 10_000

function remember({ started, clockAhead }: Sender, id: string, begun: number): Date {
  const time = new Date(begun + clockAhead())
  started.set(id, time)
  const oldest = started.keys().next().value
  if (started.size > REMEMBERED_MAX && oldest !== undefined) started.delete(oldest)
  return time
}
