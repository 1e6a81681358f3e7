/** Removes files that no message shows. */

import type { ContentStorage } from '../files/storage.js'
import type { Database } from '../store/database.js'
import { operatorSql as sql } from './sql.js'

/** The minimum age: a file is uploaded before the message that shows it is posted. */
const UNSHOWN_MILLISECONDS = 24 * 60 * 60 * 1000

/** Removes the files that no message shows and that are at least a day old. Returns their number. */
export async function pruneFiles(
  database: Database,
  contents: ContentStorage,
  organization: string,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - UNSHOWN_MILLISECONDS)
  const { rows } = await database.run<{ id: string; hash: string }>('', sql.unshownFiles, [organization, before])
  let removed = 0
  for (const { id, hash } of rows) {
    removed += await database.transact(async (run) => {
      // An upload of the same file data waits for this lock, and stores the data again afterwards.
      await run('', sql.holdContent, [organization, hash])
      const { count } = await run('', sql.removeFile, [organization, id])
      if (count === 0) return 0
      const others = await run<{ count: number }>('', sql.filesOfContent, [organization, hash])
      if (others.rows[0]?.count === 0) await contents.remove(organization, hash)
      return count
    })
  }
  return removed
}
