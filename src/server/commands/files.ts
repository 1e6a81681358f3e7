/** `blockmark-server files`: the files of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import type { ContentStorage } from '../files/storage.js'
import { operatorSql } from '../operator/sql.js'
import type { Database } from '../store/database.js'
import { sql } from '../store/sql.js'
import { organizationOption, withOrganization } from './backend.js'

export const command: Command = defineCommand({
  operands: 'prune',
  examples: ['blockmark-server files prune', 'blockmark-server files prune --organization Acme'],
  options: organizationOption,
  notes: 'prune removes files that were uploaded more than a day ago and that no message shows.',
  run: async ({ values: { organization: name }, operands }) => {
    if (operands.join(' ') !== 'prune') throw new UsageError('choose prune; see blockmark-server files --help')
    await withOrganization(name, async ({ database, contents }, { organization }) => {
      await write(`${await pruneFiles(database, contents, organization, new Date())} removed\n`)
    })
  },
})

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
  const unshown = await database.run<{ id: string; hash: string }>('', operatorSql.unshownFiles, [organization, before])
  let removed = 0
  for (const { id, hash } of unshown.rows) {
    removed += await database.transact(async (run) => {
      // An upload of the same file data waits for this lock, and stores the data again afterwards.
      await run('', sql.holdContent, [organization, hash])
      const { count } = await run('', operatorSql.removeFile, [organization, id])
      if (count === 0) return 0
      const others = await run<{ count: number }>('', operatorSql.filesOfContent, [organization, hash])
      if (others.rows[0]?.count === 0) await contents.remove(organization, hash)
      return count
    })
  }
  return removed
}
