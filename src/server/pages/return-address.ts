/** Where somebody is sent after signing in: only ever to a path of this site. */

/** Reads a return address: a path with its query, `/` where what came is none of this site. */
export function returnAddress(given: string | null, siteUrl: string): string {
  // `//other.example` and `/\other.example` are addresses of another site, to a browser.
  if (given === null || !/^\/(?![/\\])[^\p{Cc}\\]*$/u.test(given)) return '/'
  const url = new URL(given, siteUrl)
  const path = url.pathname + url.search
  return url.origin === new URL(siteUrl).origin && !path.startsWith('//') ? path : '/'
}
