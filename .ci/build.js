/**
 * Builds what is published: in `dist` the package `blockmark`, in `dist/server` the server's, which `pack.js` makes a
 * package. The library is two files, since `blockmark/render` needs one of them alone; the commands are pieces, so that each
 * loads only its own. What is published is as short as it can be, with maps that lead back to the lines of `src`; the
 * server, which is loaded once, keeps its names.
 */

import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { conformance } from './conformance.js'
import { playground } from './playground.js'
import { buildMapped } from './source-maps.js'

/**
 * Files of the source that are entries: for each the file that it is built as, and the name that others import it by.
 *
 * @type {Readonly<Record<string, readonly [file: string, name?: string]>>}
 */
const entries = {
  index: ['index.js', 'blockmark'],
  'lint/index': ['lint.js', 'blockmark/lint'],
  'messengers/index': ['messengers.js', 'blockmark/messengers'],
  'api/client/index': ['client/index.js', 'blockmark/client'],
  'convert/index': ['convert/index.js', 'blockmark/markdown'],
  'convert/markdown': ['convert/markdown.js'],
  'convert/slack/index': ['convert/slack.js', 'blockmark/slack'],
  'unified/index': ['unified/index.js', 'blockmark/unified'],
}

/**
 * Everything else imports the entries as they are built, so that nobody loads anything twice.
 *
 * @param {'file' | 'name'} by - how: by the file, from one folder deep, or by the name, from another package
 * @returns {import('esbuild').Plugin}
 */
function importing(by) {
  const source = fileURLToPath(new URL('../src/', import.meta.url))
  return {
    name: 'importing',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
        const [file, name] = entries[join(resolveDir, path).slice(source.length, -'.js'.length)] ?? []
        const place = by === 'name' ? name : file && `../${file}`
        return place === undefined ? undefined : { path: place, external: true }
      })
    },
  }
}

/** Node prints the line that an error comes from, all of it: more than a few lines of a terminal hide the message. */
const LINE_LENGTH = 600

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  lineLimit: LINE_LENGTH,
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  outdir: 'dist',
  logLevel: 'warning',
}

/** @type {import('esbuild').BuildOptions} */
const anywhere = { ...shared, minify: true, platform: 'neutral', target: 'es2022', packages: 'external' }

/** What is installed beside it, and what Node brings, is imported by its name. @type {import('esbuild').BuildOptions} */
const onNode = { ...shared, platform: 'node', target: 'node20.19', packages: 'external' }

/** What is built in as text: migrations and the style sheet. @type {import('esbuild').BuildOptions['loader']} */
const texts = { '.sql': 'text', '.css': 'text' }

rmSync('dist', { recursive: true, force: true })
await buildMapped({
  ...anywhere,
  entryPoints: {
    index: 'src/index.ts',
    render: 'src/render/index.ts',
    lint: 'src/lint/index.ts',
    messengers: 'src/messengers/index.ts',
  },
  splitting: true,
  chunkNames: 'core-[hash]',
})
await buildMapped({
  ...anywhere,
  entryPoints: { 'client/index': 'src/api/client/index.ts' },
  plugins: [importing('file')],
})
await buildMapped({
  ...anywhere,
  entryPoints: {
    'unified/index': 'src/unified/index.ts',
    'convert/index': 'src/convert/index.ts',
    'convert/markdown': 'src/convert/markdown.ts',
    'convert/slack': 'src/convert/slack/index.ts',
  },
  splitting: true,
  chunkNames: 'convert/[name]-[hash]',
  plugins: [importing('file')],
})
await buildMapped({
  ...anywhere,
  entryPoints: {
    'arbitraries/index': 'src/arbitraries/index.ts',
    'arbitraries/arbitraries': 'src/arbitraries/arbitraries.ts',
  },
  splitting: true,
  chunkNames: 'arbitraries/[name]-[hash]',
  plugins: [importing('file')],
})
await buildMapped({
  ...onNode,
  minify: true,
  entryPoints: { 'testing/index': 'src/testing/index.ts' },
  plugins: [importing('file')],
})
await buildMapped({
  ...onNode,
  minify: true,
  entryPoints: { cli: 'src/cli/index.ts' },
  loader: texts,
  splitting: true,
  chunkNames: 'cli/[name]-[hash]',
  plugins: [importing('file')],
})
chmodSync('dist/cli.js', 0o755)
copyFileSync('src/page/style.css', 'dist/style.css')
// Packed, because a package is to stay small; the commands unpack it.
writeFileSync('dist/playground.html.br', brotliCompressSync(await playground()))
writeFileSync('dist/conformance.json.gz', await conformance())

await buildMapped({
  ...onNode,
  entryPoints: {
    index: 'src/server/index.ts',
    commands: 'src/server/commands/index.ts',
    bin: 'src/server/commands/bin.ts',
  },
  loader: texts,
  splitting: true,
  outdir: 'dist/server',
  plugins: [importing('name')],
})
chmodSync('dist/server/bin.js', 0o755)

// In this folder `blockmark serve` finds the server by its package's name, as where it is installed.
const standIn = 'dist/node_modules/blockmark-server'
mkdirSync(standIn, { recursive: true })
writeFileSync(join(standIn, 'package.json'), '{ "type": "module", "exports": { "./commands": "./commands.js" } }\n')
writeFileSync(join(standIn, 'commands.js'), `export * from '../../server/commands.js'\n`)
