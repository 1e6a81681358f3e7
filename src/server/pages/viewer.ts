/** Who looks at a page. */

import { authenticate } from '../../api/service/api.js'
import type { Exchange } from '../../api/service/options.js'
import type { Service } from '../site.js'
import { formToken } from './form.js'
import { sessionSecret } from './session.js'

/** A member of an organization, whose eyes a page is shown to. */
export interface Viewer {
  readonly organization: string
  readonly organizationName: string
  readonly userID: string
  readonly name: string
  /** What the forms of the viewer's session carry; null for a program that sends a key with each request. */
  readonly formToken: string | null
}

/**
 * Finds who looks: the bot whose key the request carries, or whoever's session its cookie names; null where nobody is
 * known. Throws `unauthorized` for a key that does not work.
 */
export async function viewerOf(service: Service, exchange: Exchange): Promise<Viewer | null> {
  if (exchange.request.headers.has('authorization')) {
    const { organization, organizationName, botID, botName } = await authenticate(service, exchange)
    return { organization, organizationName, userID: botID, name: botName, formToken: null }
  }
  const secret = sessionSecret(service, exchange)
  if (secret === null) return null
  const { organization } = secret
  const user = await service.store.read(organization, (rows) => rows.session(secret.hash, exchange.now))
  service.visit.judge(user === null ? null : { organization, userID: user.userID })
  if (user === null) return null
  exchange.organization = organization
  const { userID, userName, organizationName } = user
  return { organization, organizationName, userID, name: userName, formToken: formToken(secret.text) }
}
