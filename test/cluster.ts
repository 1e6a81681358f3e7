/**
 * PostgreSQL for all tests: the data folder of a cluster, because creating one takes most of the time of a first start, and a
 * server whose databases the tests share.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Embedded, startEmbedded } from '../src/server/embedded/index.js'
import { openDatabase } from '../src/server/store/database.js'
import { migrate } from '../src/server/store/migrate.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the folder. `dataFolder` of `api/support/backends.ts` returns copies of it. */
    cluster: string
    /** The server. `openEmbedded` of `api/support/backends.ts` creates its databases as copies of `migrated`. */
    server: Embedded['address']
  }
}

/** Enough for the pools of all files that run at the same time. */
const CONNECTIONS = 200

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'blockmark-cluster-'))
  await (await startEmbedded(folder)).stop()
  const running = `${folder}-running`
  // With `cp`, because Node's own copy does not keep the owners.
  execFileSync('cp', ['-a', folder, running])
  const embedded = await startEmbedded(running, CONNECTIONS)
  const open = { areStatementsNamed: false, connectionsMax: 1, isPatient: true }
  const first = await openDatabase({ connection: { ...embedded.address }, ...open })
  await first.run('CREATE DATABASE migrated')
  await first.close()
  const migrated = await openDatabase({ connection: { ...embedded.address, database: 'migrated' }, ...open })
  await migrate(migrated)
  await migrated.close()
  provide('cluster', folder)
  // The address of this process has a link that only this process can open.
  provide('server', { ...embedded.address, host: join(running, 'postgres') })
  return async () => {
    await embedded.stop()
    for (const path of [folder, running]) rmSync(path, { recursive: true, force: true })
  }
}
