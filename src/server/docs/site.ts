/** A page of the documentation, and how pages find each other: on a server, and as files. */

import type { AssetName } from '../pages/assets.js'
import type { Markup } from '../pages/markup.js'

export interface DocsPage {
  /** The last part of its URL; the first page's is empty. */
  readonly slug: string
  readonly title: string
  readonly group: string
  readonly draw: (site: DocsSite) => Promise<Markup>
  /** Endpoints of the page, which the contents list. */
  readonly endpoints?: readonly { readonly name: string; readonly method: string }[]
}

/** URLs of pages and of the files that they load. */
export interface DocsSite {
  /** The start of every URL of the service. */
  readonly siteUrl: string
  readonly pageAddress: (slug: string) => string
  readonly assetAddress: (name: DocsAsset) => string
  /** Whether the page comes from the service itself, so that endpoints can be tried. */
  readonly isService: boolean
}

export type DocsAsset = AssetName | 'docs-index'

/** A heading of a page, which can be linked to. */
export interface Section {
  readonly id: string
  readonly title: string
  /** 2 or 3. */
  readonly depth: number
}

/** Reads the sections of a page from its headings; headings of rendered messages have no id. */
export function sectionsOf(html: string): Section[] {
  const headings = html.matchAll(/<h([23]) id="([^"]+)"[^>]*>(.*?)<\/h\1>/gs)
  return [...headings].map(([, depth, id = '', title = '']) => ({ id, title: textOf(title), depth: Number(depth) }))
}

const references: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", '#x60': '`', amp: '&' }

/** Returns the text of markup that was made here. */
export function textOf(html: string): string {
  const text = unescaped(html.replace(/<[^>]*>/g, ' '))
  return text.replace(/\s+/g, ' ').trim()
}

/** Returns the characters that references name. */
export function unescaped(html: string): string {
  return html.replace(/&(lt|gt|quot|#x27|#x60|amp);/g, (_, name) => references[name] ?? '')
}
