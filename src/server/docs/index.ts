/**
 * The documentation, at `/docs` of the service and as files. Each page is drawn when it is first asked for. It is our own
 * and not one of the usual programs: it works without a script and from files, a page takes 4 to 20 KB where Scalar's
 * takes a megabyte, and its examples, errors and rules are read from the tables that the service itself runs on.
 */

import { createHash } from 'node:crypto'
import type { Answer } from '../../api/service/options.js'
import { assetPaths, assetTexts, FOR_EVER } from '../pages/assets.js'
import { htmlHeaders } from '../pages/layout.js'
import { markup } from '../pages/markup.js'
import { chapterPages } from './chapters.js'
import { endpointPages } from './endpoints.js'
import { guides } from './guides.js'
import { documentOf, languageScriptSource } from './layout.js'
import { script } from './script.js'
import { type DocsAsset, type DocsPage, type DocsSite, sectionsOf, textOf } from './site.js'
import { style } from './style.js'

/** All pages, in the order in which they are read. */
export const docsPages: readonly DocsPage[] = [
  ...guides.filter(({ group }) => group === 'Guides'),
  ...endpointPages,
  ...chapterPages,
  ...guides.filter(({ group }) => group !== 'Guides'),
]

/** Draws a page as a document. */
export function drawPage(page: DocsPage, site: DocsSite): Promise<string> {
  return documentOf(page, docsPages, site)
}

/** The files that pages load. */
export const docsAssets: Readonly<
  Record<DocsAsset, { readonly type: string; readonly text: (site: DocsSite) => Promise<string> | string }>
> = {
  style: { type: 'text/css', text: () => assetTexts.style },
  'docs-style': { type: 'text/css', text: () => style },
  'docs-script': { type: 'text/javascript', text: () => script },
  'docs-index': { type: 'text/javascript', text: searchIndex },
  icon: { type: 'image/svg+xml', text: () => assetTexts.icon },
}

/** The index is a script, because a page that was opened from a file may load nothing else. */
async function searchIndex(site: DocsSite): Promise<string> {
  const entries: [address: string, page: string, section: string, text: string][] = []
  for (const page of docsPages) {
    const { html } = await page.draw(site)
    // Every endpoint repeats the same errors, which would be found instead of the page about them.
    const [intro = '', ...parts] = html.replace(/<details class="errors">.*?<\/details>/gs, '').split(/(?=<h[23] id=)/)
    const add = (hash: string, section: string, part: string): number =>
      // Examples are found by their names.
      entries.push([
        site.pageAddress(page.slug) + hash,
        page.title,
        section,
        textOf(part.replace(/<p class="language">.*?<\/p>|<pre.*?<\/pre>|<div class="blockmark">.*?<\/div>/gs, '')),
      ])
    add('', '', intro)
    for (const part of parts) {
      const [section] = sectionsOf(part)
      add(`#${section?.id ?? ''}`, section?.title ?? '', part.replace(/^<h.*?<\/h[23]>/s, ''))
    }
  }
  return `globalThis.docsIndex = ${JSON.stringify(entries).replaceAll('<', '\\u003c')}\n`
}

/** Style and script have their content's hash in their names, so that they are loaded once. */
const hashed = new Map<DocsAsset, string>(
  [['docs-style', style, 'css'] as const, ['docs-script', script, 'js'] as const].map(([name, text, ending]) => [
    name,
    `/docs/assets/${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}.${ending}`,
  ]),
)

const drawn = new Map<string, Promise<string>>()

/** Answers a request below `/docs`: with a page, a file that pages load, the way to a page, or a page that says so. */
export async function answerDocs(path: string, siteUrl: string): Promise<Answer> {
  const site = onService(siteUrl)
  if (path.endsWith('/')) return { status: 308, headers: { location: path.replace(/\/+$/, '') }, body: null }
  const asset = Object.keys(docsAssets).find((name): name is DocsAsset => path === site.assetAddress(name as DocsAsset)) // its keys
  if (asset !== undefined) {
    const { type, text } = docsAssets[asset]
    const cache = hashed.has(asset) ? FOR_EVER : PUBLIC
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': cache,
      'x-content-type-options': 'nosniff',
    }
    return { status: 200, headers, body: await once(path + siteUrl, async () => text(site)) }
  }
  const page = docsPages.find(({ slug }) => path === site.pageAddress(slug))
  const headers = {
    ...htmlHeaders({ 'connect-src': "'self'", 'script-src': `'self' ${languageScriptSource}` }),
    'cache-control': PUBLIC,
  }
  if (page === undefined) {
    return {
      status: 404,
      headers: { ...headers, 'cache-control': 'no-store' },
      body: await drawPage(missing(path), site),
    }
  }
  return { status: 200, headers, body: await once(path + siteUrl, () => drawPage(page, site)) }
}

const PUBLIC = 'public, no-cache'

/** The page for a URL that has none: it names the pages whose words the URL has. */
function missing(path: string): DocsPage {
  const words = path
    .slice(0, 200)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const stems = words.filter((word) => word.length > 2 && word !== 'docs').map((word) => word.slice(0, 5))
  const near = docsPages.filter(({ slug, title, endpoints = [] }) => {
    const text = [slug, title, ...endpoints.map(({ name }) => name)].join(' ').toLowerCase()
    return stems.some((stem) => text.includes(stem))
  })
  return {
    ...{ slug: '', title: 'This page is not here', group: '' },
    draw: async (site) => {
      const found = near.length === 0 ? docsPages.slice(0, 1) : near.slice(0, 5)
      const items = found.map(({ slug, title }) => markup`<li><a href="${site.pageAddress(slug)}">${title}</a></li>`)
      return markup`<p>Perhaps you are looking for one of these:</p><ul>${items}</ul>`
    },
  }
}

function once(name: string, draw: () => Promise<string>): Promise<string> {
  const found = drawn.get(name) ?? draw()
  drawn.set(name, found)
  return found
}

function onService(siteUrl: string): DocsSite {
  return {
    ...{ siteUrl, isService: true },
    pageAddress: (slug) => (slug === '' ? '/docs' : `/docs/${slug}`),
    assetAddress: (name) =>
      name === 'style' || name === 'icon' ? assetPaths[name] : (hashed.get(name) ?? `/docs/assets/${name}`),
  }
}
