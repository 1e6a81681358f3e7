/** The parts of the API. */

import type { ApiErrorCode } from '../contract/errors.js'
import type { EndpointName } from '../contract/types.js'
import type { Identity, Page, Rows, Store } from '../store/store.js'
import type { FileReference } from './message.js'
import type { RateLimits } from './rate.js'
import type { TimeSlices } from './scheduler.js'

/** An upload whose content has arrived, and whose type is accepted. */
export interface ReceivedFile {
  /** SHA-256 of the content, in hexadecimal. */
  readonly hash: string
  readonly size: number
  readonly mediaType: string
  /** The size of an image, if it can be read from its first bytes; otherwise null. */
  readonly imageSize: { readonly width: number; readonly height: number } | null
  readonly name: string
  /** Keeps the content for good. A second call only makes sure that it is still there. */
  keep(): Promise<void>
  /** Discards the data if it was not kept. */
  discard(): Promise<void>
}

/** The storage of file data. */
export interface Files {
  /** Reads a multipart upload to its end. */
  receive(request: IncomingRequest, organization: string): Promise<ReceivedFile>
}

/** The parts of a request that are read. A Request has them, and so does a far cheaper wrapper of Node's request. */
export interface IncomingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Pick<Headers, 'get' | 'has'>
  readonly body: AsyncIterable<Uint8Array> | null
  /** The IP address of the client, if known. */
  readonly address?: string | undefined
  /** Calls a function when the response has been sent, or the connection has ended. */
  readonly onSent?: ((work: () => void) => void) | undefined
}

/** A response, before it becomes a Response. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

/** The report about a request after its response. */
export interface RequestReport {
  readonly requestID: string
  readonly endpoint: EndpointName | 'page' | 'file' | 'operation' | null
  readonly method: string
  /** The path of the request. The log shows it if the status is 404. */
  readonly path: string
  readonly status: number
  /** The error's code; null if the request succeeded. */
  readonly code: ApiErrorCode | null
  readonly milliseconds: number
  readonly organization: string | null
  readonly botID: string | null
  readonly address: string | null
  /** The cause of a failure, if the status is 500 or above. */
  readonly error: unknown
}

/** A function from a request to its response; it never rejects. */
export type Handler = (request: IncomingRequest) => Promise<ServiceResponse>

export interface ApiOptions {
  readonly store: Store
  readonly files: Files
  /** The beginning of the URLs of pages, for example `https://example.com`. */
  readonly siteUrl: string
  /** Requests a second for each bot, and twice as many at once; 0 switches the limits off. Default 100. */
  readonly rateLimit?: number
  /** Uploads a second for each bot. Default 5. */
  readonly uploadRateLimit?: number
  /** Runs a part of the work for a large response as soon as other callers allow it. Default: at once. */
  readonly inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly now?: () => Date
  readonly onResponse?: (answered: RequestReport) => void
}

/** A request in progress. */
export interface RequestContext {
  request: IncomingRequest
  readonly url: URL
  readonly requestID: string
  readonly now: Date
  readonly slices: TimeSlices
  /** Filled in as they become known, for the log. */
  endpoint: RequestReport['endpoint']
  organization: string | null
  botID: string | null
  error: unknown
}

/** The parameters of every endpoint. */
export interface Api extends ApiOptions {
  readonly limits: RateLimits
}

/** The parameters of an operation: one bot's request, inside one transaction. */
export interface OperationContext {
  readonly rows: Rows
  readonly bot: Identity
  /** The start of the site's URLs. */
  readonly site: string
  readonly now: Date
  /** The part of a list that is asked for. */
  readonly page: Page
  /** The files that the message of the request names. */
  readonly files: readonly FileReference[]
  readonly received: ReceivedFile | null
}
