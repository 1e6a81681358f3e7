/** Some test files and all that they import in one module, in which a file of the project reads other than on the disk. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildContext, context } from 'esbuild'

/** Writes the module anew, with other files changed than before. */
export interface Bundle {
  write(changed: ReadonlyMap<string, string>): Promise<void>
  end(): Promise<void>
}

export async function bundleOf(tests: readonly string[], outfile: string): Promise<Bundle> {
  let changed: ReadonlyMap<string, string> = new Map()
  const originals = new Map<string, string>()
  const building: BuildContext = await context({
    stdin: { contents: tests.map((file) => `export * from './${file}'`).join('\n'), resolveDir: process.cwd() },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    // The package says that its modules do nothing when they are loaded, and so would those of its tests.
    ignoreAnnotations: true,
    logLevel: 'silent',
    loader: { '.sql': 'text', '.css': 'text' },
    plugins: [
      {
        name: 'changed',
        setup: (build) =>
          build.onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, ({ path }) => {
            const original = originals.get(path) ?? readFileSync(path, 'utf8')
            originals.set(path, original)
            const source = changed.get(path) ?? original
            // Tests look for chapters beside themselves.
            return {
              loader: 'ts',
              contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
            }
          }),
      },
    ],
  })
  return {
    write: async (files) => {
      changed = new Map([...files].map(([name, source]) => [resolve(name), source]))
      await building.rebuild()
    },
    end: () => building.dispose(),
  }
}
