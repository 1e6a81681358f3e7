/** `blockmark-server files`: the files of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { pruneFiles } from '../operator/files.js'
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
