/** An organization as a folder: NDJSON a table, the files by their hash, and a manifest; and back. */

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from '../store/postgres/database.js'
import { OperatorError, type Organization } from './organizations.js'
import { exportTables, transferSql as sql } from './transfer-sql.js'

/** Changes with what a reader has to know. */
const FORMAT = 1

/** Rows that are under way at once. */
const BATCH = 500

/** A row as JSON; the hash of a file is the name of its content. */
interface Row extends Record<string, unknown> {
  readonly hash?: unknown
}

interface Manifest {
  readonly format: number
  readonly organization: string
  readonly name: string
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
}

/**
 * Writes an organization to a folder, all of it as it was at one moment. Keys stay out; share tokens are in, so the
 * folder is as secret as the threads are.
 *
 * @param database - the database
 * @param contents - the files
 * @param organization - whose
 * @param folder - a new or empty folder
 * @returns the manifest
 */
export async function exportOrganization(
  database: Database,
  contents: ContentStorage,
  { organization, name }: Organization,
  folder: string,
): Promise<Manifest> {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const found = await readdir(folder)
  if (found.length > 1) throw new OperatorError(`${folder} is not empty`)
  const rows: Record<string, number> = {}
  const hashes = new Set<string>()
  await database.snapshot(async (run) => {
    for (const table of exportTables) {
      rows[table] = await writeTable(run, organization, table, folder, hashes)
    }
  })
  for (const hash of hashes) {
    const content = await contents.open(organization, hash, null).catch((cause: unknown) => {
      throw new OperatorError(`${hash} of ${name} can not be read: bring it back from a backup`, { cause })
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
  const output = createWriteStream(join(folder, `${table}.ndjson`), { flags: 'wx', mode: 0o600 })
  let count = 0
  await run('', sql.openCursor(table), [organization])
  for (;;) {
    const { rows } = await run<{ row: Row }>('', sql.fetch(BATCH), [])
    for (const { row } of rows) {
      if (typeof row.hash === 'string') hashes.add(row.hash.replace(/^\\x/, ''))
      if (!output.write(`${JSON.stringify(inUtc(row))}\n`))
        await new Promise<void>((resolve) => output.once('drain', () => resolve()))
    }
    count += rows.length
    if (rows.length < BATCH) break
  }
  await run('', sql.closeCursor, [])
  output.end()
  await finished(output)
  return count
}

/** Times as they are written everywhere, whatever the server's own zone. */
function inUtc(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) =>
    name.endsWith('_at') && typeof value === 'string' ? [name, new Date(value).toISOString()] : [name, value],
  )
  return Object.fromEntries(entries)
}

/**
 * Reads an organization back that was exported: all of it, or nothing.
 *
 * @param database - the database
 * @param contents - where its files go
 * @param folder - what `exportOrganization` wrote
 * @returns the manifest
 * @throws {OperatorError} where the organization exists, or the folder is not whole
 */
export async function importOrganization(
  database: Database,
  contents: ContentStorage,
  folder: string,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const { organization, name } = manifest
  const { rows } = await database.run('', sql.exists, [organization, name])
  if (rows.length > 0) throw new OperatorError(`the organization ${name} exists; import into another database`)
  const names = await readdir(join(folder, 'files'))
  if (names.length !== manifest.files) throw new OperatorError(`${folder} lacks files: export it again`)
  for (const hash of names) await importFile(contents, organization, hash, join(folder, 'files', hash))
  await database.transact(async (run) => {
    for (const table of exportTables) {
      const count = await readTable(run, organization, table, folder)
      if (count !== manifest.rows[table]) throw new OperatorError(`${table}.ndjson is not whole: export it again`)
    }
    await run('', sql.locate, [organization])
    await run('', sql.advance, [organization])
  })
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (text === null) throw new OperatorError(`${folder} holds no export: there is no manifest.json`)
  const manifest: Manifest = JSON.parse(text)
  if (manifest.format !== FORMAT)
    throw new OperatorError(`the export has format ${manifest.format}, this reads ${FORMAT}`)
  return manifest
}

async function importFile(contents: ContentStorage, organization: string, hash: string, path: string): Promise<void> {
  const arrived = await contents.receive(organization, createReadStream(path))
  try {
    if (arrived.hash !== hash) throw new OperatorError(`${path} is not what was exported`)
    await arrived.keep()
  } finally {
    await arrived.discard()
  }
}

async function readTable(run: Run, organization: string, table: string, folder: string): Promise<number> {
  let batch: string[] = []
  let count = 0
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await run('', sql.insert(table), [organization, `[${batch.join(',')}]`])
    batch = []
  }
  for await (const line of createInterface({ input: createReadStream(join(folder, `${table}.ndjson`)) })) {
    batch.push(line)
    count += 1
    if (batch.length === BATCH) await flush()
  }
  await flush()
  return count
}
