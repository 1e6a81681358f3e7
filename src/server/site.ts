/** The parts of the service. */

import type { Limit } from '../api/rules/rate.js'
import type { Api, ApiOptions, ServiceResponse } from '../api/rules/types.js'
import type { AdmittedRequest } from './admission/admitted-request.js'
import type { PageLimit } from './admission/rates.js'
import type { SiteFiles } from './files/storage.js'
import type { SiteStore } from './site-store.js'

export interface SiteOptions extends ApiOptions {
  readonly store: SiteStore
  readonly files: SiteFiles
  /** The number of requests that use the database at the same time. Default 20. */
  readonly slots?: number
  /** Returns the number of open connections to the database, which are opened a few at a time. */
  readonly connections?: () => number
  /** The playground's document, if the server has one. */
  readonly playground?: () => Promise<string>
  /** The metrics page, if this handler serves it. */
  readonly metrics?: () => Promise<{ type: string; text: string }>
}

/** Health, metrics and the description of the API, by their paths. */
export type Operations = Readonly<Record<string, () => Promise<ServiceResponse> | ServiceResponse>>

/** The parameters of every part of the service. */
export interface Site extends SiteOptions {
  readonly limits: Api['limits']
  /** Failed sign-ins of each network. */
  readonly signIns: Limit
  readonly pageLimit: PageLimit
  readonly operations: Operations
  readonly admitted: AdmittedRequest
}
