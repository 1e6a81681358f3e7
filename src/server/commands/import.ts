/** `blockmark-server import`: an organization from a folder. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { importOrganization } from '../operator/import.js'
import { withBackend } from './backend.js'

export const command: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server import backup', 'DATA=/srv/new blockmark-server import backup'],
  options: {},
  notes: `Refuses an organization that exists. Make new keys afterwards: blockmark-server keys create.
Beside other organizations ids that are taken get new ones, which are listed.`,
  run: async ({ operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark-server import FOLDER')
    await withBackend(async ({ database, contents }) => {
      const { name, files, renumbered } = await importOrganization(database, contents, folder)
      const ids = renumbered.size === 0 ? '' : `, ${renumbered.size} ids were taken; old and new ones:`
      await write(`${name}: imported, ${files} files${ids}\n`)
      for (const [old, fresh] of renumbered) await write(`${old} ${fresh}\n`)
    })
  },
})
