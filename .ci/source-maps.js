/** Source maps that say which file and line of `src` code comes from, and nothing else: a fifth of what a bundler writes. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build } from 'esbuild'
import { constantsOf, edited } from './constants.js'

/**
 * Builds, with constants at the top of what was built and such maps beside it.
 *
 * @param {import('esbuild').BuildOptions} options - what to build
 */
export async function buildMapped(options) {
  const { outputFiles = [] } = await build({ ...options, sourcemap: 'linked', sourcesContent: false, write: false })
  const maps = new Map(outputFiles.map(({ path, text }) => [path, text]))
  for (const { path, text } of outputFiles.filter(({ path }) => !path.endsWith('.map'))) {
    const edits = constantsOf(path, text)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, edited(text, edits))
    writeFileSync(`${path}.map`, mapOf(maps.get(`${path}.map`) ?? '', text, edits))
  }
}

/**
 * Leaves of a map what a stack trace needs, and moves it along with the code. Columns and names are most of it; code of the
 * same line as the code before it needs no entry of its own.
 *
 * @param {string} map - a source map
 * @param {string} text - the code that it is of
 * @param {readonly import('./constants.js').Edit[]} edits - how that changes
 */
function mapOf(map, text, edits) {
  const { version, sources, mappings } = JSON.parse(map)
  let [lineStart, edit] = [0, 0]
  const lines = decode(mappings).map((segments) => {
    const lineEnd = text.indexOf('\n', lineStart) + 1 || text.length
    let moved = 0
    const kept = segments
      .filter(([, source, line], index) => {
        const [, sourceBefore, lineBefore] = segments[index - 1] ?? []
        return index === 0 || source !== sourceBefore || line !== lineBefore
      })
      .flatMap(([column, source, line]) => {
        for (; (edits[edit]?.at ?? Number.POSITIVE_INFINITY) < lineStart + column; edit += 1)
          moved += growth(edits[edit])
        return source === undefined || line === undefined ? [] : [[column + moved, source, line, 0]]
      })
    while ((edits[edit]?.at ?? Number.POSITIVE_INFINITY) < lineEnd) edit += 1
    lineStart = lineEnd
    return kept
  })
  // Each of them has four numbers, as the format wants it.
  const kept = /** @type {[number, number, number, number][][]} */ (lines)
  return JSON.stringify({ version, sources, names: [], mappings: encode(kept) })
}

/** @param {import('./constants.js').Edit | undefined} edit */
function growth(edit) {
  return edit === undefined ? 0 : edit.text.length - edit.length
}
