/** The documentation: at `/docs` of the service, and as files. Each page is drawn when it is first asked for. */

import type { Answer } from '../../api/service/options.js'
import { assetPaths, assetTexts } from '../pages/assets.js'
import { htmlHeaders } from '../pages/layout.js'
import { chapterPages } from './chapters.js'
import { endpointPages } from './endpoints.js'
import { guides } from './guides.js'
import { documentOf } from './layout.js'
import { languageScript, script } from './script.js'
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

/** What pages load beside themselves. */
export const docsAssets: Readonly<
  Record<DocsAsset, { readonly type: string; readonly text: (site: DocsSite) => Promise<string> | string }>
> = {
  style: { type: 'text/css', text: () => assetTexts.style },
  'docs-style': { type: 'text/css', text: () => style },
  'docs-language': { type: 'text/javascript', text: () => languageScript },
  'docs-script': { type: 'text/javascript', text: () => script },
  'docs-index': { type: 'text/javascript', text: searchIndex },
  icon: { type: 'image/svg+xml', text: () => assetTexts.icon },
}

/** As a script, because a page that was opened from a file may load nothing else. */
async function searchIndex(site: DocsSite): Promise<string> {
  const entries: [address: string, page: string, section: string, text: string][] = []
  for (const page of docsPages) {
    const { html } = await page.draw(site)
    const [intro = '', ...parts] = html.split(/(?=<h[23] id=)/)
    const add = (hash: string, section: string, part: string): number =>
      // Examples are found by their names.
      entries.push([
        site.pageAddress(page.slug) + hash,
        page.title,
        section,
        textOf(part.replace(/<pre.*?<\/pre>|<div class="blockmark">.*?<\/div>/gs, '')),
      ])
    add('', '', intro)
    for (const part of parts) {
      const [section] = sectionsOf(part)
      add(`#${section?.id ?? ''}`, section?.title ?? '', part.replace(/^<h.*?<\/h[23]>/s, ''))
    }
  }
  return `globalThis.docsIndex = ${JSON.stringify(entries).replaceAll('<', '\\u003c')}\n`
}

const drawn = new Map<string, Promise<string>>()

/** Answers a request below `/docs`; null where there is no such page. */
export async function answerDocs(path: string, siteUrl: string): Promise<Answer | null> {
  const site = onService(siteUrl)
  const asset = Object.keys(docsAssets).find((name): name is DocsAsset => path === `/docs/assets/${name}`)
  if (asset !== undefined) {
    const { type, text } = docsAssets[asset]
    return {
      status: 200,
      headers: { ...publicHeaders, 'content-type': `${type}; charset=utf-8` },
      body: await once(path + siteUrl, async () => text(site)),
    }
  }
  const page = docsPages.find(({ slug }) => path === site.pageAddress(slug))
  if (page === undefined) return null
  const body = await once(path + siteUrl, () => drawPage(page, site))
  return { status: 200, headers: { ...htmlHeaders("connect-src 'self'"), 'cache-control': 'public, no-cache' }, body }
}

const publicHeaders = { 'cache-control': 'public, no-cache', 'x-content-type-options': 'nosniff' }

function once(name: string, draw: () => Promise<string>): Promise<string> {
  const found = drawn.get(name) ?? draw()
  drawn.set(name, found)
  return found
}

function onService(siteUrl: string): DocsSite {
  return {
    ...{ siteUrl, isService: true },
    pageAddress: (slug) => (slug === '' ? '/docs' : `/docs/${slug}`),
    assetAddress: (name) => (name === 'style' || name === 'icon' ? assetPaths[name] : `/docs/assets/${name}`),
  }
}
