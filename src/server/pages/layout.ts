/** The document around every page, with the headers of its response, and the page for errors. */

import { ApiError, statuses } from '../../api/contract/errors.js'
import type { TimeSlices } from '../../api/rules/scheduler.js'
import type { ServiceResponse } from '../../api/rules/types.js'
import { headOf, type Markup, markup } from '../../page/markup.js'
import type { RequestContext } from '../admission/index.js'
import type { Viewer } from '../request-context.js'
import type { SiteRows } from '../site-store.js'
import { assetPath, htmlHeaders } from '../static.js'

export interface PageContent {
  readonly title: string
  readonly body: Markup
  /** The beginning of the page's text, for previews in other programs; only if everyone with the URL may read the page. */
  readonly description?: string
}

/** Draws the bar above a list, which stays in view: a link to the list's parent, its name, and space for a link to a new row. */
export function listBar(parentLink: Markup | null, name: string, tag: Markup | null = null): Markup {
  return markup`<div class="list-bar">
${parentLink === null ? null : markup`<p class="up" dir="auto">${parentLink}</p>`}
<h1 dir="auto">${name}${tag}</h1>
<p class="news quiet" role="status"></p>
</div>`
}

/** The properties of a response with a page. */
interface ResponseOptions {
  readonly status?: number
  readonly cache?: keyof typeof caches
  readonly headers?: Readonly<Record<string, string>>
}

/** The headers of a page: a `public` page is the same for everyone, and a `shared` page for everyone who has its URL. */
const caches = {
  public: { 'cache-control': 'public, no-cache' },
  // A page whose URL is secret must not be in a search engine.
  shared: { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' },
  // The page is not cached, so that the next person at the same computer cannot see it.
  private: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
}

/** Creates the response: a page or, for the script of a page, a text. */
export function html(
  context: RequestContext,
  content: PageContent | string,
  { status = 200, cache = 'private', headers: moreHeaders }: ResponseOptions = {},
): ServiceResponse {
  if (typeof content === 'string') {
    const headers = { ...htmlHeaders, ...caches.private, 'content-type': 'text/plain; charset=utf-8' }
    return { status, headers, body: content }
  }
  const { title, body, description } = content
  const page = markup`<!doctype html>
<html lang="en">
<head>
${headOf(title, description)}
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('pages.css')}">
<script src="${assetPath('pages.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${banner(context)}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`
  return { status, headers: { ...htmlHeaders, ...caches[cache], ...moreHeaders }, body: page.html }
}

function banner({ viewer, url }: RequestContext): Markup {
  const home = viewer?.organizationName ?? 'blockmark'
  return markup`<header class="banner">
<a class="home" href="/" dir="auto">${home}</a>
<nav aria-label="Site"><a href="/docs">Docs</a> <a href="/playground">Playground</a></nav>
<div class="end">${viewer === null ? guest(url) : member(viewer)}</div>
</header>`
}

/** Draws a link to the sign-in page, which leads back to this page. The sign-in page has no link to itself. */
function guest({ pathname, search }: URL): Markup | null {
  if (pathname === '/sign-in') return null
  const query = pathname === '/' ? '' : `?return=${encodeURIComponent(pathname + search)}`
  return markup`<a class="button" href="/sign-in${query}" rel="nofollow">Sign in</a>`
}

function member({ name }: Viewer): Markup {
  return markup`<form method="post" action="/sign-out">
<span class="viewer" dir="auto">${name}</span>
<button>Sign out</button>
</form>`
}

/** The subject of a page, and its viewer. */
export interface PageRequest {
  readonly rows: SiteRows
  readonly id: string
  /** The message that the URL names inside the page. */
  readonly markedID: string | null
  readonly viewer: Viewer | null
  readonly organization: string
  /** The secret of the share token that came with the URL. */
  readonly secret: string | null
  readonly query: URLSearchParams
  readonly slices: TimeSlices
}

/** Returns the error for objects that do not exist, and for objects that the viewer cannot see. */
export function pageNotFound(): ApiError {
  const reason = 'It may have been deleted, or you cannot see it.'
  const advice = 'A thread opens with its whole URL, including the part after the question mark.'
  return new ApiError('not_found', `${reason} ${advice}`)
}

export function errorPage(error: ApiError, context: RequestContext): ServiceResponse {
  const status = statuses[error.code]
  const failure = status >= 500 ? 'Something went wrong here' : 'This did not work'
  const title = status === 404 ? 'This page is not here' : failure
  const body = markup`<h1>${title}</h1>
<p>${error.message}</p>
<p><a href="/">Go to the first page</a></p>
<p class="quiet">Request <code>${context.requestID}</code></p>`
  return html(context, { title, body }, { status, headers: error.headers })
}
