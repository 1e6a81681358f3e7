/** Builds the files of the site once before the tests. */

import { fileURLToPath } from 'node:url'
import { siteFolder } from './site-folder.js'

export default async function setup(): Promise<void> {
  const { buildSite } = await import('../.ci/site.js')
  await buildSite(fileURLToPath(siteFolder).replace(/\/$/, ''))
}
