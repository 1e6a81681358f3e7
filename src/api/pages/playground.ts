/** The playground's page: one document that holds its style and its script, and can send nothing anywhere. */

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

/** The document's own policy, which names its style and its script by their hashes and lets nothing be sent. */
function policyOf(document: string): string {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1] ?? "default-src 'none'"
  return `${policy}; frame-ancestors 'none'`
}
