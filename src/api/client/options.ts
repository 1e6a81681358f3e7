/**
 * Options of a client and of its calls, and the bodies of its methods, with their checks. Unknown fields and misplaced
 * options are errors, because otherwise they would have no effect.
 */

import type { ReadableChunks } from '../../chunks.js'
import { describe } from '../../describe.js'
import type { Source } from '../../index.js'
import type { ChannelTarget, ChatTarget, BodyOf as ContractBodyOf, EndpointName } from '../contract/types.js'
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
  /** Called when a rate limit was reached, with the milliseconds to wait. Errors that it throws are ignored. */
  onLimit?: (limit: { readonly wait: number }) => void
}

/** The part of the platform's `fetch` that the client uses, so that other implementations fit: undici's, a proxy's, a test's. */
export type Fetch = {
  // `fetch` is a method, because TypeScript compares methods loosely: platforms declare streams and signals differently.
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
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableChunks<Uint8Array> | null
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Any string of 1 to 255 characters. If you repeat a call with the same string within 24 hours, also in another process,
   * the service does the work once. By default, each call has a new key. Calls that only read ignore this option.
   */
  idempotencyKey?: string
  /** Ends the call when the signal aborts. */
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

interface ClientBodies {
  postThread: ChannelTarget & { blocks: Source }
  postComment: Omit<ContractBodyOf<'postComment'>, 'blocks'> & { blocks: Source }
  postChatMessage: ChatTarget & { body: Source }
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

/**
 * Checks that a body has no unknown fields; the service checks the values.
 *
 * @throws {TypeError} if the body is not an object, or has a field that the method does not know
 */
export function checkBody(method: string, body: object, fields: readonly string[]): void {
  checkObject(method, body)
  for (const name of Object.keys(body)) {
    if (CALL_OPTIONS.includes(name)) throw new TypeError(`${method}: ${name} goes into the second argument`)
    // URLs are ignored, because a method may take the whole result of another one: `deleteChat(await createChat(…))`.
    if (!name.endsWith('URL')) checkName(method, name, fields)
  }
}

const CALL_OPTIONS: readonly string[] = ['idempotencyKey', 'signal']

/** Checks the options of a call; `more` names the options that only this method has. */
export function checkedOptions<Options extends CallOptions>(
  method: string,
  options: Options | undefined,
  more: readonly string[] = [],
): Partial<Options> {
  if (options === undefined) return {}
  checkObject(`${method}: options`, options)
  checkNames(method, options, [...CALL_OPTIONS, ...more])
  const { idempotencyKey, signal } = options
  const isKeyValid =
    idempotencyKey === undefined || (typeof idempotencyKey === 'string' && /^.{1,255}$/su.test(idempotencyKey))
  check(isKeyValid, `${method}: idempotencyKey`, 'a string of 1 to 255 characters', idempotencyKey)
  const isSignalValid = signal === undefined || typeof signal?.throwIfAborted === 'function'
  check(isSignalValid, `${method}: signal`, 'an AbortSignal', signal)
  return options
}

const CLIENT_OPTIONS: readonly string[] = ['baseUrl', 'apiKey', 'fetch', 'retryFor', 'timeout', 'onLimit']

/** Checks the options of a client. A test service is allowed too, although it has other properties. */
export function checkClientOptions(options: ClientOptions, isTestService: boolean): void {
  const method = 'createClient'
  const { baseUrl, apiKey, fetch, retryFor, timeout, onLimit } = options
  if (!isTestService) checkNames(method, options, CLIENT_OPTIONS)
  const url = String(baseUrl)
  const isUrlValid = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url) && URL.canParse(url)
  check(isUrlValid, `${method}: baseUrl`, 'a URL such as https://messages.example.com', baseUrl)
  // The API key is checked here, because an error of `fetch` about a header would contain it.
  const isKey = typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey)
  const shownKey = typeof apiKey === 'string' && apiKey !== '' ? '…' : apiKey
  check(isKey, `${method}: apiKey`, "the bot's API key, without white space", shownKey)
  const isRetryForValid = retryFor === undefined || (typeof retryFor === 'number' && retryFor >= 0)
  check(isRetryForValid, `${method}: retryFor`, 'milliseconds', retryFor)
  const isTimeoutValid = timeout === undefined || (typeof timeout === 'number' && timeout > 0)
  check(isTimeoutValid, `${method}: timeout`, 'milliseconds', timeout)
  for (const [name, value] of Object.entries({ fetch, onLimit })) {
    check(value === undefined || typeof value === 'function', `${method}: ${name}`, 'a function', value)
  }
}

export function checkObject(where: string, value: unknown): void {
  check(typeof value === 'object' && value !== null, where, 'an object', value)
}

/** Throws a TypeError about the first field of an object that is not in the list; `where` is the method, or the method and the field. */
export function checkNames(where: string, object: object, names: readonly string[]): void {
  for (const name of Object.keys(object)) checkName(where, name, names)
}

function checkName(where: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return
  throw new TypeError(`${where}: ${describe(name)} is not known: expected ${names.join(', ')}`)
}
