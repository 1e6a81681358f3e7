/**
 * Removes rows that are no longer needed, of all organizations together and a thousand at a time: deleted objects and
 * organizations, expired sessions, sign-in links and API keys, and stored responses and unused files after a day.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from './database.js'
import { sql } from './sql.js'

type FileData = Pick<ContentStorage, 'remove'>

/** Maximum number of rows that one transaction removes, which takes some tens of milliseconds. */
const BATCH_SIZE = 1000

/** The types of the ids of rows. An id of type `bytea` is in the column `hash`. */
const types = {
  ...{ channels: 'bigint', threads: 'bigint', comments: 'bigint', users: 'bigint', chats: 'uuid', messages: 'uuid' },
  ...{ sessions: 'bytea', sign_in_links: 'bytea', api_keys: 'bytea', idempotency: 'bytea' },
} as const

/**
 * Creates a step, which finds rows of a table that can be removed, on all shards of a cluster, and removes them.
 *
 * @param condition - SQL: joins, and the condition of the rows `t` of the table
 * @param passesMax - the maximum number of passes in one round
 */
function createStep(table: keyof typeof types, condition: string, passesMax: number = Number.POSITIVE_INFINITY) {
  const idColumn = types[table] === 'bytea' ? 'hash' : 'id'
  const ids = `SELECT * FROM unnest($1::uuid[], $2::${types[table]}[])`
  return {
    table,
    find: `SELECT t.organization, t.${idColumn} AS id FROM ${table} t ${condition} LIMIT ${BATCH_SIZE}`,
    remove: `DELETE FROM ${table} WHERE (organization, ${idColumn}) IN (${ids})`,
    passesMax,
  }
}

type Step = ReturnType<typeof createStep>

/** Returns SQL that joins the row that contains a row `t`. */
const joinParent = (table: string, column: string, row = 't'): string =>
  `JOIN ${table} ON ${table}.organization = t.organization AND ${table}.id = ${row}.${column}`

/** Returns the SQL condition that no row of a table refers to a row `t`. */
const unreferencedBy = (table: string, column: string): string =>
  `NOT EXISTS (SELECT FROM ${table} r WHERE r.organization = t.organization AND r.${column} = t.id)`

const [inThread, inChannel] = [joinParent('threads', 'thread_id'), joinParent('channels', 'channel_id')]

/** The steps of every round, in order: the contents of a thread, channel or chat come before the thread, channel or chat. */
const steps: readonly Step[] = [
  createStep('comments', `${inThread} WHERE threads.is_removed`),
  createStep('comments', `${inThread} ${joinParent('channels', 'channel_id', 'threads')} WHERE channels.is_removed`),
  createStep('threads', `WHERE t.is_removed AND ${unreferencedBy('comments', 'thread_id')}`),
  createStep('threads', `${inChannel} WHERE channels.is_removed AND ${unreferencedBy('comments', 'thread_id')}`),
  createStep('channels', `WHERE t.is_removed AND ${unreferencedBy('threads', 'channel_id')}`),
  createStep('messages', `${joinParent('chats', 'chat_id')} WHERE chats.is_removed`),
  createStep('chats', `WHERE t.is_removed AND ${unreferencedBy('messages', 'chat_id')}`),
  ...(['sessions', 'sign_in_links', 'api_keys', 'idempotency'] as const).map((table) =>
    createStep(table, 'WHERE t.expires_at <= now()'),
  ),
  // Each pass removes deleted comments whose last reply was removed by the pass before. The rest is removed a minute later.
  createStep('comments', `WHERE t.blocks IS NULL AND ${unreferencedBy('comments', 'parent_id')}`, 20),
]

/** The rows of removed organizations, except files, which have data. Rows of other tables are removed by their foreign keys. */
const organizationSteps: readonly Step[] = (
  ['comments', 'threads', 'channels', 'messages', 'chats', 'idempotency', 'api_keys', 'users'] as const
).map((table) => createStep(table, 'JOIN organizations o ON o.organization = t.organization WHERE o.is_removed'))

/** Files that no message shows. A file gets one day, because it is uploaded before its message is posted. */
const unusedFiles = `
  SELECT t.organization, t.id, encode(t.hash, 'hex') AS hash
  FROM files t JOIN organizations o ON o.organization = t.organization
  WHERE (o.is_removed OR t.created_at <= now() - interval '1 day') AND ${unreferencedBy('shown_files', 'file_id')}
  LIMIT ${BATCH_SIZE}`

const removeOrganizations = `
  DELETE FROM organizations t
  WHERE is_removed AND NOT EXISTS (SELECT FROM files r WHERE r.organization = t.organization)`

/** The number of the advisory lock under which only one process at a time removes rows. Any number works. */
const LOCK = 7_260_148_210_337

/** Thrown if another process removes rows at this moment. */
class BusyError extends Error {}

/**
 * Removes rows and files that are no longer needed. Placeholders of deleted comments may wait for the next round, if only other
 * placeholders reply to them.
 *
 * @param database - a database without time limits
 * @param contents - the data of files; without it, unused files and removed organizations stay
 * @returns false if another process is removing rows, else true
 */
export async function tidy(database: Database, contents?: FileData): Promise<boolean> {
  try {
    for (const each of steps) await runStep(database, each)
    if (contents === undefined) return true
    for (const each of organizationSteps) await runStep(database, each)
    await pruneFiles(database, contents)
    await withLock(database, (run) => run(removeOrganizations))
    return true
  } catch (error) {
    if (error instanceof BusyError) return false
    throw error
  }
}

async function runStep(database: Database, { table, find, remove, passesMax }: Step): Promise<void> {
  for (let pass = 0; pass < passesMax; pass += 1) {
    const { rows } = await database.run<{ organization: string; id: unknown }>(find)
    if (rows.length === 0) return
    const ids = rows.map((row) => row.id)
    await withLock(database, async (run) => {
      await run(remove, [rows.map(({ organization }) => organization), ids])
      if (table === 'api_keys') await run('DELETE FROM key_directory WHERE hash = ANY ($1::bytea[])', [ids])
    })
  }
}

/** Removes unused files, each in one transaction. Also removes the data of a file, unless another file has the same data. */
async function pruneFiles(database: Database, contents: FileData): Promise<void> {
  const removeStatement = `
    DELETE FROM files f WHERE f.organization = $1 AND f.id = $2
      AND NOT EXISTS (SELECT FROM shown_files s WHERE s.organization = $1 AND s.file_id = f.id)`
  const sameHashStatement = `SELECT FROM files WHERE organization = $1 AND hash = decode($2, 'hex') LIMIT 1`
  for (;;) {
    const { rows } = await database.run<{ organization: string; id: string; hash: string }>(unusedFiles)
    if (rows.length === 0) return
    for (const { organization, id, hash } of rows) {
      await withLock(database, async (run) => {
        // An upload of the same file data waits for this lock. Afterwards, it checks that the data is still stored.
        await run(sql.holdContent, [organization, hash])
        const { count } = await run(removeStatement, [organization, id])
        const otherFiles = await run(sameHashStatement, [organization, hash])
        if (count > 0 && otherFiles.count === 0) await contents.remove(organization, hash)
      })
    }
  }
}

/**
 * Changes rows in a transaction that holds the lock. A round takes the lock for each of its transactions, and not in one
 * more transaction around them, which would block them if a proxy has a single connection to the database.
 */
function withLock(database: Database, work: (run: Run) => Promise<unknown>): Promise<void> {
  return database.transact(async (run) => {
    const { rows } = await run<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [LOCK])
    if (rows[0]?.held !== true) throw new BusyError()
    await work(run)
  })
}

/** Milliseconds between two rounds: the rows of deleted objects are removed within a minute. */
const ROUND_MILLISECONDS = 60_000
/** Files and organizations are removed only at the start and every hour, because all files are read to find unused ones. */
const ROUNDS_PER_HOUR = 60

/**
 * Removes unneeded rows now and every minute, and unneeded files and organizations now and every hour.
 *
 * @param onEnd - called after each round that also removes files, and with the error of any round that failed
 * @returns a function that stops the rounds
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
