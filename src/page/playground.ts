/** The playground: one document that contains its style and its script and cannot send anything. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** The parts of an HTTP response. */
interface Page {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let unpacked: Promise<string> | null = null

/** Reads the document once. */
export function readPlayground(): Promise<string> {
  unpacked ??= Promise.all([readPacked('playground.html'), readChapters()]).then(([document, chapters]) =>
    withSections(document, chapters),
  )
  return unpacked
}

let chapters: Promise<Chapters> | null = null

/** The chapters of the dialect, by their names, for example `4-emphasis`. */
export type Chapters = Readonly<Record<string, string>>

/** Reads the chapters once. The package contains them compressed. */
export function readChapters(): Promise<Chapters> {
  chapters ??= readPacked('chapters.json').then((text) => JSON.parse(text))
  return chapters
}

/** Reads a compressed file, which is found by the package's name, wherever the bundler put this code. */
async function readPacked(name: string): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve('blockmark/package.json'))
  return (await promisify(brotliDecompress)(await readFile(join(home, 'dist', `${name}.br`)))).toString()
}

/**
 * Adds the dialect's sections to the document: the prose of the chapters.
 *
 * @param document - the document
 * @param chapters - the chapters
 * @returns the document, in which each § opens
 */
export function withSections(document: string, chapters: Chapters): string {
  const texts = Object.keys(chapters).flatMap((name) => (/^[1-8]-/.test(name) ? (chapters[name] ?? []) : []))
  const prose = texts.map((text) => text.replace(/^(`{4,}) example [\s\S]*?^\1\n/gm, ''))
  const parts = prose.flatMap((text) => text.split(/^(?=##? \d)/m))
  const sections = Object.fromEntries(parts.map((part) => [/^##? ([\d.]*\d)/.exec(part)?.[1] ?? '', part]))
  // Data needs no permission of the policy, and it cannot end its own element.
  const data = JSON.stringify(sections).replaceAll('<', '\\u003c')
  return document.replace('</main>', () => `</main>\n<script type="application/json" id="sections">${data}</script>`)
}

/**
 * The playground as a response.
 *
 * @param document - the document
 * @param docs - the path of the documentation, if there is one on the same site
 * @returns the response
 */
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
