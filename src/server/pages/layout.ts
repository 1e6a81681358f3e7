/** What every page shares: the document around it, and the headers that keep it from running anything. */

import type { Answer } from '../../api/service/options.js'
import { assetPaths } from './assets.js'
import { type Markup, markup } from './markup.js'
import type { Viewer } from './viewer.js'

/** A page's title and what stands in its body. */
export interface PageContent {
  readonly title: string
  readonly body: Markup
  /** What other programs show of a page that whoever has its address may read. */
  readonly preview?: Preview
  /** Whether the page's script may ask the service for what is new. */
  readonly isLive?: boolean
}

/** The page of a list to which nothing was added since its reader asked last. */
export const unchanged: PageContent = { title: '', body: markup`` }

export interface Preview {
  readonly description: string
  readonly author: string
  readonly createdAt: Date
}

/** Who reads a page, and where it is. */
export interface Frame {
  readonly status?: number
  readonly viewer?: Viewer | null
  /** Where to come back to after signing in. */
  readonly path?: string
  readonly isSignIn?: boolean
  readonly cache?: Cache
  readonly headers?: Readonly<Record<string, string>>
}

/** `public`: the same for everybody; `shared`: for whoever has the address; `private`: for one viewer. */
export type Cache = 'public' | 'shared' | 'private'

const caches: Readonly<Record<Cache, Readonly<Record<string, string>>>> = {
  public: { 'cache-control': 'public, no-cache' },
  // What somebody was given the address of is nothing for a search engine.
  shared: { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' },
  // Nothing is left behind for the next person at the same screen.
  private: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
}

/** The headers of a page, whose policy lets only its own files run; `others` are directives that replace or add to it. */
export function htmlHeaders(others: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries({ ...policy, ...others })
      .map((directive) => directive.join(' '))
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    vary: 'cookie, authorization',
  }
}

const policy: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self'",
  'media-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** A page as a response. */
export function html(content: PageContent, frame: Frame = {}): Answer {
  if (content === unchanged) return { status: 204, headers: caches.private, body: null }
  const { title, body, preview, isLive = false } = content
  const { status = 200, cache = 'private' } = frame
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${preview === undefined ? null : openGraph(title, preview)}
<link rel="icon" href="${assetPaths.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPaths.style}">
<script src="${assetPaths.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${banner(frame)}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`
  const others = isLive ? { 'connect-src': "'self'" } : {}
  return { status, headers: { ...htmlHeaders(others), ...caches[cache], ...frame.headers }, body: page.html }
}

function openGraph(title: string, { description, author, createdAt }: Preview): Markup {
  return markup`<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="article:author" content="${author}">
<meta property="article:published_time" content="${createdAt.toISOString()}">
<meta name="description" content="${description}">`
}

function banner({ viewer = null, path = '/', isSignIn = false }: Frame): Markup {
  const home = viewer?.organizationName ?? 'blockmark'
  return markup`<header class="banner">
<a class="home" href="/" dir="auto">${home}</a>
${viewer === null ? guest(path, isSignIn) : member(viewer)}
</header>`
}

function guest(path: string, isSignIn: boolean): Markup | null {
  if (isSignIn) return null
  const query = path === '/' ? '' : `?return=${encodeURIComponent(path)}`
  return markup`<a href="/sign-in${query}" rel="nofollow">Sign in</a>`
}

function member({ name, formToken }: Viewer): Markup {
  const shown = markup`<span class="viewer" dir="auto">${name}</span>`
  if (formToken === null) return shown
  return markup`<form method="post" action="/sign-out">
${shown}
<input type="hidden" name="token" value="${formToken}">
<button class="plain">Sign out</button>
</form>`
}
