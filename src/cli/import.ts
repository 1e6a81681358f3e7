/** `blockmark import`: an organization from a folder. */

import { importOrganization } from '../api/operator/export.js'
import { withBackend } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: 'FOLDER',
  options: {},
  notes: 'Refuses an organization that exists. Make new keys afterwards: blockmark keys create.',
  run: async ({ operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark import FOLDER')
    await withBackend(async ({ database, contents }) => {
      const { name, files } = await importOrganization(database, contents, folder)
      await write(`${name}: imported, ${files} files\n`)
    })
  },
})
