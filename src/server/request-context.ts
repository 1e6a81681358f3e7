/** A request on its way through the parts of the service. */

import type { EndpointName } from '../api/contract/types.js'
import type { TimeSlices } from '../api/rules/scheduler.js'
import type { IncomingRequest } from '../api/rules/types.js'

/** A request of the service's clients. */
export interface SiteRequest extends IncomingRequest {
  /** Admission replaces the body with one whose bytes are counted. */
  body: IncomingRequest['body']
  /** The IP address of the client, if known. */
  readonly address: string | undefined
  /** Calls a function when the response has been sent, or the connection has ended. */
  readonly onSent: (work: () => void) => void
}

/** A request in progress. */
export interface RequestContext {
  readonly request: SiteRequest
  readonly url: URL
  readonly requestID: string
  readonly now: Date
  /** The time at which the request arrived, on the clock of `performance.now()`. */
  readonly started: number
  readonly slices: TimeSlices
  /** The headers of the response, also if the request fails. */
  readonly headers: Record<string, string>
  /** For the log and the metrics. This field and the next ones are set when their values become known. */
  endpoint: EndpointName | 'page' | 'file' | 'operation' | null
  organization: string | null
  botID: string | null
  error: unknown
}
