/** The chapters of `fixtures/` as data: one JSON file, which is compressed, because it is repetitive. */

import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const reader = 'test/fixtures/chapter.ts'

/**
 * Reads the chapters with the tests' own reader.
 *
 * @returns {Promise<Buffer>} the file; the same chapters always give the same bytes
 */
export async function conformance() {
  const outfile = 'dist/conformance.js'
  // The reader finds the chapters relative to its own file.
  const define = { 'import.meta.url': JSON.stringify(pathToFileURL(resolve(reader)).href) }
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' }
  await build({ ...options, entryPoints: ['test/fixtures/conformance.ts'], define, outfile })
  const { conformanceData } = await import(pathToFileURL(resolve(outfile)).href)
  rmSync(outfile)
  return gzipSync(`${JSON.stringify(conformanceData())}\n`, { level: 9 })
}
