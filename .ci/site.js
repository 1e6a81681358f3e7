/** Builds the files of the service's site: documentation, styles and scripts, each compressed, and their list. */

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { noticesOf } from './notices.js'
import { fuzzer } from './playground.js'
import { entries, referenceOf } from './reference.js'

/** The styles and scripts, by the names under which pages load them. @type {Readonly<Record<string, string>>} */
const sources = {
  'pages.css': 'src/server/pages/pages.css',
  'pages.js': 'src/page/scripts/messages.ts',
  'docs.css': 'src/docs/docs.css',
  'docs.js': 'src/page/scripts/docs.ts',
  'search.js': 'src/page/scripts/search.ts',
  'icon.svg': 'src/page/icon.svg',
  // The playground's first view.
  'card.jpg': 'src/page/card.jpg',
}

/** @type {Readonly<Record<string, string>>} */
const types = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/**
 * Writes the site: each file compressed by Brotli, and `index.json` with their paths, types and hashes.
 *
 * @param {string} folder - replaced if it exists
 */
export async function buildSite(folder) {
  /** @type {Record<string, string>} */
  const assets = {}
  /** @type {Map<string, string | Buffer>} */
  const files = new Map()
  for (const [name, source] of Object.entries(sources)) {
    const text = await bundle(source)
    const path = `/assets/${name.replace('.', `-${hashOf(text)}.`)}`
    assets[name] = path
    files.set(path, text)
  }
  const { buildDocs } = await load('src/docs/build.ts')
  const reference = Object.fromEntries(entries().map(({ entry, file }) => [entry, referenceOf(entry, file)]))
  for (const [path, text] of buildDocs({ assets, reference, documents: documents() })) files.set(path, text)

  files.set('/docs/fuzz.js', await fuzzer())
  const { describeApi } = await load('src/api/contract/openapi.ts')
  files.set('/openapi.json', `${JSON.stringify(describeApi(), null, 2)}\n`)

  const temporaryFolder = `${resolve(folder)}-${process.pid}`
  mkdirSync(temporaryFolder, { recursive: true })
  const list = Array.from(files, ([path, text]) => {
    const file = `${path.slice(1).replaceAll('/', '-')}.br`
    writeFileSync(join(temporaryFolder, file), brotliCompressSync(text))
    const type = types[/\.(\w+)$/.exec(path)?.[1] ?? 'html']
    return [path, { file, type, etag: `"${hashOf(text)}"` }]
  })
  writeFileSync(join(temporaryFolder, 'index.json'), JSON.stringify({ assets, files: Object.fromEntries(list) }))
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporaryFolder, folder)
}

/** Returns the project's documents that are pages, by their paths. @returns {Record<string, string>} */
function documents() {
  const folders = [
    'src',
    'src/api/client',
    'src/convert',
    'src/messengers',
    'src/server',
    'src/docs/guides',
    'fixtures',
  ]
  const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
  return Object.fromEntries(
    paths.filter((path) => path.endsWith('.md')).map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

/** Bundles a style or a script for browsers, or reads a picture. @param {string} source */
async function bundle(source) {
  if (/\.(?:svg|jpg)$/.test(source)) return readFileSync(source)
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [source], bundle: true, minify: true, write: false, charset: 'utf8', logLevel: 'warning' },
    ...{ legalComments: 'none', metafile: true },
    // The search is a module, which a script of the page imports.
    ...{ format: source.includes('search') ? 'esm' : 'iife', target: ['chrome110', 'firefox115', 'safari16'] },
  })
  return `${outputFiles[0]?.text}${noticesOf(metafile)}`
}

/** Builds and imports a TypeScript module. The built file is in `node_modules`, so that it finds packages. @param {string} entry */
async function load(entry) {
  mkdirSync('node_modules/.cache', { recursive: true })
  const folder = mkdtempSync('node_modules/.cache/site-')
  try {
    const outfile = resolve(folder, 'built.mjs')
    await build({
      entryPoints: [entry],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'warning',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string | Buffer} text */
function hashOf(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
