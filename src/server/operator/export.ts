/** Exports an organization to a folder: one NDJSON file for each table, file data by hash, and a manifest. */

import { createWriteStream } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from '../store/database.js'
import { tidy } from '../store/tidy.js'
import { OperatorError, type Organization } from './organizations.js'
import { exportTables, transferSql as sql } from './transfer-sql.js'

export const FORMAT = 1

/** The rows that are read at once. */
const BATCH = 500
const WAIT_MILLISECONDS = 100

/** A row as JSON. The hash of a file is the name of its data. */
interface Row extends Record<string, unknown> {
  readonly hash?: unknown
}

export interface Manifest {
  readonly format: number
  readonly organization: string
  readonly name: string
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
}

/**
 * Writes an organization to a folder, from one snapshot. API keys are left out. Share tokens are included, so the folder
 * must be treated as secret.
 */
export async function exportOrganization(
  database: Database,
  contents: ContentStorage,
  { organization, name }: Organization,
  folder: string,
): Promise<Manifest> {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const found = await readdir(folder)
  if (found.length > 1) throw new OperatorError(`${folder} is not empty: choose another folder`)
  // Deleted objects have rows until they are tidied, which another process may be doing at this moment.
  for (let failed = await tidy(database); failed?.has(organization) !== false; failed = await tidy(database)) {
    if (failed?.has(organization)) throw failed.get(organization)
    await sleep(WAIT_MILLISECONDS)
  }
  const rows: Record<string, number> = {}
  const hashes = new Set<string>()
  await database.snapshot(async (run) => {
    for (const table of exportTables) {
      rows[table] = await writeTable(run, organization, table, folder, hashes)
    }
  })
  for (const hash of hashes) {
    const content = await contents.open(organization, hash, null).catch((cause: unknown) => {
      throw new OperatorError(`the file data ${hash} of ${name} cannot be read: restore it from a backup`, { cause })
    })
    await pipeline(Readable.from(content), createWriteStream(join(folder, 'files', hash), { flags: 'wx', mode: 0o600 }))
  }
  const manifest: Manifest = { format: FORMAT, organization, name, rows, files: hashes.size }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

async function writeTable(
  run: Run,
  organization: string,
  table: string,
  folder: string,
  hashes: Set<string>,
): Promise<number> {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    await run('', sql.openCursor(table), [organization])
    for (let isOver = false; !isOver; ) {
      const { rows } = await run<{ row: Row }>('', sql.fetch(BATCH), [])
      for (const { row } of rows) {
        if (typeof row.hash === 'string') hashes.add(row.hash.replace(/^\\x/, ''))
        yield `${JSON.stringify(inUtc(row))}\n`
      }
      count += rows.length
      isOver = rows.length < BATCH
    }
    await run('', sql.closeCursor, [])
  }
  await pipeline(lines, createWriteStream(join(folder, `${table}.ndjson`), { flags: 'wx', mode: 0o600 }))
  return count
}

/** Converts times to UTC. The server may have another time zone. */
function inUtc(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) =>
    name.endsWith('_at') && typeof value === 'string' ? [name, new Date(value).toISOString()] : [name, value],
  )
  return Object.fromEntries(entries)
}
