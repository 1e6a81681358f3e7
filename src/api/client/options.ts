/**
 * Options of a client and of its calls, and the bodies of its methods, with their checks. Unknown fields and misplaced
 * options are errors, because they have no effect.
 */

import type { ReadableChunks } from '../../chunks.js'
import { describe } from '../../describe.js'
import type { Source } from '../../index.js'
import type {
  ChannelTarget,
  ChatTarget,
  BodyOf as ContractBodyOf,
  EndpointName,
  PostCommentBody,
} from '../contract/types.js'
import { check } from './errors.js'

export interface ClientOptions {
  /** The service's URL, for example `https://messages.example.com`; the path of the API (`/api/public`) may follow. */
  baseUrl: string | URL
  apiKey: string
  /** A replacement for the platform's `fetch`, for example with a proxy or a log. */
  fetch?: Fetch
  /** Milliseconds for which a failed call is repeated (default 30,000); no repetition does anything twice. */
  retryFor?: number
  /** Milliseconds for one attempt (default 30,000); uploads have no limit. */
  timeout?: number
  /** Called when the service rejects a call because of a rate limit. Errors that it throws are ignored. */
  onLimit?: (limit: Limit) => void
}

/** A rate limit that was reached. */
export interface Limit {
  /** Milliseconds until the call can be repeated. */
  readonly wait: number
}

/** The part of the platform's `fetch` that the client uses, so that other implementations fit: undici's, a proxy's, a test's. */
export type Fetch = {
  // A method, because platforms declare different types for the same streams and signals.
  fetch(url: string, init: FetchInit): Promise<FetchResponse>
}['fetch']

/** A request of the client. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | Blob | null
  signal: AbortSignal
  redirect: 'manual'
}

/** The part of a response that the client reads. */
export interface FetchResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: ReadableChunks<Uint8Array> | null
}

export interface ResponseHeaders {
  get(name: string): string | null
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Your own key makes the call safe to repeat in another process, for 24 hours: any string of 1 to 255 characters. By
   * default, each call has a new one. Calls that only read ignore it.
   */
  idempotencyKey?: string
  /** Ends the call at any moment. */
  signal?: AbortSignal
}

/** Options of `sendAll` and `sendStream`. */
export interface SendOptions extends CallOptions {
  /** Your name for this message, 1 to 255 characters. Calls with the same key count as one message for 24 hours. */
  idempotencyKey: string
}

/** A file to upload: a Blob or File, bytes, a stream, or (on Node.js) a path. A stream is read to its end before it is sent. */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | URL
  | string

export interface UploadOptions extends CallOptions {
  /** The file's name; by default the name of the source. */
  name?: string
}

/** The body of `postThread`. */
export type PostThread = ChannelTarget & { blocks: Source }

/** The body of `postComment`. */
export type PostComment = Omit<PostCommentBody, 'blocks'> & { blocks: Source }

/** The body of `postChatMessage`. */
export type PostChatMessage = ChatTarget & { body: Source }

interface ClientBodies {
  postThread: PostThread
  postComment: PostComment
  postChatMessage: PostChatMessage
  deleteChatMessage: { messageID: string } | { chatMessageID: string }
  upload: UploadSource | { data: UploadSource }
}

/** The body that a method takes: as in the contract, but with any source for `blocks` and `body`. */
export type BodyOf<Name extends EndpointName> = Name extends keyof ClientBodies
  ? ClientBodies[Name]
  : ContractBodyOf<Name>

/** The names of all fields that a body may have. */
export type FieldsOf<Name extends EndpointName> = Readonly<Record<KeyOf<BodyOf<Name>>, true>>

/** The keys of all members of a union. */
type KeyOf<Body> = Body extends unknown ? keyof Body & string : never

const callOptions: Readonly<Record<keyof CallOptions, true>> = { idempotencyKey: true, signal: true }

/**
 * Checks that a body has no unknown fields; the service checks the values.
 *
 * @throws {TypeError} if the body is not an object, or has a field that the method does not know
 */
export function checkBody(method: string, body: object, fields: object): void {
  checkObject(method, body)
  checkNames(method, body, Object.keys(fields))
}

/** Checks that a message has no unknown fields. Targets are checked by `targetOf`, whose error gives advice. */
export function checkMessage(method: 'sendAll' | 'sendStream', message: object): void {
  checkObject(method, message)
  const target = ['chat', 'chatID', 'threadID', 'parentID', 'channel', 'channelID']
  const arriving = method === 'sendStream' ? ['reader', 'size', 'onMessage', 'onTail'] : []
  checkNames(method, message, [...target, 'source', ...arriving])
}

/** Checks the options of a call; `more` names the options that only this method has. */
export function checkedOptions<Options extends CallOptions>(
  method: string,
  given: Options | undefined,
  more: readonly string[] = [],
): Partial<Options> {
  if (given === undefined) return {}
  checkObject(`${method}: options`, given)
  checkNames(method, given, [...Object.keys(callOptions), ...more])
  const { idempotencyKey, signal } = given
  const isKey =
    idempotencyKey === undefined || (typeof idempotencyKey === 'string' && /^.{1,255}$/su.test(idempotencyKey))
  check(isKey, `${method}: idempotencyKey`, 'a string of 1 to 255 characters', idempotencyKey)
  const isSignal = signal === undefined || typeof signal?.throwIfAborted === 'function'
  check(isSignal, `${method}: signal`, 'an AbortSignal', signal)
  return given
}

/** Checks the options of `sendAll` and `sendStream`, which require an idempotency key. */
export function checkSendOptions(method: string, given: SendOptions): void {
  if (given?.idempotencyKey === undefined) {
    throw new TypeError(`${method}: idempotencyKey is missing: pass { idempotencyKey } as the second argument`)
  }
  checkedOptions(method, given)
}

/** Checks the options of a client. A test service is allowed too, although it has other properties. */
export function checkClientOptions(options: ClientOptions, isTestService: boolean): void {
  const method = 'createClient'
  const { baseUrl, apiKey, fetch, retryFor, timeout, onLimit } = options
  if (!isTestService) checkNames(method, options, ['baseUrl', 'apiKey', 'fetch', 'retryFor', 'timeout', 'onLimit'])
  const url = String(baseUrl)
  const isUrl = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url) && URL.canParse(url)
  check(isUrl, `${method}: baseUrl`, 'a URL such as https://messages.example.com', baseUrl)
  // Checked here, because an error of `fetch` about a header would contain the API key.
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    const received = typeof apiKey === 'string' && apiKey !== '' ? 'another string' : describe(apiKey)
    throw new TypeError(`${method}: apiKey: expected a key without white space, received ${received}`)
  }
  const isPeriod = retryFor === undefined || (typeof retryFor === 'number' && retryFor >= 0)
  check(isPeriod, `${method}: retryFor`, 'milliseconds', retryFor)
  const isLimit = timeout === undefined || (typeof timeout === 'number' && timeout > 0)
  check(isLimit, `${method}: timeout`, 'milliseconds', timeout)
  for (const [name, value] of Object.entries({ fetch, onLimit })) {
    check(value === undefined || typeof value === 'function', `${method}: ${name}`, 'a function', value)
  }
}

export function checkObject(where: string, value: unknown): void {
  check(typeof value === 'object' && value !== null, where, 'an object', value)
}

function checkNames(method: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given)) {
    // A method may take the whole result of another one: `deleteChat(await createChat(…))`.
    if (names.includes(name) || name.endsWith('URL')) continue
    if (name in callOptions && !names.includes('signal')) {
      throw new TypeError(`${method}: ${name} goes into the second argument`)
    }
    throw new TypeError(`${method}: ${describe(name)} is not known: expected ${names.join(', ')}`)
  }
}
