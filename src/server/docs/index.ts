/**
 * The documentation, at `/docs` of the service and as files. Each page is drawn when it is first asked for. It is not made
 * by a common generator: these pages work without a script and from files, a page takes 4 to 20 KB (with Scalar a
 * megabyte), and the examples, errors and rules are read from the tables that the service itself runs on.
 */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownSlice } from '../../api/rules/scheduler.js'
import type { ServiceResponse } from '../../api/rules/types.js'
import { type AssetName, assets } from '../pages/assets.js'
import { htmlHeaders } from '../pages/layout.js'
import { markup } from '../pages/markup.js'
import { chapterPages } from './chapters.js'
import { endpointPages } from './endpoints.js'
import { guides } from './guides.js'
import { documentOf, languageScriptSource } from './layout.js'
import { type DocsPage, type DocsSite, sectionsOf, textOf } from './site.js'

/** All pages, in the order in which they are read. */
export const docsPages: readonly DocsPage[] = [
  ...guides.filter(({ group }) => group === 'Guides'),
  ...endpointPages,
  ...chapterPages,
  ...guides.filter(({ group }) => group !== 'Guides'),
]

/** The index is a script, because a page that was opened from a file may load nothing else. */
async function searchIndex(site: DocsSite): Promise<string> {
  const entries: [address: string, page: string, section: string, text: string][] = []
  for (const page of docsPages) {
    await ownSlice('')
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

/** Each document by its path, and how it is drawn. */
function documentsOf(site: DocsSite): ReadonlyMap<string, () => Promise<string>> {
  const pages = docsPages.map((page) => [site.pageAddress(page.slug), () => documentOf(page, docsPages, site)] as const)
  return new Map([...pages, [site.assetAddress('docs-index'), () => searchIndex(site)]])
}

const drawn = new Map<string, Promise<string>>()

/** Answers a request below `/docs`: with a page, a file that pages load, the way to a page, or a page that says so. */
export async function answerDocs(path: string, siteUrl: string): Promise<ServiceResponse> {
  // A match starts only at the first slash of several, so that the search is linear.
  if (path.endsWith('/')) return { status: 308, headers: { location: path.replace(/(?<!\/)\/+$/, '') }, body: null }
  const site = onService(siteUrl)
  const draw = documentsOf(site).get(path)
  const pageHeaders = htmlHeaders({ 'connect-src': "'self'", 'script-src': `'self' ${languageScriptSource}` })
  if (draw === undefined) {
    const body = await documentOf(missing(path), docsPages, site)
    return { status: 404, headers: { ...pageHeaders, 'cache-control': 'no-store' }, body }
  }
  const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' }
  const headers = { ...(path === INDEX_PATH ? scriptHeaders : pageHeaders), 'cache-control': 'public, no-cache' }
  return { status: 200, headers, body: await once(path + siteUrl, draw) }
}

/** Draws all documents ahead, so that the first reader does not wait. */
export async function drawDocs(siteUrl: string): Promise<void> {
  for (const path of documentsOf(onService(siteUrl)).keys()) await answerDocs(path, siteUrl)
}

const INDEX_PATH = '/docs/assets/docs-index'

/** Returns the page for an unknown URL. It lists pages whose titles or endpoints share words with the URL. */
function missing(path: string): DocsPage {
  const words =
    path
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z0-9]{3,}/g) ?? []
  const stems = words.filter((word) => word !== 'docs').map((word) => word.slice(0, 5))
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

let latest: Promise<unknown> = Promise.resolve()

/** Draws a document once. One is drawn after the other, so that other requests have turns between them. */
function once(name: string, draw: () => Promise<string>): Promise<string> {
  const known = drawn.get(name)
  if (known !== undefined) return known
  const found = latest.then(() => ownSlice('')).then(draw)
  drawn.set(name, found)
  latest = found.catch(() => drawn.delete(name))
  return found
}

function onService(siteUrl: string): DocsSite {
  return {
    ...{ siteUrl, isService: true },
    pageAddress: (slug) => (slug === '' ? '/docs' : `/docs/${slug}`),
    assetAddress: (name) => (name === 'docs-index' ? INDEX_PATH : assets[name].path),
  }
}

/** Writes the documentation as files, which need no server, and returns the number of pages. */
export async function writeDocs(folder: string, siteUrl: string): Promise<number> {
  const site: DocsSite = {
    ...{ siteUrl, isService: false },
    pageAddress: (slug) => `${slug === '' ? 'index' : slug}.html`,
    assetAddress: (name) => `assets/${name}.${name === 'docs-index' ? 'js' : assets[name].ending}`,
  }
  await mkdir(join(folder, 'assets'), { recursive: true })
  for (const [path, draw] of documentsOf(site)) await writeFile(join(folder, path), await draw())
  for (const name of Object.keys(assets) as AssetName[]) {
    await writeFile(join(folder, site.assetAddress(name)), assets[name].text) // its own keys
  }
  return docsPages.length
}
