/** Exports organizations to a folder, and restores them into an empty database, completely or not at all. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { codeOf } from '../error-code.js'
import { spool } from '../files/folder.js'
import type { ContentStorage } from '../files/storage.js'
import type { Database } from '../store/database.js'
import { lockStatement } from './organizations.js'

/**
 * The tables of an export: all except the tables of API keys, sessions, sign-in links and stored responses. A table comes after
 * the tables that it refers to.
 */
const exportedTables: readonly string[] = [
  ...['organizations', 'users', 'channels', 'channel_members', 'threads', 'comments', 'chats', 'chat_members'],
  ...['messages', 'files', 'shown_files'],
]

/** The file `manifest.json` of an export. */
export interface Manifest {
  /** The last id that the database had assigned when the export was made. */
  readonly lastID: string
  /** The SHA-256 of the rows of each table, in hexadecimal. The name of each file is the SHA-256 of its data. */
  readonly tables: Readonly<Record<string, string>>
}

/** File data of an organization, by its SHA-256 in hexadecimal. */
type Content = Readonly<Record<'organization' | 'hash', string>>

/** The numbers of rows and files that were exported or imported. */
export type TransferCounts = Readonly<Record<'rows' | 'files', number>>

/**
 * Writes organizations to a folder, all from one snapshot. API keys are omitted. Share tokens are included, so the folder
 * must be treated as secret.
 *
 * @param only - the id of the organization; null for all of them
 */
export async function exportTo(
  database: Database,
  contents: ContentStorage,
  only: string | null,
  folder: string,
): Promise<TransferCounts> {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 1) throw new Error(`${folder} is not empty: choose another folder`)
  const tables: Record<string, string> = {}
  let rowCount = 0
  // The id comes from the database, so it is safe to put it into SQL.
  const organizationIDs = only === null ? 'SELECT organization FROM organizations WHERE NOT is_removed' : `'${only}'`
  const { files, lastID } = await database.onOwnConnection(async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(`SET LOCAL timezone = 'UTC'`)
    for (const table of exportedTables) {
      const rowsOf = `SELECT * FROM ${table} WHERE organization IN (${organizationIDs})`
      const copyStream = client.query(to(`COPY (${rowsOf}) TO STDOUT WITH (FORMAT csv, HEADER)`))
      tables[table] = (await spool(join(folder, `${table}.csv`), copyStream)).hash
      rowCount += copyStream.rowCount
    }
    const hashes = `SELECT DISTINCT ON (hash) organization, encode(hash, 'hex') AS hash FROM files WHERE organization IN (${organizationIDs})`
    const last = await client.query<{ last: string }>('SELECT last_value AS last FROM ids')
    const fileHashes = await client.query<Content>(hashes)
    return { files: fileHashes.rows, lastID: last.rows[0]?.last ?? '' }
  })
  for (const { organization, hash } of files) {
    const content = await contents.open(organization, hash, null).catch((cause: unknown) => {
      throw new Error(`the file data ${hash} cannot be read: restore it from a backup`, { cause })
    })
    if ((await spool(join(folder, 'files', hash), content)).hash !== hash) {
      throw new Error(`the file data ${hash} is damaged: restore it from a backup`)
    }
  }
  const manifest: Manifest = { lastID, tables }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return { rows: rowCount, files: files.length }
}

/**
 * Restores an export into a database that has no organization. Ids and URLs do not change.
 *
 * @param manifest - the manifest of the folder, from `readManifest`
 * @throws {Error} if there is an organization, or if the folder is damaged; the message names the file
 */
export async function importFrom(
  database: Database,
  contents: ContentStorage,
  folder: string,
  manifest: Manifest,
): Promise<TransferCounts> {
  const storedFiles: Content[] = []
  try {
    const rows = await database.onOwnConnection(async (client) => {
      // After the lock, no other process can create an organization before the import ends.
      await client.query(lockStatement)
      const { rowCount } = await client.query('SELECT FROM organizations LIMIT 1')
      if (rowCount !== 0) throw new Error('the database has organizations: import into a new one')
      let count = 0
      for (const table of exportedTables) {
        count += await copyTable(client, table, readChecked(folder, `${table}.csv`, manifest.tables[table]))
      }
      await client.query(`SELECT setval('ids', $1::bigint)`, [manifest.lastID])
      const { rows: files } = await client.query<Content>(
        `SELECT DISTINCT organization, encode(hash, 'hex') AS hash FROM files`,
      )
      for (const { organization, hash } of files) {
        const { keep, discard } = await contents.receive(organization, readChecked(folder, `files/${hash}`, hash))
        // The file is recorded first, so that partly stored data is removed after a failure, too.
        storedFiles.push({ organization, hash })
        await keep().finally(discard)
      }
      return count
    })
    return { rows, files: storedFiles.length }
  } catch (error) {
    for (const { organization, hash } of storedFiles) await contents.remove(organization, hash).catch(() => undefined)
    throw error
  }
}

/** Reads the manifest of an export. Throws if the folder is not a complete export. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = readFile(join(folder, 'manifest.json'), 'utf8')
  const manifest: Partial<Manifest> | null = await text.then(JSON.parse).catch(() => null)
  const { lastID = '', tables = {} } = manifest ?? {}
  if (/^\d{1,16}$/.test(lastID)) return { lastID, tables }
  throw new Error(`${folder} is not an export: manifest.json is missing or not valid`)
}

/** Restores the rows of a table, and returns their number. */
async function copyTable(client: Client, table: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const copyStream = client.query(from(`COPY ${table} FROM STDIN WITH (FORMAT csv, HEADER MATCH)`))
  try {
    await pipeline(source, copyStream)
  } catch (error) {
    // These SQLSTATEs mean a wrong value, reference or column. All other errors are about the database, not the file.
    if (!(error instanceof Error && /^(?:2[23]|42)/.test(codeOf(error)))) throw error
    throw new Error(`${table}.csv cannot be imported: export it again (${error.message})`, { cause: error })
  }
  return copyStream.rowCount
}

/** Yields the data of a file of an export. Throws at the end if the SHA-256 of the data is not `hash`. */
async function* readChecked(folder: string, path: string, hash: string | undefined): AsyncGenerator<Uint8Array> {
  const sha256 = createHash('sha256')
  try {
    for await (const chunk of createReadStream(join(folder, path))) {
      sha256.update(chunk)
      yield chunk
    }
  } catch (cause) {
    throw new Error(`${path} is missing: export it again`, { cause })
  }
  if (sha256.digest('hex') !== hash) throw new Error(`${path} has changed since the export: export it again`)
}
