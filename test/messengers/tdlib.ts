/**
 * The check that Telegram's servers and TDLib make of the URL of a `text_link`: for one URL that fails, the Bot API rejects the
 * whole message. Written from TDLib's rules, step by step and without the patterns of `telegram.ts`.
 *
 * @see https://github.com/tdlib/td, `parse_url` in `HttpUrl.cpp` and `check_link` in `LinkManager.cpp`
 */

import { isIPv6 } from 'node:net'

/** Returns why the URL is rejected, or null. */
export function rejectionOf(url: string): string | null {
  const colon = url.search(/[:/?#@[\]]/)
  const protocol = url.slice(0, Math.max(colon, 0)).toLowerCase()
  let rest = url
  if (colon >= 0 && url.startsWith('://', colon)) {
    if (protocol !== 'http' && protocol !== 'https') return 'Unsupported URL protocol'
    rest = url.slice(colon + 3)
  }
  const [authority = ''] = rest.split(/[/?#]/, 1)
  const { userinfoAndHost, port } = splitPort(authority)
  if (port !== null && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) <= 65_535)) return 'Wrong port number'
  const at = userinfoAndHost.lastIndexOf('@')
  const [userinfo, host] = [userinfoAndHost.slice(0, Math.max(at, 0)), userinfoAndHost.slice(at + 1)]
  if (host === '' || host === '.') return 'URL host is empty'
  if (host.startsWith('[') && host.endsWith(']')) return isIPv6(host.slice(1, -1)) ? null : 'Wrong IPv6 address'
  if (!hasOnlyAllowed(host, false)) return 'Disallowed character in URL host'
  if (!hasOnlyAllowed(userinfo, true)) return 'Disallowed character in URL userinfo'
  return host.includes('.') ? null : 'Wrong HTTP URL'
}

/** The port is after the last colon, unless a bracket or an `@` comes later. */
function splitPort(authority: string): { userinfoAndHost: string; port: string | null } {
  for (let at = authority.length - 1; at > 0; at -= 1) {
    const character = authority[at]
    if (character === ']' || character === '@') break
    if (character === ':') return { userinfoAndHost: authority.slice(0, at), port: authority.slice(at + 1) }
  }
  return { userinfoAndHost: authority, port: null }
}

function hasOnlyAllowed(part: string, allowsColon: boolean): boolean {
  for (let at = 0; at < part.length; at += 1) {
    const character = part.charAt(at)
    const isNamed = ".-_!$,~*'();&+=".includes(character) || (allowsColon && character === ':')
    if (isNamed || /[A-Za-z0-9]/.test(character) || character >= '\u0080') continue
    if (character !== '%' || !/^[0-9A-Fa-f]{2}$/.test(part.slice(at + 1, at + 3))) return false
    at += 2
  }
  return true
}
