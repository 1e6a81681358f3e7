/** How many bytes does a page load that parses and renders? Bundled, minified and tree-shaken by esbuild, then gzipped. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { libraryUrl } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { printTable } from './table.js'

const library: string = fileURLToPath(libraryUrl)
const folder: string = fileURLToPath(new URL('..', import.meta.url))

/** The code of a page that renders HTML. */
const entries: readonly (readonly [name: string, source: string])[] = [
  ['blockmark: toHtml', `export { toHtml } from ${JSON.stringify(library)}`],
  ['blockmark: parse', `export { parse } from ${JSON.stringify(library)}`],
  ['blockmark: parse, toHtml', `export { parse, toHtml } from ${JSON.stringify(library)}`],
  ['blockmark: stringify, normalize', `export { stringify, normalize } from ${JSON.stringify(library)}`],
  ['blockmark: md', `export { md } from ${JSON.stringify(library)}`],
  ['blockmark: md, toBlocks', `export { md, toBlocks } from ${JSON.stringify(library)}`],
  ['blockmark/lint: lint', `export { lint } from ${JSON.stringify(library.replace(/index\.js$/, 'lint.js'))}`],
  ['blockmark: everything', `export * from ${JSON.stringify(library)}`],
  [
    'blockmark: everything, messengers',
    `export * from ${JSON.stringify(library)}
     export * from ${JSON.stringify(library.replace(/index\.js$/, 'messengers.js'))}`,
  ],
  ['marked', `export { marked } from 'marked'`],
  ['markdown-it', `export { default } from 'markdown-it'`],
  ['commonmark', `export { Parser, HtmlRenderer } from 'commonmark'`],
  ['micromark', `export { micromark } from 'micromark'`],
  ['snarkdown', `export { default } from 'snarkdown'`],
  ['md4w, without its WASM file', `export { init, mdToHtml } from 'md4w'`],
  ['message-parser (a tree only)', `export { parse } from '@rocket.chat/message-parser'`],
  [
    'mdast + hast',
    `export { fromMarkdown } from 'mdast-util-from-markdown'
     export { toHast } from 'mdast-util-to-hast'
     export { toHtml } from 'hast-util-to-html'`,
  ],
]

/** Maximum number of gzipped bytes. */
const bounds: Readonly<Record<string, number>> = {
  'blockmark: toHtml': 13_200,
  'blockmark: parse, toHtml': 14_600,
  'blockmark: stringify, normalize': 18_000,
  'blockmark: md, toBlocks': 25_000,
  'blockmark: everything': 31_000,
}

interface Row {
  name: string
  minified: number
  gzipped: number
}

export async function size(_amount: Amount): Promise<Answer> {
  const rows: Row[] = []
  for (const [name, source] of entries) rows.push({ name, ...sizesOf(await bundle(source)) })
  const wasm = readFileSync(new URL('../node_modules/md4w/js/md4w-fast.wasm', import.meta.url))
  rows.push({ name: 'md4w, its WASM file', ...sizesOf(wasm) })
  printTable(
    'Bundle, in bytes',
    ['what', 'minified', 'and gzipped'],
    rows.map((row) => [row.name, String(row.minified), String(row.gzipped)]),
  )
  const figures = rows.flatMap(({ name, gzipped }): Figure[] => {
    const atMost = bounds[name]
    return atMost === undefined ? [] : [{ name: `${name}, gzipped`, reached: gzipped, atMost, unit: 'bytes' }]
  })
  const gzippedOf = (wanted: string): number => rows.find(({ name }) => name === wanted)?.gzipped ?? Number.NaN
  const reached = gzippedOf('blockmark: everything, messengers') - gzippedOf('blockmark: everything')
  figures.push({ name: 'blockmark/messengers, added to everything, gzipped', reached, atMost: 20_000, unit: 'bytes' })
  return { figures, details: rows }
}

/** Returns the code that a page loads: bundled, minified, tree-shaken. */
export async function bundle(source: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  })
  const file = outputFiles[0]
  if (file === undefined || file.contents.length === 0) throw new Error('expected a bundle, received nothing')
  return file.contents
}

function sizesOf(contents: Uint8Array): { minified: number; gzipped: number } {
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length }
}
