/** Messages that need several calls: their target, their idempotency keys, and the time of their first try. */

import type { ChatTarget, ResultOf } from '../contract/types.js'
import { shown } from './errors.js'
import type { SendOptions } from './options.js'

/** A chat as the target of a message. */
export type ToChat = ChatTarget & { threadID?: never }

/** A thread as the target of a message. */
export interface ToThread {
  threadID: string
  /** The comment to reply to. */
  parentID?: string
  chat?: never
  chatID?: never
}

export type Delivered = ResultOf<'postChatMessage'> | ResultOf<'postComment'>

/** The part of a client that deliveries need. */
export interface Sender {
  /** Posts one part. */
  post(body: object, endpoint: Endpoint, options: SendOptions): Promise<Delivered>
  /** Asks the service for its time. */
  time(signal: AbortSignal | undefined): Promise<Date>
  /** Milliseconds by which the service's clock is ahead of ours, by its last response. */
  clockAhead(): number
  /** The time of the first try of each message, by the service's clock. */
  readonly started: Map<string, Date>
}

type Endpoint = 'postChatMessage' | 'postComment'

/** The endpoint for the parts, and their fields besides the text. */
export interface Target {
  readonly endpoint: Endpoint
  readonly fields: object
}

/** Finds the target of a message. Throws TypeError if no target is given. */
export function targetOf(method: string, { chat, chatID, threadID, ...others }: ToChat | ToThread): Target {
  if (threadID !== undefined) {
    const parent = 'parentID' in others && others.parentID !== undefined ? { parentID: others.parentID } : {}
    return { endpoint: 'postComment', fields: { threadID, ...parent } }
  }
  const fields = { ...(chat === undefined ? {} : { chat }), ...(chatID === undefined ? {} : { chatID }) }
  if (Object.keys(fields).length === 0) throw new TypeError(`${method}: expected chat, chatID or threadID`)
  return { endpoint: 'postChatMessage', fields }
}

/** Room for the method's name and the number of the part in the 255 characters of a key. */
const KEY_LENGTH_MAX = 200

/** Returns the start of all parts' idempotency keys. Throws TypeError if the key is not valid. */
export function keyOf(method: string, key: string): string {
  const isText = typeof key === 'string' && key !== '' && !/\p{Surrogate}/u.test(key)
  if (!isText) throw new TypeError(`${method}: idempotencyKey: expected a name for the message, received ${shown(key)}`)
  const start = `${method}/${/^[!-~]+$/.test(key) ? key : encodeURIComponent(key)}`
  if (start.length <= KEY_LENGTH_MAX) return start
  const most = KEY_LENGTH_MAX - method.length - 1
  throw new TypeError(`${method}: idempotencyKey: expected at most ${most} characters, percent-encoded, received more`)
}

/** The time for which the service keeps responses. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000
/** The last part must arrive before the response to the first one is forgotten. */
const MARGIN_MILLISECONDS = 5 * 60 * 1000

/** The first try of a message; the first response corrects its time. */
export interface Beginning {
  startedAt: Date
  /** Records the first response. */
  answered(): void
}

/** Finds the first try of a message. Throws if the service may have forgotten the delivered parts. */
export async function begin(method: string, sender: Sender, options: SendOptions): Promise<Beginning> {
  const { idempotencyKey, startedAt, signal } = options
  const key = `${method}/${idempotencyKey}`
  const begun = Date.now()
  const known = [sender.started.get(key), startedAt].filter((time) => time !== undefined)
  const first = known.sort((one, other) => one.getTime() - other.getTime())[0]
  let isNew = first === undefined
  const beginning: Beginning = {
    startedAt: first ?? remember(sender, key, begun),
    answered() {
      if (isNew) beginning.startedAt = remember(sender, key, begun)
      isNew = false
    },
  }
  if (first === undefined) return beginning
  const now = await sender.time(signal)
  if (now.getTime() - first.getTime() <= KEPT_MILLISECONDS - MARGIN_MILLISECONDS) return beginning
  throw new Error(
    `${method}: ${idempotencyKey} was first tried at ${first.toISOString()}, and the service forgets deliveries after 24 hours: ` +
      'see what was delivered, and send the rest with a new idempotencyKey',
  )
}

/** More long messages than a client sends in a day. */
const REMEMBERED_MAX = 10_000

function remember({ started, clockAhead }: Sender, key: string, begun: number): Date {
  const time = new Date(begun + clockAhead())
  started.set(key, time)
  for (const oldest of started.keys()) {
    if (started.size <= REMEMBERED_MAX) break
    started.delete(oldest)
  }
  return time
}
