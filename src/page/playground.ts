/** Serves the playground: one document that contains its style and its script, and cannot send anything. */

import { readPacked } from './packed.js'

/** The parts of an HTTP response. */
interface Page {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let loadedDocument: Promise<string> | null = null

/** Reads the document once, and again only if reading failed, because a file may be missing for a moment. */
export function readPlayground(): Promise<string> {
  loadedDocument ??= readPacked('playground.html').catch((error: unknown) => {
    loadedDocument = null
    throw error
  })
  return loadedDocument
}

/** The parts of a service to which the playground refers. */
interface ServiceLinks {
  /** The path of the documentation. */
  readonly docs: string
  /** The URL of the picture for previews of links. */
  readonly card: string
}

/** Returns the HTTP response with the playground: as a page of a service, or alone if `site` is undefined. */
export function playgroundPage(document: string, site?: ServiceLinks): Page {
  const page = site === undefined ? withoutSite(document) : withSite(document, site)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(page),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'public, no-cache',
  }
  return { status: 200, headers, body: page }
}

/** Adds the path of the documentation and the `og:image`, and allows workers of the same site, which the fuzzer needs. */
function withSite(document: string, { docs, card }: ServiceLinks): string {
  return document
    .replace('<body>', `<body data-docs="${docs}">`)
    .replace('content="summary">', `content="summary_large_image">\n<meta property="og:image" content="${card}">`)
    .replace("worker-src 'none'", "worker-src 'self'")
}

/** Removes the links to the other pages of a service. */
function withoutSite(document: string): string {
  return document
    .replace(/<nav aria-label="Site">.*<\/nav>\n/, '')
    .replace(' <a href="/docs/install">Install it</a>', '')
    .replace(' <a href="/docs">The documentation</a> works without.', '')
}

/** Returns the policy in the document, which allows its style and its script by their hashes, and forbids frames around it. */
function policyOf(document: string): string {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1] ?? "default-src 'none'"
  return `${policy}; frame-ancestors 'none'`
}
