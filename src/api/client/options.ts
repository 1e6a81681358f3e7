/** Options of a client and of its calls, and the bodies of its methods. */

import type { ReadableChunks } from '../../chunks.js'
import type { Source } from '../../index.js'
import type {
  ChannelTarget,
  ChatTarget,
  BodyOf as ContractBodyOf,
  EndpointName,
  PostCommentBody,
} from '../contract/types.js'
import type { Limit } from './call.js'
import type { UploadSource } from './upload.js'

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
