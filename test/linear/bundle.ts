/** Builds the script of a counting thread: the thread's own code and the instrumented package. */
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

/** The thread of `counting-thread.ts`, with all code of the package counted. */
export async function bundle(): Promise<string> {
  // Only the modules that the thread loads are counted: in others a method may have a built-in's name.
  const entry = entryOf('counting-thread.ts')
  const { metafile } = await build({ ...options, ...entry })
  const files = readSources().filter(({ path }) => path in metafile.inputs)
  const { outputFiles } = await build({ ...options, ...entry, plugins: [counting(files)] })
  return outputFiles[0]?.text ?? ''
}

/** The thread of `markdown-thread.ts`: counts every call and every loop iteration of the package and of its dependencies. */
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
