/** The documents that come with the package `blockmark`, whose name finds them from wherever the bundler put this code. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Reads a file of the package. */
export function readPackageFile(name: string): Promise<string> {
  return readFile(join(dirname(createRequire(import.meta.url).resolve('blockmark/package.json')), name), 'utf8')
}
