/** What every page shares: the document around it, and the headers that keep it from running anything. */

import type { Answer } from '../service/options.js'
import { type Markup, markup } from './markup.js'

/** A page's title and what stands in its body. */
export interface PageContent {
  readonly title: string
  readonly body: Markup
}

const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
}

/**
 * A page as a response.
 *
 * @param content - the page
 * @param status - its status
 * @returns the response
 */
export function html({ title, body }: PageContent, status = 200): Answer {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
${body}
</body>
</html>
`
  return { status, headers, body: page.html }
}
