/** Serves the files of the site that are built with the package. The files are stored compressed, and read on request. */

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { IncomingRequest, ServiceResponse } from '../api/rules/types.js'
import { siteFolder } from './site-folder.js'

interface SiteFile {
  readonly file: string
  readonly type: string
  readonly etag: string
}

interface SiteIndex {
  /** The paths of styles and scripts, which have the hash of their content, by their names. */
  readonly assets: Readonly<Record<string, string>>
  /** All files by their paths. */
  readonly files: Readonly<Record<string, SiteFile>>
}

let siteIndex: SiteIndex | null = null

function readIndex(): SiteIndex {
  siteIndex ??= JSON.parse(readFileSync(new URL('index.json', siteFolder), 'utf8')) as SiteIndex // The build writes this type.
  return siteIndex
}

/** Returns the path of a style or script, for example of `docs.css`. */
export function assetPath(name: string): string {
  const path = readIndex().assets[name]
  if (path === undefined) throw new Error(`the site has no ${name}`)
  return path
}

/** The page for paths below `/docs` that do not exist. */
const NOT_FOUND = '/docs/404'

/** Responds with a file of the site, or with a 404 page for other paths below `/docs`. Returns null for any other path. */
export async function respondWithStatic(
  pathname: string,
  { headers: requestHeaders }: IncomingRequest,
): Promise<ServiceResponse | null> {
  // Browsers ask for `/favicon.ico` if a page names no icon.
  const path = pathname === '/favicon.ico' ? assetPath('icon.svg') : pathname
  const { files } = readIndex()
  const isFound = Object.hasOwn(files, path) && path !== NOT_FOUND
  const entry = isFound || /^\/docs(?:\/|$)/.test(path) ? files[isFound ? path : NOT_FOUND] : undefined
  if (entry === undefined) return null
  // A match starts only at the first slash of several, so that the search is linear.
  if (path.endsWith('/')) return { status: 308, headers: { location: path.replace(/(?<!\/)\/+$/, '') }, body: null }
  const headers = {
    ...headersOf(entry),
    ...{ vary: 'accept-encoding', etag: `W/${entry.etag}` },
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  }
  if (isFound && hasTag(requestHeaders, entry.etag)) return { status: 304, headers, body: null }
  const compressedBody = await readFile(new URL(entry.file, siteFolder))
  const acceptsBrotli = /\bbr\b(?!;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(requestHeaders.get('accept-encoding') ?? '')
  const body = new Uint8Array(acceptsBrotli ? compressedBody : await promisify(brotliDecompress)(compressedBody))
  const coding = acceptsBrotli ? { 'content-encoding': 'br' } : {}
  return { status: isFound ? 200 : 404, headers: { ...headers, ...coding }, body }
}

/** Whether a client already has a response: If-None-Match is `*`, or lists the tag, weak or not (RFC 9110, 13.1.2). */
export function hasTag(requestHeaders: IncomingRequest['headers'], etag: string): boolean {
  const tags = (requestHeaders.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** The headers of every page. Pages load only from this site, and connect only to this site. */
export const htmlHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Without a referrer, the browser would not report the origin of a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'cookie, authorization',
}

function headersOf({ type }: SiteFile): Readonly<Record<string, string>> {
  if (type.startsWith('text/html')) return htmlHeaders
  return {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    // Scripts have no sandbox, in which a worker could not start.
    'content-security-policy': type.startsWith('text/javascript')
      ? "default-src 'none'"
      : "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
}
