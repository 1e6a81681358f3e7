/** The playground's page: one document that holds its style and its script, and can send nothing anywhere. */

import { createHash } from 'node:crypto'
import type { Answer } from '../service/options.js'

/**
 * The playground as an answer.
 *
 * @param document - its HTML, as it was built
 * @returns the answer
 */
export function playgroundPage(document: string): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf(document),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'public, no-cache',
  }
  return { status: 200, headers, body: document }
}

/** Only the document's own style and script, named by their hashes, and no connection at all. */
function policyOf(document: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashesOf(document, 'style')}`,
    `script-src ${hashesOf(document, 'script')}`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hashesOf(document: string, element: 'style' | 'script'): string {
  const contents = [...document.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))]
  return contents
    .map(([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    .join(' ')
}
