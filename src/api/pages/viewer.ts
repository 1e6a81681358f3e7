/** Who looks at a page. */

import { authenticate } from '../service/api.js'
import type { Service } from '../service/index.js'
import type { Exchange } from '../service/options.js'

/** A member of an organization, whose eyes a page is shown to. */
export interface Viewer {
  readonly organization: string
  readonly userID: string
}

/**
 * Finds who looks: the bot whose key the request carries.
 *
 * @param service - the service
 * @param exchange - the request
 * @returns the viewer, or null where nobody is known
 */
export async function viewerOf(service: Service, exchange: Exchange): Promise<Viewer | null> {
  if (!exchange.request.headers.has('authorization')) return null
  const { organization, botID } = await authenticate(service, exchange)
  return { organization, userID: botID }
}
