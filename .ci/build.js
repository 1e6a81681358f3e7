/**
 * Builds what is published: the library as one file, which imports fastest, and the command line in pieces, so that a
 * command loads only its own. For the size of the package syntax is shortened, and white space too in what runs the service
 * and the commands; the library keeps its names and lines, since people read what they installed.
 */

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { conformance } from './conformance.js'
import { playground } from './playground.js'

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none',
  minifySyntax: true,
  outdir: 'dist',
  logLevel: 'warning',
}

/** The other entries import the library as their user does, so that nobody loads it twice. */
const library = {
  name: 'library',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    const filter = /^\.\.\/(?:\.\.\/)?index\.js$/
    build.onResolve({ filter }, () => ({ path: '../index.js', external: true }))
  },
}

/**
 * What is one folder deep imports the library and the other entries as they are built, so that nothing is there twice;
 * only the command line's first piece lies higher, and it imports none of them.
 */
const entries = {
  name: 'entries',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    /** @type {Readonly<Record<string, string>>} */
    const paths = { '../convert/slack/index.js': '../convert/slack.js' }
    build.onResolve({ filter: /^\.\.\/(?:index\.js$|convert\/|unified\/)/ }, ({ path, importer }) =>
      /[\\/]src[\\/](?:cli|testing)[\\/][^\\/]+$/.test(importer)
        ? { path: paths[path] ?? path, external: true }
        : undefined,
    )
  },
}

/** Files of the source whose names are all those of an entry. */
const publicFiles = {
  index: 'blockmark',
  'parse/index': 'blockmark',
  'render/html': 'blockmark',
  'render/text': 'blockmark',
  'write/truncate': 'blockmark',
  'write/validate': 'blockmark',
  'api/client/index': 'blockmark/client',
}

/** What is built of these folders is in files of different depths, which know the entries by the package's name. */
const entriesByName = {
  name: 'entries-by-name',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    const source = new URL('../src/', import.meta.url).pathname
    const entries = new Map(Object.entries(publicFiles))
    build.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) => {
      const entry = entries.get(join(resolveDir, path).slice(source.length, -'.js'.length))
      const isOutside = /^(?:api|cli|testing)\b/.test(resolveDir.slice(source.length))
      return entry !== undefined && isOutside ? { path: entry, external: true } : undefined
    })
  },
}

rmSync('dist', { recursive: true, force: true })
await build({ ...shared, entryPoints: { index: 'src/index.ts' }, platform: 'neutral', target: 'es2022' })
await build({
  ...shared,
  entryPoints: { 'client/index': 'src/api/client/index.ts' },
  platform: 'neutral',
  target: 'es2022',
  plugins: [library],
})
await build({
  ...shared,
  entryPoints: {
    'unified/index': 'src/unified/index.ts',
    'convert/index': 'src/convert/index.ts',
    'convert/markdown': 'src/convert/markdown.ts',
    'convert/slack': 'src/convert/slack/index.ts',
  },
  platform: 'neutral',
  packages: 'external',
  target: 'es2022',
  splitting: true,
  chunkNames: 'convert/[name]-[hash]',
  plugins: [library],
})
await build({
  ...shared,
  entryPoints: {
    'arbitraries/index': 'src/arbitraries/index.ts',
    'arbitraries/arbitraries': 'src/arbitraries/arbitraries.ts',
  },
  platform: 'neutral',
  packages: 'external',
  target: 'es2022',
  splitting: true,
  chunkNames: 'arbitraries/[name]-[hash]',
  plugins: [library],
})
await build({
  ...shared,
  entryPoints: { cli: 'src/cli/index.ts', server: 'src/api/server/index.ts', 'testing/index': 'src/testing/index.ts' },
  platform: 'node',
  minifyWhitespace: true,
  // What the server needs is installed beside it; its migrations are built in.
  packages: 'external',
  loader: { '.sql': 'text' },
  target: 'node20.19',
  splitting: true,
  chunkNames: 'cli/[name]-[hash]',
  plugins: [entries, entriesByName],
})
chmodSync('dist/cli.js', 0o755)
writeFileSync('dist/playground.html', await playground())
writeFileSync('dist/conformance.json.gz', await conformance())
