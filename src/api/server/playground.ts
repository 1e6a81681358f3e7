/** The playground's document, as it comes with the package. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Reads the document.
 *
 * @returns its HTML; the package's name finds it from wherever the bundler put this code
 */
export function readPlayground(): Promise<string> {
  const description = createRequire(import.meta.url).resolve('blockmark/package.json')
  return readFile(join(dirname(description), 'dist', 'playground.html'), 'utf8')
}
