/** Sessions: the cookie holds the organization and 32 random bytes, the store only a hash of those. */

import { createHash, randomBytes } from 'node:crypto'
import type { Exchange } from '../../api/service/options.js'
import type { Service } from '../site.js'
import { readCookie, writeCookie } from './cookies.js'

/** A secret that says which organization knows it, as sessions and sign-in links are. */
export interface Secret {
  readonly organization: string
  readonly hash: Uint8Array
  readonly text: string
}

const SECRET_BYTES = 32
const HOURS = 12

/** Reads a secret; null where it can be none. */
export function readSecret(text: string): Secret | null {
  const found = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.([\w-]{43})$/.exec(text)
  if (found === null) return null
  const [, organization = '', secret = ''] = found
  return { organization, hash: hashOf(Buffer.from(secret, 'base64url')), text }
}

function hashOf(secret: Uint8Array): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** Who signs in. */
export interface SignedIn {
  readonly organization: string
  readonly userID: string
  /** The key that the session ends with. */
  readonly keyHash: Uint8Array | null
}

/** Begins a session, and gives the value of Set-Cookie. */
export async function beginSession(service: Service, exchange: Exchange, who: SignedIn): Promise<string> {
  const { organization, userID, keyHash } = who
  const secret = randomBytes(SECRET_BYTES)
  const expiresAt = new Date(exchange.now.getTime() + HOURS * 60 * 60 * 1000)
  await service.store.write(organization, (rows) =>
    rows.addSession({ hash: hashOf(secret), userID, keyHash, expiresAt }),
  )
  const value = `${organization}.${secret.toString('base64url')}`
  return writeCookie(service.siteUrl, 'session', value, HOURS * 60 * 60)
}

/** Ends the session that a request comes with, if it does, and gives the value of Set-Cookie. */
export async function endSession(service: Service, exchange: Exchange): Promise<string> {
  const secret = sessionSecret(service, exchange)
  if (secret !== null) await service.store.write(secret.organization, (rows) => rows.removeSession(secret.hash))
  return writeCookie(service.siteUrl, 'session', '', 0)
}

/** The secret of the session that a request comes with; whether it is one is the store's to say. */
export function sessionSecret({ siteUrl }: Pick<Service, 'siteUrl'>, { request }: Exchange): Secret | null {
  return readSecret(readCookie(request, siteUrl, 'session') ?? '')
}
