/** The documentation as files, which need no server. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docsAssets, docsPages, drawPage } from './index.js'
import type { DocsAsset, DocsSite } from './site.js'

const endings: Readonly<Record<string, string>> = { 'text/css': 'css', 'text/javascript': 'js', 'image/svg+xml': 'svg' }

/**
 * Writes the documentation.
 *
 * @param folder - where to; it is made if need be
 * @param siteUrl - what the addresses of the service begin with, which examples name
 * @returns how many pages there are
 */
export async function writeDocs(folder: string, siteUrl: string): Promise<number> {
  const site: DocsSite = {
    ...{ siteUrl, isService: false },
    pageAddress: (slug) => `${slug === '' ? 'index' : slug}.html`,
    assetAddress: (name) => `assets/${name}.${endings[docsAssets[name].type] ?? ''}`,
  }
  await mkdir(join(folder, 'assets'), { recursive: true })
  for (const page of docsPages) await writeFile(join(folder, site.pageAddress(page.slug)), await drawPage(page, site))
  for (const name of Object.keys(docsAssets) as DocsAsset[]) {
    // the names that it was declared with
    await writeFile(join(folder, site.assetAddress(name)), await docsAssets[name].text(site))
  }
  return docsPages.length
}
