/**
 * Removes rows that are over, of all organizations together and a thousand at a time: deleted objects, ended sessions,
 * sign-in links and API keys, and kept responses and unused files after a day.
 */

import type { ContentStorage } from '../files/storage.js'
import type { Database, Run } from './database.js'
import { sql } from './sql.js'

/** Rows of one table that are removed in one transaction; this takes some tens of milliseconds. */
const BATCH = 1000

/** On a cluster every statement runs on all shards. */
const found = {
  threads: `SELECT organization, id FROM threads WHERE is_removed LIMIT ${BATCH}`,
  threadsOfChannels: `
    SELECT t.organization, t.id FROM channels c JOIN threads t ON t.organization = c.organization AND t.channel_id = c.id
    WHERE c.is_removed LIMIT ${BATCH}`,
  channels: `
    SELECT c.organization, c.id FROM channels c WHERE c.is_removed
      AND NOT EXISTS (SELECT FROM threads t WHERE t.organization = c.organization AND t.channel_id = c.id) LIMIT ${BATCH}`,
  // Deleted comments that were kept for replies, and have none any more.
  emptied: `
    SELECT c.organization, c.id FROM comments c WHERE c.blocks IS NULL
      AND NOT EXISTS (SELECT FROM comments r WHERE r.organization = c.organization AND r.parent_id = c.id) LIMIT ${BATCH}`,
  messages: `
    SELECT m.organization, m.id FROM chats c JOIN messages m ON m.organization = c.organization AND m.chat_id = c.id
    WHERE c.is_removed LIMIT ${BATCH}`,
  chats: `
    SELECT c.organization, c.id FROM chats c WHERE c.is_removed
      AND NOT EXISTS (SELECT FROM messages m WHERE m.organization = c.organization AND m.chat_id = c.id) LIMIT ${BATCH}`,
  sessions: ended('sessions'),
  sign_in_links: ended('sign_in_links'),
  api_keys: ended('api_keys'),
  idempotency: ended('idempotency'),
}

function ended(table: string): string {
  return `
    SELECT organization, hash AS id FROM ${table}
    WHERE expires_at <= now() LIMIT ${BATCH}`
}

const others = {
  commentsOfThreads: `
    SELECT c.organization, c.id FROM unnest($1::uuid[], $2::bigint[]) AS t (organization, id)
    JOIN comments c ON c.organization = t.organization AND c.thread_id = t.id LIMIT ${BATCH + 1}`,
  // Replies have higher ids than the comments that they answer, which must outlive them.
  newestComments: `
    SELECT organization, id FROM comments WHERE organization = $1 AND thread_id BETWEEN $2 AND $2
    ORDER BY thread_id DESC, id DESC LIMIT ${BATCH}`,
  removeKeys: 'DELETE FROM key_directory WHERE hash = ANY ($1::bytea[])',
  // A file is uploaded before the message that shows it is posted.
  unusedFiles: `
    SELECT f.organization, f.id, encode(f.hash, 'hex') AS hash FROM files f
    WHERE f.created_at <= now() - interval '1 day'
      AND NOT EXISTS (SELECT FROM shown_files s WHERE s.organization = f.organization AND s.file_id = f.id) LIMIT ${BATCH}`,
  removeUnusedFile: `
    DELETE FROM files f WHERE f.organization = $1 AND f.id = $2
      AND NOT EXISTS (SELECT FROM shown_files s WHERE s.organization = $1 AND s.file_id = f.id)`,
  fileWithContent: `SELECT FROM files WHERE organization = $1 AND hash = decode($2, 'hex') LIMIT 1`,
}

/** The statements of this file, for the tests that read them. */
export const tidySql: Readonly<Record<string, string>> = { ...found, ...others }

interface Row {
  readonly organization: string
  readonly id: unknown
}

type Remove = (run: Run, rows: readonly Row[]) => Promise<void>

/** The steps in order: a channel or chat is removed after its contents. */
const steps: Readonly<Record<keyof typeof found, Remove>> = {
  threads: removeThreads,
  threadsOfChannels: removeThreads,
  channels: removing('channels', 'bigint'),
  emptied: removing('comments', 'bigint'),
  messages: removing('messages', 'uuid'),
  chats: removing('chats', 'uuid'),
  sessions: removing('sessions', 'bytea'),
  sign_in_links: removing('sign_in_links', 'bytea'),
  async api_keys(run, rows) {
    await removing('api_keys', 'bytea')(run, rows)
    await run('', others.removeKeys, [rows.map(({ id }) => id)])
  },
  idempotency: removing('idempotency', 'bytea'),
}

function removing(table: string, type: 'bigint' | 'uuid' | 'bytea'): Remove {
  const key = type === 'bytea' ? 'hash' : 'id'
  const remove = `DELETE FROM ${table} WHERE (organization, ${key}) IN (SELECT * FROM unnest($1::uuid[], $2::${type}[]))`
  return async (run, rows) => {
    await run('', remove, [rows.map(({ organization }) => organization), rows.map(({ id }) => id)])
  }
}

/** Removes threads whose comments fit into one batch with them; of others only comments, newest first. */
async function removeThreads(run: Run, threads: readonly Row[]): Promise<void> {
  const values = [threads.map(({ organization }) => organization), threads.map(({ id }) => id)]
  const { rows: comments } = await run<Row & Record<string, unknown>>('', others.commentsOfThreads, values)
  if (comments.length <= BATCH) {
    if (comments.length > 0) await removing('comments', 'bigint')(run, comments)
    return removing('threads', 'bigint')(run, threads)
  }
  if (threads.length > 1) return removeThreads(run, threads.slice(0, Math.ceil(threads.length / 4)))
  const [{ organization, id } = { organization: '', id: '' }] = threads
  const { rows: newest } = await run<Row & Record<string, unknown>>('', others.newestComments, [organization, id])
  return removing('comments', 'bigint')(run, newest)
}

/** The number of a lock, chosen freely: only one process at a time removes rows. */
const LOCK = 7_260_148_210_337

/** Thrown if another process removes rows at this moment. */
class Busy extends Error {}

/**
 * Removes everything that is over.
 *
 * @param database - a database without time limits
 * @param contents - the data of files; without it, unused files stay
 * @returns whether it was done; false if another process is at work
 */
export async function tidy(database: Database, contents?: Pick<ContentStorage, 'remove'>): Promise<boolean> {
  try {
    // The names of the steps are those of the statements.
    for (const name of Object.keys(steps) as (keyof typeof found)[]) await takeStep(database, found[name], steps[name])
    if (contents !== undefined) await pruneFiles(database, contents)
    return true
  } catch (error) {
    if (error instanceof Busy) return false
    throw error
  }
}

async function takeStep(database: Database, find: string, step: Remove): Promise<void> {
  // A comment that was kept for a comment that was kept goes in the next pass. The others go in the next round.
  const passesMax = step === steps.emptied ? 20 : Number.POSITIVE_INFINITY
  for (let pass = 0; pass < passesMax; pass += 1) {
    const { rows } = await database.run<Row & Record<string, unknown>>('', find, [])
    if (rows.length === 0) return
    await locked(database, (run) => step(run, rows))
  }
}

/** Removes unused files, each in one transaction, which also removes the data of a file unless another file has the same. */
async function pruneFiles(database: Database, contents: Pick<ContentStorage, 'remove'>): Promise<void> {
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

export interface TidyingOptions {
  /** The data of files. Without it, unused files stay. */
  readonly contents?: Pick<ContentStorage, 'remove'>
  /** Called after each round of this process, with the error that ended it, if any. */
  readonly onEnd?: (error?: unknown) => void
}

/**
 * Tidies after deletions, one round at a time; deletions during a round are followed by another one. Unused files are
 * removed only if a call asks for it, because all files must be read to find them.
 */
export function createTidying(
  database: Database,
  { contents, onEnd = () => undefined }: TidyingOptions = {},
): (areFilesAsked?: boolean) => void {
  let [isRunning, isAsked, areFilesNext] = [false, false, false]
  const run = async (): Promise<void> => {
    isRunning = true
    while (isAsked) {
      const files = areFilesNext ? contents : undefined
      isAsked = false
      areFilesNext = false
      await tidy(database, files).then((isDone) => isDone && onEnd(), onEnd)
    }
    isRunning = false
  }
  return (areFilesAsked = false) => {
    isAsked = true
    areFilesNext ||= areFilesAsked
    if (!isRunning) void run()
  }
}
