/** The playground: one document that contains its style and its script and cannot send anything. */

import { readPacked } from './packed.js'

/** The parts of an HTTP response. */
interface Page {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The chapters of the dialect, by their names, for example `4-emphasis`. */
export type Chapters = Readonly<Record<string, string>>

export const readPlayground: () => Promise<string> = once(async () =>
  withSections(await readPacked('playground.html'), await readChapters()),
)

export const readChapters: () => Promise<Chapters> = once(async () => JSON.parse(await readPacked('chapters.json')))

/** Makes a function that reads once, and again only if that failed: a file may be missing for a moment. */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let found: Promise<Result> | null = null
  return () => {
    found ??= read().catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }
}

/** Adds the dialect's sections to the document: the prose of the chapters. Each § of the document opens its section. */
export function withSections(document: string, chapters: Chapters): string {
  const texts = Object.keys(chapters).flatMap((name) => (/^[1-8]-/.test(name) ? (chapters[name] ?? []) : []))
  const prose = texts.map((text) => text.replace(/^(`{4,}) example [\s\S]*?^\1\n/gm, ''))
  const parts = prose.flatMap((text) => text.split(/^(?=##? \d)/m))
  const sections = Object.fromEntries(parts.map((part) => [/^##? ([\d.]*\d)/.exec(part)?.[1] ?? '', part]))
  // Data needs no permission of the policy, and it cannot end its own element.
  const data = JSON.stringify(sections).replaceAll('<', '\\u003c')
  return document.replace('</main>', () => `</main>\n<script type="application/json" id="sections">${data}</script>`)
}

/** Makes the response; `docs` is the path of the documentation, if there is one on the same site. */
export function playgroundPage(document: string, docs?: string): Page {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(document),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'public, no-cache',
  }
  const body = docs === undefined ? withoutSite(document) : document.replace('<body>', `<body data-docs="${docs}">`)
  return { status: 200, headers, body }
}

/** Removes the links to the other pages of a service. */
function withoutSite(document: string): string {
  return document
    .replace(/<nav aria-label="Site">.*<\/nav>\n/, '')
    .replace(' <a href="/docs">The documentation</a> works without.', '')
}

/** Returns the document's own policy, which allows its style and its script by their hashes and nothing else. */
function policyOf(document: string): string {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1] ?? "default-src 'none'"
  return `${policy}; frame-ancestors 'none'`
}
