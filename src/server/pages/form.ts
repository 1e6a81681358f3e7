/**
 * Forms: how they are read, and how one of ours is told from another site's. Each carries a token that only a page of
 * this site can know, and a browser that says where a form was sent from is believed.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../api/contract/errors.js'
import { mediaTypeOf, readBytes } from '../../api/service/body.js'
import type { Exchange, IncomingRequest } from '../../api/service/options.js'
import { formToken, readCookie, writeCookie } from '../session.js'
import type { Service } from '../site.js'

/** A key, a return address and a token fit many times. */
const FORM_BYTES_MAX = 16_384

/** Reads a form. Throws `unsupported_media_type`, `too_large`. */
export async function readForm(request: IncomingRequest): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new ApiError('unsupported_media_type', 'This address takes a form.')
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, FORM_BYTES_MAX)).toString())
}

/** The form of somebody who has no session: a cookie of its own stands in for one. */
export interface GuestForm {
  readonly token: string
  /** The value of Set-Cookie. */
  readonly cookie: string
}

const GUEST_SECONDS = 12 * 60 * 60

/** Takes the cookie that is there, so that a form in another tab stays good. */
export function guestForm({ siteUrl }: Service, { request }: Exchange): GuestForm {
  const kept = guestSecret(siteUrl, request)
  const secret = kept ?? randomBytes(32).toString('base64url')
  return { token: formToken(secret), cookie: writeCookie(siteUrl, 'form', secret, GUEST_SECONDS) }
}

function guestSecret(siteUrl: string, request: IncomingRequest): string | null {
  const kept = readCookie(request, siteUrl, 'form')
  return kept !== null && /^[\w-]{43}$/.test(kept) ? kept : null
}

/** Whether a form was sent from a page of this site; `secret` is of its session, null for the form of a guest. */
export function isOwnForm(
  { siteUrl }: Service,
  { request }: Exchange,
  fields: URLSearchParams,
  secret: string | null,
): boolean {
  const known = secret ?? guestSecret(siteUrl, request)
  if (known === null || isFromElsewhere(request, siteUrl)) return false
  const [expected, given] = [formToken(known), fields.get('token') ?? ''].map((token) => Buffer.from(token))
  return expected !== undefined && given?.byteLength === expected.byteLength && timingSafeEqual(given, expected)
}

/** What the browser says of where the form stood; old ones, and plain http, say little. */
function isFromElsewhere({ headers }: IncomingRequest, siteUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  const origin = headers.get('origin')
  // A page that keeps its address to itself sends `null`.
  if (origin === null || origin === 'null') return false
  const hosts = [new URL(siteUrl).host, headers.get('host')]
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host)
}
