/** Builds the code of a thread that counts: the thread's own and the package with counting in it, as one script. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { parseTypeScript, readSources, type SourceFile, top } from '../source.js'
import { instrument, instrumentLoosely, ownNamesOf } from './instrument.js'

const options = {
  absWorkingDir: top,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  write: false,
  metafile: true,
  // `add-costs.ts` and `built-ins.ts` are imported for their side effects, and package.json says that files have no side effects.
  ignoreAnnotations: true,
} as const satisfies BuildOptions

const costsPath = fileURLToPath(new URL('costs.ts', import.meta.url))

function entryOf(name: string): { readonly entryPoints: string[] } {
  return { entryPoints: [fileURLToPath(new URL(name, import.meta.url))] }
}

/** The thread of `counting-thread.ts`: nothing of the package goes uncounted. */
export async function bundle(): Promise<string> {
  // Only what the thread loads is counted: elsewhere a method may have a built-in's name.
  const entry = entryOf('counting-thread.ts')
  const { metafile } = await build({ ...options, ...entry })
  const files = readSources().filter(({ path }) => path in metafile.inputs)
  const { outputFiles } = await build({ ...options, ...entry, plugins: [counting(files)] })
  return outputFiles[0]?.text ?? ''
}

/** The thread of `markdown-thread.ts`: of the package and of all that it imports every call and every turn of a loop counts. */
export async function bundleWithLibraries(): Promise<string> {
  const plugins = [countingAll]
  const { outputFiles } = await build({ ...options, ...entryOf('markdown-thread.ts'), plugins })
  return outputFiles[0]?.text ?? ''
}

function counting(files: readonly SourceFile[]): Plugin {
  const own = ownNamesOf(files)
  return {
    name: 'counting',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const file = files.find((candidate) => path === `${top}${candidate.path}`)
        return file === undefined ? null : { contents: instrument(file, own, costsPath), loader: 'ts' }
      })
    },
  }
}

const countingAll: Plugin = {
  name: 'counting-all',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|node_modules)\/.*\.[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return { contents: instrumentLoosely({ path, text, ...parseTypeScript(path, text) }, costsPath), loader: 'ts' }
    })
  },
}
