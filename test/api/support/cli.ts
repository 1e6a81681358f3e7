/** The command line as a process, built where it finds the packages that it loads. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A built command line. */
export interface BuiltCli {
  readonly path: string
  remove(): Promise<void>
}

let count = 0

export async function buildCli(): Promise<BuiltCli> {
  count += 1
  const path = join(process.cwd(), `node_modules/.blockmark-test/cli-${process.pid}-${count}.mjs`)
  await build({
    ...{ entryPoints: ['src/cli/index.ts'], bundle: true, format: 'esm', platform: 'node', packages: 'external' },
    ...{ loader: { '.sql': 'text' }, outfile: path, logLevel: 'error' },
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  })
  return { path, remove: () => rm(path, { force: true }) }
}
