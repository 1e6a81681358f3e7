/** `blockmark-server export` and `blockmark-server import`: organizations as a folder. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { organizationNamed } from '../operator/organizations.js'
import { exportTo, importFrom, readManifest } from '../operator/transfer.js'
import { inOneLine, withBackend } from './backend.js'

export const exporting: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server export backup', 'blockmark-server export --organization Acme backup'],
  options: { organization: { value: 'NAME', help: 'only this organization' } },
  notes: `Writes all organizations as they are at one moment: the rows as CSV, the files by their hash, and a
manifest. API keys are left out. Share tokens are included, so keep the folder secret.`,
  run: async ({ values: { organization: name }, operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark-server export FOLDER')
    await withBackend(async ({ database, contents }) => {
      const only = name === undefined ? null : await organizationNamed(database.run, name)
      const { rows, files } = await exportTo(database, contents, only, folder)
      await write(`exported ${rows} rows and ${files} files to ${folder}\n`)
    })
  },
})

export const importing: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server import backup', 'DATA=/srv/new blockmark-server import backup'],
  options: {},
  notes: `Creates the database if it does not exist, and rejects one that has organizations. Ids and URLs stay.
API keys are not in an export: create new ones with blockmark-server keys create.`,
  run: async ({ operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark-server import FOLDER')
    // A wrong folder creates no database.
    await inOneLine(async () => void (await readManifest(folder)))
    await withBackend(async ({ database, contents }) => {
      const { rows, files } = await importFrom(database, contents, folder)
      await write(`imported ${rows} rows and ${files} files\n`)
    }, 'create')
  },
})
