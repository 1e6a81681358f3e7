/** The playground: one document that contains its style and its script and cannot send anything. */

import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** A response of a server. */
interface Page {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let unpacked: Promise<string> | null = null

/** Reads the document once. It is found by the name of the package `blockmark`, wherever the bundler put this code. */
export function readPlayground(): Promise<string> {
  unpacked ??= unpack(createRequire(import.meta.url))
  return unpacked
}

async function unpack({ resolve }: NodeJS.Require): Promise<string> {
  const packed = await readFile(resolve('blockmark/playground.html.br'))
  const document = (await promisify(brotliDecompress)(packed)).toString()
  return withSections(document, join(dirname(resolve('blockmark/package.json')), 'fixtures'))
}

/**
 * Adds the dialect's sections to the document: the prose of the chapters, which the package contains already.
 *
 * @param document - the document
 * @param folder - the folder of the chapters
 * @returns the document, in which each § opens
 */
export async function withSections(document: string, folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((name) => /^[1-8]-.*\.md$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
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
  const body = docs === undefined ? document : document.replace('<body>', `<body data-docs="${docs}">`)
  return { status: 200, headers, body }
}

/** Returns the document's own policy, which allows its style and its script by their hashes and nothing else. */
function policyOf(document: string): string {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1] ?? "default-src 'none'"
  return `${policy}; frame-ancestors 'none'`
}
