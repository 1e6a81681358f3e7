/** Builds the script of a counting thread: the thread's own code, and instrumented copies of the package and its dependencies. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { parseTypeScript, top } from '../source.js'
import { instrument } from './instrument.js'

/** Bundles the thread of a file of this folder. */
export async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [pathOf(name)],
    absWorkingDir: top,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    write: false,
    // `built-ins.ts` is imported for its side effects, and package.json says that files have no side effects.
    ignoreAnnotations: true,
    plugins: [counting],
  })
  return outputFiles[0]?.text ?? ''
}

const counting: Plugin = {
  name: 'counting',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|node_modules)\/.*\.[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = instrument({ path, text, ...parseTypeScript(path, text) }, pathOf('meter.ts'))
      return { contents, loader: 'ts' }
    })
  },
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
