/** `blockmark export`: an organization as a folder. */

import { exportOrganization } from '../api/operator/export.js'
import { withOrganization } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: 'FOLDER',
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: `Writes NDJSON, the files by their hash, and a manifest, all from one moment.
Keys stay out; share tokens are in, so keep the folder secret.`,
  run: async ({ values: { organization: name }, operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark export FOLDER')
    await withOrganization(name, async ({ database, contents }, organization) => {
      const { rows, files } = await exportOrganization(database, contents, organization, folder)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      await write(`${organization.name}: ${total} rows, ${files} files\n`)
    })
  },
})
