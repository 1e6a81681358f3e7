/** Builds the code of the thread that counts: `counting-thread.ts` and the package with counting in it, as one script. */
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { readSources, type SourceFile, top } from '../source.js'
import { instrument, ownNamesOf } from './instrument.js'

const options = {
  entryPoints: [fileURLToPath(new URL('counting-thread.ts', import.meta.url))],
  absWorkingDir: top,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  write: false,
  metafile: true,
  // `add-costs.ts` is imported for its side effects, and package.json says that there are none.
  ignoreAnnotations: true,
} as const satisfies BuildOptions

export async function bundle(): Promise<string> {
  // Only what the thread loads is counted: elsewhere a method may have a built-in's name.
  const { metafile } = await build(options)
  const files = readSources().filter(({ path }) => path in metafile.inputs)
  const { outputFiles } = await build({ ...options, plugins: [counting(files)] })
  return outputFiles[0]?.text ?? ''
}

function counting(files: readonly SourceFile[]): Plugin {
  const own = ownNamesOf(files)
  const costsPath = fileURLToPath(new URL('costs.ts', import.meta.url))
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
