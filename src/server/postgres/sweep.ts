/** Removes the rows of what was deleted, so many at a time that nobody waits for it. */

import type { Database, Run } from './database.js'

export const sweepSql = {
  removedChannels: 'SELECT id::text FROM channels WHERE organization = $1 AND is_removed',
  removedChats: 'SELECT id::text FROM chats WHERE organization = $1 AND is_removed',
  removedThreads: 'SELECT id::text FROM threads WHERE organization = $1 AND is_removed LIMIT $2',
  threadsOf: `
    SELECT id::text FROM threads WHERE organization = $1 AND channel_id BETWEEN $2 AND $2
    ORDER BY channel_id, id LIMIT $3`,
  commentsOf: `
    SELECT id::text FROM comments WHERE organization = $1 AND thread_id BETWEEN $2 AND $2
    ORDER BY thread_id DESC, id DESC LIMIT $3`,
  removeComments: 'DELETE FROM comments WHERE organization = $1 AND id = ANY ($2::bigint[])',
  removeThreads: 'DELETE FROM threads WHERE organization = $1 AND id = ANY ($2::bigint[])',
  removeChannel: `
    DELETE FROM channels WHERE organization = $1 AND id = $2
      AND NOT EXISTS (SELECT FROM threads WHERE organization = $1 AND channel_id = $2) RETURNING id::text`,
  removeMessages: `
    DELETE FROM messages WHERE organization = $1 AND id IN (
      SELECT id FROM messages WHERE organization = $1 AND chat_id = $2 LIMIT $3)
    RETURNING id::text`,
  removeChat: 'DELETE FROM chats WHERE organization = $1 AND id = $2',
} as const

/** Rows of one table that go in one transaction; a thousand take some tens of milliseconds. */
const BATCH = 1000

type Ask = (name: keyof typeof sweepSql, ...values: unknown[]) => Promise<string[]>

/**
 * Removes what was deleted in an organization. Any number of processes may do this at once; what one of them leaves
 * undone is done by the next.
 */
export async function sweep(database: Database, organization: string): Promise<void> {
  const asking = (run: Run): Ask => {
    return async (name, ...values) =>
      (await run<{ id: string }>('', sweepSql[name], [organization, ...values])).rows.map(({ id }) => id)
  }
  const ask = asking(database.run)
  const once = <Result>(part: (ask: Ask) => Promise<Result>): Promise<Result> =>
    database.transact((run) => part(asking(run)))
  /** Does a part again and again, each time in a transaction of its own, until it finds no more to do. */
  const repeat = async (part: (ask: Ask) => Promise<number>): Promise<void> => {
    while ((await once(part)) > 0);
  }
  await repeat(async (ask) => removeThreads(ask, await ask('removedThreads', BATCH)))
  for (const id of await ask('removedChannels')) {
    await repeat(async (ask) => removeThreads(ask, await ask('threadsOf', id, BATCH)))
    // One in which something was posted while it was deleted is left for the next time.
    await once((ask) => ask('removeChannel', id))
  }
  for (const id of await ask('removedChats')) {
    await repeat(async (ask) => (await ask('removeMessages', id, BATCH)).length)
    await once((ask) => ask('removeChat', id))
  }
}

/** Removes comments of threads, newest first because they answer older ones, and those threads that have none left. */
async function removeThreads(ask: Ask, threads: readonly string[]): Promise<number> {
  const comments: string[] = []
  const empty: string[] = []
  for (const thread of threads) {
    comments.push(...(await ask('commentsOf', thread, BATCH - comments.length)))
    if (comments.length === BATCH) break
    empty.push(thread)
  }
  await ask('removeComments', comments)
  await ask('removeThreads', empty)
  return threads.length
}
