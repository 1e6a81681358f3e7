/** Reads the files that the package contains in compressed form. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** Reads a compressed file. The file is found by the package's name, because the bundler may move this code. */
export async function readPacked(name: string): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve('blockmark/package.json'))
  return (await promisify(brotliDecompress)(await readFile(join(home, 'dist', `${name}.br`)))).toString()
}
