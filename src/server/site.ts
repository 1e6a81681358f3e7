/** The options of the service, and its parts that a request uses. */

import type { FastifyRequest } from 'fastify'
import type { Limit, RateLimits } from '../api/rules/rate.js'
import type { ServiceResponse } from '../api/rules/types.js'
import type { AdmittedRequest } from './admission/index.js'
import type { ContentStorage } from './files/storage.js'
import type { RequestContext } from './request-context.js'
import type { SiteStore } from './site-store.js'

export interface SiteOptions {
  readonly store: SiteStore
  readonly contents: ContentStorage
  /** Maximum number of bytes of a file. Default 512 MiB. */
  readonly uploadBytesMax?: number
  /** The beginning of the URLs of pages, for example `https://example.com`. */
  readonly siteUrl: string
  /** Requests a second for each bot, and twice as many at once; 0 switches the limits off. Default 100. */
  readonly rateLimit?: number
  /** Uploads a second for each bot. Default 5. */
  readonly uploadRateLimit?: number
  /** The number of requests that use the database at the same time. Default 20. */
  readonly slots?: number
  /** Returns the number of open connections to the database, which are opened a few at a time. */
  readonly connections?: () => number
  /** Returns the metrics page; absent if the metrics have a separate port. */
  readonly metrics?: () => Promise<ServiceResponse>
  /**
   * Returns the IP address of a request's client. By default, requests have no address: a program that calls the service
   * limits its clients itself.
   */
  readonly addressOf?: (request: FastifyRequest) => string | undefined
  readonly now?: () => Date
  /** Called with each response before it is sent, for the log and the metrics. */
  readonly onResponse?: (context: RequestContext, status: number) => void
}

/** The parts of the service that a request uses. */
export interface Site extends Pick<SiteOptions, 'contents' | 'siteUrl'> {
  readonly limits: RateLimits
  /** The limit for the failed sign-ins of each network. */
  readonly signIns: Limit
  /** The limit for the pages that each viewer opens. */
  readonly pageLimit: Limit
  /** The store. Each use waits for a slot. */
  readonly store: AdmittedRequest
}
