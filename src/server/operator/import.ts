/** Imports an organization from the folder of an export, completely or not at all. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from '../store/database.js'
import { FORMAT, type Manifest } from './export.js'
import { keyOf, lock, OperatorError } from './organizations.js'
import { type Renumbered, renumber } from './renumber.js'
import { exportTables, transferSql as sql } from './transfer-sql.js'

/** The rows that are sent at once. */
const BATCH = 500

export interface Imported extends Manifest {
  /** The ids that were taken, with the new ids, in their order. */
  readonly renumbered: Renumbered
}

/**
 * Imports an organization. Its ids stay the same, except those that another organization has: these get new ones.
 *
 * @throws {OperatorError} if the organization exists, or if the folder is damaged, with file and line
 */
export async function importOrganization(
  database: Database,
  contents: ContentStorage,
  folder: string,
): Promise<Imported> {
  const manifest = await readManifest(folder)
  const { organization, name } = manifest
  const requireAbsent = async (run: Run): Promise<void> => {
    const { rows } = await run('', sql.exists, [organization, keyOf(name)])
    if (rows.length > 0) throw new OperatorError(`the organization ${name} exists: import into another database`)
  }
  await requireAbsent(database.run)
  const hashes = await checkContents(folder)
  const renumbered = await makeRoom(database.run, await readIDs(folder, manifest, hashes))
  const kept: string[] = []
  try {
    await database.transact(async (run) => {
      // Checked again, because another process may have created it. After the lock, none can before the import ends.
      await lock(run)
      await requireAbsent(run)
      for (const table of exportTables) await insertTable(run, organization, table, folder, renumbered)
      for (const hash of hashes) {
        // Recorded first, so that partly stored data is removed after a failure, too.
        kept.push(hash)
        await keepContent(contents, organization, join(folder, 'files', hash))
      }
    })
  } catch (error) {
    for (const hash of kept) await contents.remove(organization, hash).catch(() => undefined)
    throw error
  }
  return { ...manifest, renumbered }
}

/** Reads the manifest of an export. Throws OperatorError if the folder is not an export of a known format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (text === null) throw new OperatorError(`${folder} is not an export: manifest.json is missing`)
  const manifest = parsed<Manifest>(text, 'manifest.json')
  if (manifest.format === FORMAT) return manifest
  throw new OperatorError(
    `the export has format ${manifest.format}, this version reads ${FORMAT}: use the version that wrote it`,
  )
}

/** Parses a JSON object. Its fields are as the export wrote them, and the database checks their references. */
function parsed<Value extends object>(text: string, place: string): Value {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new OperatorError(`${place} is not JSON: export it again`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Value
  throw new OperatorError(`${place} is not a row: export it again`)
}

/** Checks the hashes of all file data before anything is stored. */
async function checkContents(folder: string): Promise<Set<string>> {
  const names = await readdir(join(folder, 'files'))
  for (const name of names) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(join(folder, 'files', name))) hash.update(chunk)
    if (hash.digest('hex') !== name)
      throw new OperatorError(`files/${name} has changed since the export: export it again`)
  }
  return new Set(names)
}

async function keepContent(contents: ContentStorage, organization: string, path: string): Promise<void> {
  const arrived = await contents.receive(organization, createReadStream(path))
  try {
    await arrived.keep()
  } finally {
    await arrived.discard()
  }
}

interface Row extends Record<string, unknown> {
  readonly id?: unknown
  readonly hash?: unknown
}

interface Line {
  readonly row: Row
  /** The file and line, for example `threads.ndjson:7`. */
  readonly place: string
}

async function* linesOf(folder: string, table: string): AsyncGenerator<Line> {
  let count = 0
  for await (const text of createInterface({ input: createReadStream(join(folder, `${table}.ndjson`)) })) {
    count += 1
    const place = `${table}.ndjson:${count}`
    yield { row: parsed(text, place), place }
  }
}

/** Checks that all tables are complete and returns their numeric ids. */
async function readIDs(folder: string, manifest: Manifest, hashes: ReadonlySet<string>): Promise<number[]> {
  const ids: number[] = []
  for (const table of exportTables) {
    const expected = manifest.rows[table] ?? 0
    let count = 0
    for await (const { row, place } of linesOf(folder, table)) {
      count += 1
      if (count > expected) throw new OperatorError(`${place} is not in the manifest: export it again`)
      if (typeof row.id === 'number') ids.push(row.id)
      if (table === 'files' && !hashes.has(String(row.hash).replace(/^\\x/, ''))) {
        throw new OperatorError(`${place} names file data that is missing: export it again`)
      }
    }
    if (count < expected) throw new OperatorError(`${table}.ndjson:${count + 1} is missing: export it again`)
  }
  return ids.sort((one, other) => one - other)
}

/** More ids than all processes can take between two statements. */
const MARGIN = 100_000

/**
 * Advances the sequence so that no id of the import is used from now on. If an id is taken, it and all higher ids of the
 * import get new ones, so that the order stays the same.
 */
async function makeRoom(run: Run, ids: readonly number[]): Promise<Renumbered> {
  await run('', sql.advance, [ids.at(-1) ?? 0, MARGIN])
  const { rows } = await run<{ id: string | null }>('', sql.firstTaken, [ids])
  const first = rows[0]?.id ?? null
  if (first === null) return new Map()
  const moved = ids.slice(ids.indexOf(Number(first)))
  const reserved = await run<{ last: string }>('', sql.reserve, [moved.length, MARGIN])
  const start = Number(reserved.rows[0]?.last) - moved.length
  return new Map(moved.map((id, index) => [id, start + index + 1]))
}

async function insertTable(
  run: Run,
  organization: string,
  table: string,
  folder: string,
  renumbered: Renumbered,
): Promise<void> {
  let batch: Line[] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await insert(run, organization, table, batch)
    batch = []
  }
  for await (const { row, place } of linesOf(folder, table)) {
    batch.push({ row: renumber(table, row, renumbered), place })
    if (batch.length === BATCH) await flush()
  }
  await flush()
}

/** Inserts rows. If the database rejects a batch, its rows are sent one by one to find the wrong one. */
async function insert(run: Run, organization: string, table: string, lines: readonly Line[]): Promise<void> {
  await run('', 'SAVEPOINT batch', [])
  try {
    const rows = lines.map(({ row }) => row)
    const columns = new Set(rows.flatMap((row) => Object.keys(row)))
    columns.delete('organization')
    await run('', sql.insert(table, [...columns]), [organization, JSON.stringify(rows)])
    await run('', 'RELEASE SAVEPOINT batch', [])
  } catch (error) {
    if (!isAboutData(error)) throw error
    await run('', 'ROLLBACK TO SAVEPOINT batch', [])
    const [line, ...others] = lines
    if (line !== undefined && others.length === 0) {
      throw new OperatorError(`${line.place} cannot be imported: ${error.message}`, { cause: error })
    }
    for (const each of lines) await insert(run, organization, table, [each])
  }
}

/** Whether a value, a reference or a column is wrong, by the SQLSTATE. */
function isAboutData(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:2[23]|42703)/.test(String(error.code))
}
