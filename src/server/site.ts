/** What the service is made of. */

import type { Api, ApiOptions } from '../api/service/options.js'
import type { SiteFiles } from './files/storage.js'
import type { Attempts } from './pages/attempts.js'
import type { PageLimit } from './pages/limit.js'
import type { SiteStore } from './rows.js'

export interface ServiceOptions extends ApiOptions {
  readonly store: SiteStore
  readonly files: SiteFiles
  /** The playground's document, where there is one. */
  readonly playground?: () => Promise<string>
  /** The metrics page, where there is one. */
  readonly metrics?: () => Promise<{ type: string; text: string }>
}

/** What every part of the service is given. */
export interface Service extends ServiceOptions {
  readonly limits: Api['limits']
  readonly attempts: Attempts
  readonly pageLimit: PageLimit
}
