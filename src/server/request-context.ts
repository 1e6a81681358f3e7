/** A request on its way through the parts of the service. */

import type { ApiErrorCode } from '../api/contract/errors.js'
import type { EndpointName } from '../api/contract/types.js'
import type { TimeSlices } from '../api/rules/scheduler.js'
import type { IncomingRequest } from '../api/rules/types.js'

/** A request of the service's clients. */
export interface SiteRequest extends IncomingRequest {
  /** The IP address of the client, if known. */
  readonly address: string | undefined
  /** Calls a function when the response has been sent, or the connection has ended. */
  readonly onSent: (work: () => void) => void
}

/** A request in progress. */
export interface RequestContext {
  request: SiteRequest
  readonly url: URL
  readonly requestID: string
  readonly now: Date
  readonly slices: TimeSlices
  /** The headers of the response, also if the request fails. */
  readonly headers: Record<string, string>
  /** Filled in as they become known, for the log. */
  endpoint: RequestReport['endpoint']
  organization: string | null
  botID: string | null
  error: unknown
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
