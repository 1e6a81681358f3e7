/**
 * Forms, and the protection against forms of other sites: each form has a token that only a page of this site can contain.
 * If the browser reports the origin of a form, that is checked too.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../api/contract/errors.js'
import { mediaTypeOf, readBytes } from '../../api/rules/body.js'
import type { IncomingRequest } from '../../api/rules/types.js'
import type { RequestContext } from '../request-context.js'
import { formToken, readCookie, writeCookie } from '../session.js'
import type { Site } from '../site.js'

/** Maximum size of a form, far above that of an API key, a return path and a token. */
const FORM_BYTES_MAX = 16_384

/** Reads a form. Throws `unsupported_media_type`, `too_large`. */
export async function readForm(request: IncomingRequest): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new ApiError('unsupported_media_type', 'This URL accepts a form only.')
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, FORM_BYTES_MAX)).toString())
}

/** The form of a visitor without a session: a separate cookie takes its place. */
export interface GuestForm {
  readonly token: string
  /** The value of Set-Cookie. */
  readonly cookie: string
}

const GUEST_SECONDS = 12 * 60 * 60

/** Keeps an existing cookie, so that a form in another tab stays valid. */
export function guestForm({ siteUrl }: Site, { request }: RequestContext): GuestForm {
  const kept = guestSecret(siteUrl, request)
  const secret = kept ?? randomBytes(32).toString('base64url')
  return { token: formToken(secret), cookie: writeCookie(siteUrl, 'form', secret, GUEST_SECONDS) }
}

function guestSecret(siteUrl: string, request: IncomingRequest): string | null {
  const kept = readCookie(request, siteUrl, 'form')
  return kept !== null && /^[\w-]{43}$/.test(kept) ? kept : null
}

/** Tells whether a form was sent from a page of this site; `secret` is the session's, null without a session. */
export function isOwnForm(
  { siteUrl }: Site,
  { request }: RequestContext,
  fields: URLSearchParams,
  secret: string | null,
): boolean {
  const known = secret ?? guestSecret(siteUrl, request)
  if (known === null || isFromElsewhere(request, siteUrl)) return false
  const [expected, given] = [formToken(known), fields.get('token') ?? ''].map((token) => Buffer.from(token))
  return expected !== undefined && given?.byteLength === expected.byteLength && timingSafeEqual(given, expected)
}

/** Tells whether the browser reports another origin; old browsers, and plain HTTP, report little. */
function isFromElsewhere({ headers }: IncomingRequest, siteUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = headers.get('origin')
  // A page without a referrer sends `null`.
  if (origin === null || origin === 'null') return false
  const hosts = [new URL(siteUrl).host, headers.get('host')]
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host)
}
