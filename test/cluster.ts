/** A data folder of the embedded PostgreSQL, created once for all tests, because that takes most of the time of a first start. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/server/embedded/index.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the folder. `dataFolder` of `api/support/backends.ts` returns copies of it. */
    cluster: string
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-cluster-'))
  const embedded = await startEmbedded(folder)
  await embedded.stop()
  provide('cluster', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
