/** The options of the service, and a request on its way through it. */

import type { FastifyRequest } from 'fastify'
import type { EndpointName } from '../api/contract/types.js'
import type { EndpointRequest } from '../api/rules/dispatch.js'
import type { Limit } from '../api/rules/rate.js'
import type { IncomingRequest, ServiceResponse } from '../api/rules/types.js'
import type { Config } from './config.js'
import type { ContentStorage } from './files/storage.js'
import type { SiteStore } from './site-store.js'

/** The settings of the service, and the parts that it is made of. */
export interface SiteOptions extends Pick<Config, 'connections' | 'rateLimit' | 'uploadRateLimit' | 'uploadBytesMax'> {
  /** The beginning of the URLs of pages, for example `https://example.com`. */
  readonly siteUrl: string
  readonly store: SiteStore
  readonly contents: ContentStorage
  /** Returns the number of open connections to the database, which are opened a few at a time. */
  readonly openConnections?: () => number
  /** Returns the metrics page; absent if the metrics have a separate port. */
  readonly metrics?: () => Promise<ServiceResponse>
  /**
   * Returns the IP address of a request's client. By default, requests have no address: a program that calls the service
   * limits its clients itself.
   */
  readonly addressOf?: ((request: FastifyRequest) => string | undefined) | undefined
  /** Returns the current time. Default: the clock of the system. */
  readonly now?: () => Date
  /** Called with each response before it is sent, for the log and the metrics. */
  readonly onResponse?: (request: ReceivedRequest, status: number) => void
}

/** A request of the service's clients. */
export interface SiteRequest extends IncomingRequest {
  /** Admission replaces the body with one whose bytes are counted. */
  body: IncomingRequest['body']
  /** The IP address of the client, if known. */
  readonly address: string | undefined
  /** Calls a function when the response has been sent, or the connection has ended. */
  readonly onSent: (work: () => void) => void
}

/** The member of an organization who views a page. */
export interface Viewer {
  readonly organization: string
  readonly organizationName: string
  readonly userID: string
  readonly name: string
}

/** A request, with the parts of the service that it uses, except for the store, which admission adds. */
export interface ReceivedRequest
  extends Omit<EndpointRequest, 'endpoint' | 'query' | 'store' | 'receive' | 'inQueue'>,
    Pick<SiteOptions, 'contents' | 'uploadBytesMax'> {
  readonly request: SiteRequest
  /** The limit for the failed sign-ins of each network. */
  readonly signIns: Limit
  /** The limit for the pages that each viewer opens. */
  readonly pageLimit: Limit
  readonly url: URL
  readonly requestID: string
  /** The time at which the request arrived, on the clock of `performance.now()`. */
  readonly arrivedAt: number
  /** For the log and the metrics. This field and the next ones are set when their values become known. */
  endpoint: EndpointName | 'page' | 'file' | 'operation' | null
  organization: string | null
  botID: string | null
  error: unknown
  /** The viewer of a page; null if the reader has not signed in, or before the session is looked up. */
  viewer: Viewer | null
}
