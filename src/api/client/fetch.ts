/** The part of `fetch` that the client uses, as types. */

import type { ReadableChunks } from '../../chunks.js'

/** The part of the platform's `fetch` that the client uses, so that other implementations fit: undici's, a proxy's, a test's. */
export type Fetch = {
  // A method, because platforms declare different types for the same streams and signals.
  fetch(url: string, init: FetchInit): Promise<FetchResponse>
}['fetch']

/** A request of the client. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | Blob | ReadableStream<Uint8Array> | null
  signal: AbortSignal
  redirect: 'manual'
  duplex?: 'half'
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
