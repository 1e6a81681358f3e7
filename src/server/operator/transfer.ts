/** Exports organizations to a folder, and restores them into an empty database, completely or not at all. */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { codeOf } from '../error-code.js'
import type { ContentStorage } from '../files/storage.js'
import type { Database } from '../store/database.js'
import { lock } from './organizations.js'

/**
 * The tables of an export, without secrets and without the responses that are storedFiles for a day. A table comes after those
 * that it refers to.
 */
const exportedTables: readonly string[] = [
  ...['organizations', 'users', 'channels', 'channel_members', 'threads', 'comments', 'chats', 'chat_members'],
  ...['messages', 'files', 'shown_files'],
]

interface Manifest {
  /** The last id that the database had assigned when the export was made. */
  readonly lastID: string
  /** The SHA-256 of each file, in hexadecimal, by its path in the folder. */
  readonly files: Readonly<Record<string, string>>
}

/** The numbers of rows and files that were exported or imported. */
export interface Transferred {
  readonly rows: number
  readonly files: number
}

/**
 * Writes organizations to a folder, all from one snapshot. API keys are left out. Share tokens are included, so the folder
 * must be treated as secret.
 *
 * @param only - the id of the organization; null for all of them
 */
export async function exportTo(
  database: Database,
  contents: ContentStorage,
  only: string | null,
  folder: string,
): Promise<Transferred> {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 1) throw new Error(`${folder} is not empty: choose another folder`)
  const files: Record<string, string> = {}
  const write = async (path: string, source: Readable): Promise<void> => {
    const hash = createHash('sha256')
    source.on('data', (chunk: Uint8Array) => hash.update(chunk))
    await pipeline(source, createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600 }))
    files[path] = hash.digest('hex')
  }
  let rows = 0
  // The id comes from the database, so it is safe to put it into SQL.
  const which = only === null ? 'SELECT organization FROM organizations WHERE NOT is_removed' : `'${only}'`
  const { found, lastID } = await database.onOwnConnection(SNAPSHOT, async (client) => {
    await client.query(`SET LOCAL timezone = 'UTC'`)
    for (const table of exportedTables) {
      const rowsOf = `SELECT * FROM ${table} WHERE organization IN (${which})`
      const copying = client.query(to(`COPY (${rowsOf}) TO STDOUT WITH (FORMAT csv, HEADER)`))
      await write(`${table}.csv`, copying)
      rows += copying.rowCount
    }
    const hashes = `SELECT DISTINCT ON (hash) organization, encode(hash, 'hex') AS hash FROM files WHERE organization IN (${which})`
    const last = await client.query<{ last: string }>('SELECT last_value AS last FROM ids')
    const data = await client.query<{ organization: string; hash: string }>(hashes)
    return { found: data.rows, lastID: last.rows[0]?.last ?? '' }
  })
  for (const { organization, hash } of found) {
    const content = await contents.open(organization, hash, null).catch((cause: unknown) => {
      throw new Error(`the file data ${hash} cannot be read: restore it from a backup`, { cause })
    })
    await write(`files/${hash}`, Readable.from(content))
  }
  const manifest: Manifest = { lastID, files }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return { rows, files: found.length }
}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Restores an export into a database that has no organization. Ids and URLs do not change.
 *
 * @throws {Error} if there is an organization, or if the folder is damaged; the message names the file
 */
export async function importFrom(database: Database, contents: ContentStorage, folder: string): Promise<Transferred> {
  const manifest = await readManifest(folder)
  const storedFiles: { organization: string; hash: string }[] = []
  try {
    const rows = await database.onOwnConnection('BEGIN', async (client) => {
      // After the lock, no other process can create an organization before the import ends.
      await client.query(lock)
      const { rowCount } = await client.query('SELECT FROM organizations LIMIT 1')
      if (rowCount !== 0) throw new Error('the database has organizations: import into a new one')
      let count = 0
      for (const table of exportedTables) count += await copyTable(client, table, folder)
      await client.query(`SELECT setval('ids', $1::bigint)`, [manifest.lastID])
      const { rows: found } = await client.query<{ organization: string; hash: string }>(
        `SELECT DISTINCT organization, encode(hash, 'hex') AS hash FROM files`,
      )
      for (const each of found) {
        // Recorded first, so that partly stored data is removed after a failure, too.
        storedFiles.push(each)
        await keepContent(contents, each.organization, join(folder, 'files', each.hash))
      }
      return count
    })
    return { rows, files: storedFiles.length }
  } catch (error) {
    for (const { organization, hash } of storedFiles) await contents.remove(organization, hash).catch(() => undefined)
    throw error
  }
}

/** Reads the manifest of an export and checks every file. Throws if the folder is not a complete export. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (text === null) throw new Error(`${folder} is not an export: manifest.json is missing`)
  const { lastID, files } = parsed(text)
  for (const path of new Set([...exportedTables.map((table) => `${table}.csv`), ...Object.keys(files)])) {
    const hash = createHash('sha256')
    try {
      for await (const chunk of createReadStream(join(folder, path))) hash.update(chunk)
    } catch (cause) {
      throw new Error(`${path} is missing: export it again`, { cause })
    }
    if (hash.digest('hex') !== files[path]) {
      throw new Error(`${path} has changed since the export: export it again`)
    }
  }
  return { lastID, files }
}

function parsed(text: string): Manifest {
  try {
    const { lastID, files = {} }: Partial<Manifest> = JSON.parse(text)
    if (lastID === undefined || !/^\d{1,16}$/.test(lastID)) throw new Error('no last id')
    return { lastID, files }
  } catch (cause) {
    throw new Error('manifest.json is not valid: export it again', { cause })
  }
}

/** Restores the rows of a table, and returns their number. */
async function copyTable(client: Client, table: string, folder: string): Promise<number> {
  const copying = client.query(from(`COPY ${table} FROM STDIN WITH (FORMAT csv, HEADER MATCH)`))
  try {
    await pipeline(createReadStream(join(folder, `${table}.csv`)), copying)
  } catch (error) {
    // These SQLSTATEs mean a wrong value, reference or column. Any other error is about the database, not the file.
    if (!(error instanceof Error && /^(?:2[23]|42)/.test(codeOf(error)))) throw error
    throw new Error(`${table}.csv cannot be imported: ${error.message}`, { cause: error })
  }
  return copying.rowCount
}

async function keepContent(contents: ContentStorage, organization: string, path: string): Promise<void> {
  const arrived = await contents.receive(organization, createReadStream(path))
  try {
    await arrived.keep()
  } finally {
    await arrived.discard()
  }
}
