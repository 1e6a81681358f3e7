/** The requests and responses of the API, and files that it receives. */

import type { Readable } from 'node:stream'
import type { FileRow } from '../store/store.js'

/** An upload whose file data has arrived, and whose type is accepted. */
export interface ReceivedFile extends Omit<FileRow, 'id' | 'uploaderID' | 'createdAt'> {
  /** Stores the file data permanently. A second call makes sure that the data is still stored, or throws. */
  keep(): Promise<void>
  /** Discards the file data if it was not stored. */
  discard(): Promise<void>
}

/** The properties of a request that the service reads. A `Request` has them, and so has the server's cheaper object. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get'>
  readonly body: AsyncIterable<Uint8Array> | null
}

/** A response of the service, which is converted to a `Response` or sent by the server. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Readable | null
}
