/** `blockmark files`: the files of an organization. */

import { pruneFiles } from '../api/operator/files.js'
import { withOrganization } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: 'prune',
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: 'prune removes the files that no message shows and that were uploaded more than a day ago.',
  run: async ({ values: { organization: name }, operands }) => {
    if (operands.join(' ') !== 'prune') throw new UsageError('choose prune; see blockmark files --help')
    await withOrganization(name, async ({ database, contents }, { organization }) => {
      await write(`${await pruneFiles(database, contents, organization, new Date())} removed\n`)
    })
  },
})
