/** `blockmark-server import`: organizations from folders. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { importOrganization, readManifest } from '../operator/import.js'
import { inOneLine, withBackend } from './backend.js'

export const command: Command = defineCommand({
  operands: 'FOLDER...',
  examples: ['blockmark-server import backup', 'DATA=/srv/new blockmark-server import backup/*'],
  options: {},
  notes: `Creates the database if it does not exist. Rejects an organization that exists. API keys are not
exported: create new ones with blockmark-server keys create. Ids that other organizations use get
new ones, which are listed.`,
  run: async ({ operands: folders }) => {
    if (folders.length === 0) throw new UsageError('expected blockmark-server import FOLDER...')
    // A wrong folder creates no database.
    await inOneLine(async () => void (await Promise.all(folders.map(readManifest))))
    await withBackend(async ({ database, contents }) => {
      for (const folder of folders) {
        const { name, files, renumbered } = await importOrganization(database, contents, folder)
        const ids = renumbered.size === 0 ? '' : `, ${renumbered.size} ids were taken; old and new ones:`
        await write(`${name}: imported, ${files} files${ids}\n`)
        for (const [old, fresh] of renumbered) await write(`${old} ${fresh}\n`)
      }
    }, 'create')
  },
})
