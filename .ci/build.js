/**
 * Builds the packages: `blockmark` in `dist`, and the server's in `dist/server`, from which `pack.js` makes a package. The
 * core is one file, behind an entry that exports only its public names. A command of the programs loads only its own code.
 * The library is minified, with short names of internal fields and with maps that lead to the lines of `src`. The server,
 * which is loaded once, keeps its names.
 */

import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { conformance } from './conformance.js'
import { shortensFields } from './internal-fields.js'
import { playground } from './playground.js'
import { buildSite } from './site.js'
import { inShortLines } from './source-maps.js'

const top = fileURLToPath(new URL('..', import.meta.url))
const onNode = 'node20.19'

/**
 * The library's entries. Code that several of them need is in the core's file or in another file that they share.
 */
const library = {
  index: 'src/index.ts',
  lint: 'src/lint/index.ts',
  'lint/rules': 'src/lint/rules.ts',
  messengers: 'src/messengers/index.ts',
  'client/index': 'src/api/client/index.ts',
  'unified/index': 'src/unified/index.ts',
  mdast: 'src/convert/mdast.ts',
  'convert/index': 'src/convert/index.ts',
  'arbitraries/index': 'src/arbitraries/index.ts',
  'testing/index': 'src/testing/index.ts',
}

/** The names by which the server imports entries. @type {Readonly<Record<string, string>>} */
const names = {
  'src/index.ts': 'blockmark',
  'src/lint/index.ts': 'blockmark/lint',
  'src/messengers/index.ts': 'blockmark/messengers',
  'src/api/client/index.ts': 'blockmark/client',
  'src/convert/index.ts': 'blockmark/markdown',
}

/**
 * Leaves imports of entries that are built elsewhere in the output.
 *
 * @param {(file: string) => string | undefined} nameOf - returns the import of a file of the source, if the file is an entry
 * @returns {import('rolldown').Plugin}
 */
function entriesAreExternal(nameOf) {
  return {
    name: 'entries-are-external',
    resolveId(request, importer) {
      if (!request.startsWith('.') || importer === undefined) return null
      const id = nameOf(relative(top, join(dirname(importer), request)).replace(/\.js$/, '.ts'))
      return id === undefined ? null : { id, external: true }
    },
  }
}

/** Returns the built file of an entry, relative to a folder in `dist`. @param {string} file */
function builtFileOf(file) {
  const built = Object.entries(library).find(([, source]) => source === file)
  return built && `../${built[0]}.js`
}

/** Returns whether a module is imported by name: a package or a module of Node.js, not the bundler's helper. @param {string} id */
const isPackage = (id) => /^[@\w]/.test(id) && !id.startsWith('@oxc-project/runtime')

/**
 * Builds some entries and writes their files.
 *
 * @param {Readonly<Record<string, string>>} input - each entry's path below `folder`, and its source
 * @param {{ folder?: string, shared?: string, target?: string, isMinified?: boolean, nameOf?: (file: string) => string | undefined }} [options]
 */
async function build(input, options = {}) {
  const { folder = 'dist', shared = 'shared', target = 'es2022', isMinified = true, nameOf } = options
  const bundle = await rolldown({
    input,
    platform: 'neutral',
    external: isPackage,
    // An entry exports the names of its declarations only. Code for other entries is in a file that both import.
    preserveEntrySignatures: 'strict',
    plugins: nameOf === undefined ? [shortensFields()] : [entriesAreExternal(nameOf)],
    moduleTypes: { '.sql': 'text', '.css': 'text', '.md': 'text' },
    transform: { target },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: join(shared, '[name]-[hash].js'),
    sourcemap: true,
    comments: { legal: false },
    minify: isMinified || { compress: true, mangle: false, codegen: false },
  })
  await bundle.close()
  for (const chunk of output) {
    // The maps are written with their code.
    if (chunk.type !== 'chunk') continue
    const path = join(folder, chunk.fileName)
    const { code, map } = inShortLines(chunk, path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
    writeFileSync(`${path}.map`, map)
  }
}

rmSync('dist', { recursive: true, force: true })
await build(library)
await build({ cli: 'src/cli/index.ts' }, { shared: 'cli', target: onNode, nameOf: builtFileOf })
chmodSync('dist/cli.js', 0o755)
copyFileSync('src/page/style.css', 'dist/style.css')
// Both files are compressed, to keep the package small. The commands unpack them.
writeFileSync('dist/playground.html.br', brotliCompressSync(await playground()))
writeFileSync('dist/conformance.json.gz', await conformance())
copyFileSync('test/conformance/README.md', 'dist/conformance.md')

await build(
  { index: 'src/server/index.ts', bin: 'src/server/commands/bin.ts' },
  { folder: 'dist/server', shared: '.', target: onNode, isMinified: false, nameOf: (file) => names[file] },
)
chmodSync('dist/server/bin.js', 0o755)
await buildSite('dist/server/site')
