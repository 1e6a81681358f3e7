/** Files that nothing shows. */

import type { ContentStorage } from '../files/storage.js'
import type { Database } from '../postgres/database.js'
import { operatorSql as sql } from './sql.js'

/** A file is uploaded before the message that shows it is posted; for so long it is left alone. */
const UNSHOWN_MILLISECONDS = 24 * 60 * 60 * 1000

/** Removes the files that no message shows and that have been there for a day. */
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
      // An upload of the same content waits here, and then keeps it anew.
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
