/** The cookies of the pages: read by this site only, by no script, and sent along when somebody follows a link here. */

import type { IncomingRequest } from '../../api/service/options.js'

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
