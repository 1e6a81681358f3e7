/**
 * Removes rows that are no longer needed, of all organizations together and a thousand at a time: deleted objects,
 * expired sessions, sign-in links and API keys, and stored responses and unused files after a day.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from './database.js'
import { sql } from './sql.js'
import { keys } from './tables.js'

type FileData = Pick<ContentStorage, 'remove'>

/** Rows of one table that are removed in one transaction; this takes some tens of milliseconds. */
const BATCH = 1000

/**
 * The steps in order, each with the table whose rows it removes, and the statement that finds them: the contents of a thread,
 * channel or chat are removed before it. On a cluster the statements run on all shards.
 */
const steps = {
  commentsOfThreads: [
    'comments',
    `SELECT c.organization, c.id FROM threads t
    JOIN comments c ON c.organization = t.organization AND c.thread_id = t.id WHERE t.is_removed`,
  ],
  commentsOfChannels: [
    'comments',
    `SELECT c.organization, c.id FROM channels h
    JOIN threads t ON t.organization = h.organization AND t.channel_id = h.id
    JOIN comments c ON c.organization = t.organization AND c.thread_id = t.id WHERE h.is_removed`,
  ],
  threads: [
    'threads',
    `SELECT t.organization, t.id FROM threads t WHERE t.is_removed AND ${without('comments', 'thread_id')}`,
  ],
  threadsOfChannels: [
    'threads',
    `SELECT t.organization, t.id FROM channels h JOIN threads t ON t.organization = h.organization AND t.channel_id = h.id
    WHERE h.is_removed AND ${without('comments', 'thread_id')}`,
  ],
  channels: [
    'channels',
    `SELECT t.organization, t.id FROM channels t WHERE t.is_removed AND ${without('threads', 'channel_id')}`,
  ],
  // Placeholders of deleted comments that no longer have replies.
  emptied: [
    'comments',
    `SELECT t.organization, t.id FROM comments t WHERE t.blocks IS NULL AND ${without('comments', 'parent_id')}`,
  ],
  messages: [
    'messages',
    `SELECT m.organization, m.id FROM chats c
    JOIN messages m ON m.organization = c.organization AND m.chat_id = c.id WHERE c.is_removed`,
  ],
  chats: ['chats', `SELECT t.organization, t.id FROM chats t WHERE t.is_removed AND ${without('messages', 'chat_id')}`],
  sessions: ['sessions', ended('sessions')],
  signInLinks: ['sign_in_links', ended('sign_in_links')],
  apiKeys: ['api_keys', ended('api_keys')],
  responses: ['idempotency', ended('idempotency')],
} as const

/** The condition that no row of a table refers to a row `t`. */
function without(table: string, column: string): string {
  return `NOT EXISTS (SELECT FROM ${table} r WHERE r.organization = t.organization AND r.${column} = t.id)`
}

function ended(table: string): string {
  return `SELECT organization, hash AS id FROM ${table} WHERE expires_at <= now()`
}

const others = {
  removedOrganizations: 'SELECT organization FROM organizations WHERE is_removed',
  filesOfOrganization: `SELECT encode(hash, 'hex') AS hash FROM files WHERE organization = $1 ORDER BY id LIMIT ${BATCH}`,
  removeKeys: 'DELETE FROM key_directory WHERE hash = ANY ($1::bytea[])',
  // A file is uploaded before the message that shows it is posted.
  unusedFiles: `
    SELECT t.organization, t.id, encode(t.hash, 'hex') AS hash FROM files t
    WHERE t.created_at <= now() - interval '1 day' AND ${without('shown_files', 'file_id')} LIMIT ${BATCH}`,
  removeUnusedFile: `
    DELETE FROM files f WHERE f.organization = $1 AND f.id = $2
      AND NOT EXISTS (SELECT FROM shown_files s WHERE s.organization = $1 AND s.file_id = f.id)`,
  fileWithContent: `SELECT FROM files WHERE organization = $1 AND hash = decode($2, 'hex') LIMIT 1`,
}

/** The statements of this file, for the tests that read them. */
export const tidySql: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(steps).map(([name, [, find]]) => [name, find])),
  ...others,
}

interface Row {
  readonly organization: string
  readonly id: unknown
}

/** The types of ids; other tables have a hash. */
const types: Readonly<Record<string, string>> = {
  ...{ channels: 'bigint', threads: 'bigint', comments: 'bigint', chats: 'uuid', messages: 'uuid' },
}

/** Removes rows of one table. */
async function remove(run: Run, table: string, rows: readonly Row[]): Promise<void> {
  const type = types[table] ?? 'bytea'
  const key = type === 'bytea' ? 'hash' : 'id'
  const [organizations, ids] = [rows.map(({ organization }) => organization), rows.map(({ id }) => id)]
  const text = `DELETE FROM ${table} WHERE (organization, ${key}) IN (SELECT * FROM unnest($1::uuid[], $2::${type}[]))`
  await run('', text, [organizations, ids])
  if (table === 'api_keys') await run('', others.removeKeys, [ids])
}

/** The number of a lock, chosen freely: only one process at a time removes rows. */
const LOCK = 7_260_148_210_337

/** Thrown if another process removes rows at this moment. */
class Busy extends Error {}

/**
 * Removes all rows and files that are no longer needed.
 *
 * @param database - a database without time limits
 * @param contents - the data of files; without it, unused files and removed organizations stay
 * @returns whether it was done; false if another process is at work
 */
export async function tidy(database: Database, contents?: FileData): Promise<boolean> {
  try {
    for (const [table, find] of Object.values(steps)) await takeStep(database, table, find)
    if (contents !== undefined) {
      const { rows } = await database.run<{ organization: string }>('', others.removedOrganizations, [])
      for (const { organization } of rows) await removeOrganization(database, contents, organization)
      await pruneFiles(database, contents)
    }
    return true
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}

async function takeStep(database: Database, table: string, find: string): Promise<void> {
  // Each pass removes placeholders whose last reply was removed by the pass before. The rest is removed a minute later.
  const passesMax = find === steps.emptied[1] ? 20 : Number.POSITIVE_INFINITY
  for (let pass = 0; pass < passesMax; pass += 1) {
    const { rows } = await database.run<Row & Record<string, unknown>>('', `${find} LIMIT ${BATCH}`, [])
    if (rows.length === 0) return
    await locked(database, (run) => remove(run, table, rows))
  }
}

/** Removes everything of an organization, a thousand rows at a time: each table before the tables that it refers to. */
async function removeOrganization(database: Database, contents: FileData, organization: string): Promise<void> {
  for (const [table, key] of Object.entries(keys).toReversed()) {
    const text = `
      DELETE FROM ${table} WHERE organization = $1 AND (${key}) IN (
        SELECT ${key} FROM ${table} WHERE organization = $1 ORDER BY ${key} LIMIT ${BATCH})`
    for (let removed = 1; removed > 0; ) {
      if (table === 'files') await removeData(database.run, contents, organization)
      await locked(database, async (run) => {
        removed = (await run('', text, [organization])).count
      })
    }
  }
}

/** Removes the data of files before their rows, by which an interrupted removal finds the data again. */
async function removeData(run: Run, contents: FileData, organization: string): Promise<void> {
  const { rows } = await run<{ hash: string }>('', others.filesOfOrganization, [organization])
  for (const { hash } of rows) await contents.remove(organization, hash)
}

/** Removes unused files, each in one transaction, which also removes the data of a file unless another file has the same. */
async function pruneFiles(database: Database, contents: FileData): Promise<void> {
  for (;;) {
    const { rows } = await database.run<Row & { hash: string }>('', others.unusedFiles, [])
    if (rows.length === 0) return
    for (const { organization, id, hash } of rows) {
      await locked(database, async (run) => {
        // An upload of the same file data waits for this lock, and stores the data again afterwards.
        await run('', sql.holdContent, [organization, hash])
        const { count } = await run('', others.removeUnusedFile, [organization, id])
        const same = await run('', others.fileWithContent, [organization, hash])
        if (count > 0 && same.count === 0) await contents.remove(organization, hash)
      })
    }
  }
}

function locked(database: Database, work: (run: Run) => Promise<void>): Promise<void> {
  return database.transact(async (run) => {
    const { rows } = await run<{ held: boolean }>('', 'SELECT pg_try_advisory_xact_lock($1) AS held', [LOCK])
    if (rows[0]?.held !== true) throw new Busy()
    await work(run)
  })
}

/** The rows of deleted objects are removed within a minute. */
const ROUND_MILLISECONDS = 60_000
/** Files and organizations are removed at the start and every hour: all files must be read to find the unused ones. */
const ROUNDS_PER_HOUR = 60

/**
 * Tidies now and every minute.
 *
 * @param onEnd - called after a round of every hour, and with the error of a round that failed
 * @returns the function that ends this
 */
export function keepTidy(database: Database, contents: FileData, onEnd: (error?: unknown) => void): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  void (async () => {
    for (let round = 0; !signal.aborted; round += 1) {
      const isHourly = round % ROUNDS_PER_HOUR === 0
      // A round that is interrupted by the end of the process is not worth an entry in the log.
      const report = (error?: unknown): void => void (!signal.aborted && onEnd(error))
      await tidy(database, isHourly ? contents : undefined).then((isDone) => isDone && isHourly && report(), report)
      await sleep(ROUND_MILLISECONDS, undefined, { ref: false, signal }).catch(() => undefined)
    }
  })()
  return () => stopping.abort()
}
