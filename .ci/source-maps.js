/**
 * Source maps that say which file and line of `src` a line of a stack trace, or of a profile, comes from, and nothing else: a
 * tenth of what a bundler writes.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { build } from 'esbuild'
import { parseSync } from 'oxc-parser'
import { constantsOf, edited } from './constants.js'
import { nodesOf } from './nodes.js'

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
 * Leaves of a map what a stack trace needs, and moves it along with the code. Columns and names are most of it; code that no
 * trace can name, and code of the same line as what is named before it, needs no entry of its own.
 *
 * @param {string} map - a source map
 * @param {string} text - the code that it is of
 * @param {readonly import('./constants.js').Edit[]} edits - how that changes
 */
function mapOf(map, text, edits) {
  const { version, sources, mappings } = JSON.parse(map)
  const named = namedIn(text)
  let [lineStart, edit, next] = [0, 0, 0]
  const lines = decode(mappings).map((segments) => {
    const lineEnd = text.indexOf('\n', lineStart) + 1 || text.length
    let moved = 0
    /** @type {[number, number, number, number][]} */
    const kept = []
    for (const [index, [column, source, line]] of segments.entries()) {
      const start = lineStart + column
      const end = index + 1 < segments.length ? lineStart + (segments[index + 1]?.[0] ?? 0) : lineEnd
      for (; (edits[edit]?.at ?? Number.POSITIVE_INFINITY) < start; edit += 1) moved += growth(edits[edit])
      while ((named[next] ?? Number.POSITIVE_INFINITY) < start) next += 1
      const isNamed = (named[next] ?? Number.POSITIVE_INFINITY) < end
      const [, sourceBefore, lineBefore] = kept.at(-1) ?? []
      const isNew = source !== sourceBefore || line !== lineBefore
      if (isNamed && isNew && source !== undefined && line !== undefined) kept.push([column + moved, source, line, 0])
    }
    while ((edits[edit]?.at ?? Number.POSITIVE_INFINITY) < lineEnd) edit += 1
    lineStart = lineEnd
    return kept
  })
  return JSON.stringify({ version, sources, names: [], mappings: encode(lines) })
}

/**
 * The places of a module that an engine can name: where something is called, made, read of something, thrown or waited for,
 * and where a function begins.
 *
 * @param {string} text - a module
 * @returns {readonly number[]} in their order
 */
function namedIn(text) {
  const { program } = parseSync('module.js', text)
  const places = new Set(Array.from(nodesOf(program), placesOf).flat())
  return [...places].sort((one, other) => one - other)
}

/** @param {any} node @returns {readonly number[]} */
function placesOf(node) {
  switch (node.type) {
    // Engines differ in whether they name what is called or read, its beginning, or what stands behind it.
    case 'CallExpression':
      return [node.start, node.callee.start, node.callee.end]
    case 'MemberExpression':
      return [node.object.end, node.property.start]
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ThrowStatement':
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [node.start]
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'SpreadElement':
      return [node.start, node.argument?.start ?? node.start]
    case 'ForOfStatement':
    case 'BinaryExpression':
      return [node.right.start]
    case 'TemplateLiteral':
      return node.expressions.map((/** @type {any} */ { start }) => start)
    default:
      return []
  }
}

/** @param {import('./constants.js').Edit | undefined} edit */
function growth(edit) {
  return edit === undefined ? 0 : edit.text.length - edit.length
}
