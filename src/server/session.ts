/** Sessions: the cookie holds the organization and 32 random bytes, the store only a hash of those. */

import { createHash, randomBytes } from 'node:crypto'
import { authenticate } from '../api/service/api.js'
import type { Exchange, IncomingRequest } from '../api/service/options.js'
import type { Service } from './site.js'

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

/** What a form carries to show that it is ours, made of what the cookie holds, and telling nothing of it. */
export function formToken(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url')
}

/** What a cookie is for: a session, or the form of somebody who has none yet. */
type Purpose = 'session' | 'form'

/** Reads a cookie; null where there is none. */
export function readCookie(request: IncomingRequest, siteUrl: string, purpose: Purpose): string | null {
  const start = `${nameOf(siteUrl, purpose)}=`
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null
}

/** Writes a cookie for Set-Cookie: letters, digits, `.`, `-` and `_`, kept for so many seconds; 0 removes it. */
export function writeCookie(siteUrl: string, purpose: Purpose, value: string, seconds: number): string {
  const secure = isSecure(siteUrl) ? '; Secure' : ''
  return `${nameOf(siteUrl, purpose)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** The prefix, which browsers know, keeps neighbours (`other.example.com`) from setting it; it wants https. */
function nameOf(siteUrl: string, purpose: Purpose): string {
  return `${isSecure(siteUrl) ? '__Host-' : ''}blockmark-${purpose}`
}

function isSecure(siteUrl: string): boolean {
  return siteUrl.startsWith('https:')
}
