/** Sessions: the cookie contains the organization and 32 random bytes, of which the store has only the hash. */

import { createHash, randomBytes } from 'node:crypto'
import { PATH_PREFIX } from '../api/contract/types.js'
import { authenticate } from '../api/rules/dispatch.js'
import type { IncomingRequest } from '../api/rules/types.js'
import type { RequestContext } from './admission/index.js'
import type { ReceivedRequest, Viewer } from './request-context.js'

/** A secret with its organization, for example a session or a sign-in link. */
export interface Secret {
  readonly organization: string
  readonly hash: Uint8Array
}

const SECRET_BYTES = 32
const SESSION_HOURS = 12

/** Parses a secret. Returns null if the text is not a secret. */
export function readSecret(text: string): Secret | null {
  const match = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.([\w-]{43})$/.exec(text)
  if (match === null) return null
  const [, organization = '', secret = ''] = match
  return { organization, hash: hashOf(Buffer.from(secret, 'base64url')) }
}

function hashOf(secret: Uint8Array): Uint8Array {
  return createHash('sha256').update(secret).digest()
}

/** The user of a new session. */
export interface SignedInUser {
  readonly organization: string
  readonly userID: string
  /** The hash of the API key that the session depends on; null if a person signed in by a link. */
  readonly keyHash: Uint8Array | null
}

/** Starts a session, and returns the value of Set-Cookie. */
export async function beginSession({ store, siteUrl, now }: RequestContext, signedIn: SignedInUser): Promise<string> {
  const { organization, userID, keyHash } = signedIn
  const secret = randomBytes(SECRET_BYTES)
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 60 * 60 * 1000)
  await store.write(organization, (rows) => rows.addSession({ hash: hashOf(secret), userID, keyHash, expiresAt }))
  return writeCookie(siteUrl, `${organization}.${secret.toString('base64url')}`, SESSION_HOURS * 60 * 60)
}

/** Ends the session of a request, if any, and returns the value of Set-Cookie. */
export async function endSession(context: RequestContext): Promise<string> {
  const secret = sessionSecret(context)
  if (secret !== null) await context.store.write(secret.organization, (rows) => rows.removeSession(secret.hash))
  return writeCookie(context.siteUrl, '', 0)
}

/** Returns the session secret of a request; null if the request has no session. Only the store knows whether the secret is valid. */
function sessionSecret({ request, siteUrl }: ReceivedRequest): Secret | null {
  return readSecret(readCookie(request, siteUrl) ?? '')
}

/** Returns the hash of the API key or session of a request; null if it has neither. The API reads no sessions. */
export function credentialOf(received: ReceivedRequest): string | null {
  const session = received.url.pathname.startsWith(PATH_PREFIX) ? null : sessionSecret(received)
  const hash = received.keyHash ?? session?.hash
  return hash === undefined ? null : Buffer.from(hash).toString('latin1')
}

/** Returns the bot of a request's API key, or the user of its session; null if it has neither. Throws `unauthorized`. */
export async function viewerOf(context: RequestContext): Promise<Viewer | null> {
  const { request, store, now } = context
  if (request.headers.get('authorization') !== null) {
    const { organization, organizationName, botID, botName } = await authenticate(context)
    return { organization, organizationName, userID: botID, name: botName }
  }
  const secret = sessionSecret(context)
  if (secret === null) return null
  const { organization } = secret
  const user = await store.rows(organization).session(secret.hash, now)
  store.recordOwner(user === null ? null : { organization, userID: user.userID })
  if (user === null) return null
  context.organization = organization
  const { userID, userName, organizationName } = user
  return { organization, organizationName, userID, name: userName }
}

/** Returns the value of the session cookie; null if the request has none. */
function readCookie(request: IncomingRequest, siteUrl: string): string | null {
  const start = `${nameOf(siteUrl)}=`
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null
}

/** Returns the value of Set-Cookie. The browser keeps the cookie for the given seconds; 0 removes it. */
function writeCookie(siteUrl: string, value: string, seconds: number): string {
  const secure = isSecure(siteUrl) ? '; Secure' : ''
  return `${nameOf(siteUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Returns the cookie's name. The prefix requires HTTPS, and keeps `other.example.com` from setting the cookie. */
function nameOf(siteUrl: string): string {
  return `${isSecure(siteUrl) ? '__Host-' : ''}blockmark-session`
}

function isSecure(siteUrl: string): boolean {
  return siteUrl.startsWith('https:')
}
