/** What messages that need several calls have in common: where they go, what they are called, and when they began. */

import type { ChatTarget, ResultOf } from '../contract/types.js'

/** What names a message that needs several calls. */
export interface Delivery {
  /** What this message is to you: the same id is the same message, in every process, for 24 hours. */
  id: string
  /**
   * When the message was first tried, where that was in another process. Without it only this client's own memory tells
   * that an id is too old.
   */
  startedAt?: Date
  signal?: AbortSignal
}

/** A chat. */
export interface ToChat extends ChatTarget {
  threadID?: never
}

/** A thread. */
export interface ToThread {
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
  post(body: object, endpoint: Endpoint, key: string, signal?: AbortSignal): Promise<Delivered>
  /** The service's time, asked for now. */
  time(signal?: AbortSignal): Promise<Date>
  /** How many milliseconds the service's clock is ahead of ours, as its last answer says. */
  clockAhead(): number
  /** When each id was first used, in the service's time. */
  readonly started: Map<string, Date>
}

type Endpoint = 'postChatMessage' | 'postComment'

/** Where the parts go, and what each of them says beside its text. */
export interface Place {
  readonly endpoint: Endpoint
  readonly fields: object
}

/** @throws {TypeError} where no place is named */
export function placeOf(method: string, { chat, chatID, ...others }: ToChat | ToThread): Place {
  if (others.threadID !== undefined) {
    const { threadID } = others
    const parent = 'parentID' in others && others.parentID !== undefined ? { parentID: others.parentID } : {}
    return { endpoint: 'postComment', fields: { threadID, ...parent } }
  }
  const fields = { ...(chat === undefined ? {} : { chat }), ...(chatID === undefined ? {} : { chatID }) }
  if (Object.keys(fields).length === 0) throw new TypeError(`${method}: expected chat, chatID or threadID`)
  return { endpoint: 'postChatMessage', fields }
}

const ID_LENGTH_MAX = 200

/** What the idempotency keys of all parts begin with. Throws TypeError where the id names no message, or no header can hold it. */
export function keyOf(method: string, id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError(`${method}: expected an id that names the message`)
  const key = `${method}/${/^[!-~]+$/.test(id) ? id : encodeURIComponent(id)}`
  if (key.length > ID_LENGTH_MAX) throw new TypeError(`${method}: the id is too long: ${key.length} characters`)
  return key
}

/** As long as the service keeps the answers. */
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000
/** Time for what is being delivered now: no part may be so late that the first one is forgotten. */
const MARGIN_MILLISECONDS = 5 * 60 * 1000

/** When a message was first tried; the first answer tells the service's time. */
export interface Beginning {
  startedAt: Date
  /** Takes note of the first answer. */
  answered(): void
}

/** Finds out when a message was first tried. Throws where the service may have forgotten what was delivered of it. */
export async function begin(method: string, sender: Sender, { id, startedAt, signal }: Delivery): Promise<Beginning> {
  const key = `${method}/${id}`
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
    `${method}: ${id} was first tried at ${first.toISOString()}, and the service forgets after 24 hours what was delivered; ` +
      'look at what is there and send the rest with a new id',
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
