/** Builds the code of the thread that counts: `counting-thread.ts` and the package with counting in it, as one script. */
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { readSources, top } from '../source.js'
import { instrument, ownNamesOf } from './instrument.js'

export async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('counting-thread.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    write: false,
    // `add-costs.ts` is imported for its side effects, and package.json says that there are none.
    ignoreAnnotations: true,
    plugins: [counting()],
  })
  return outputFiles[0]?.text ?? ''
}

function counting(): Plugin {
  const files = readSources()
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
