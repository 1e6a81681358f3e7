/** `blockmark-server export`: an organization as a folder. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { exportOrganization } from '../operator/export.js'
import { withOrganization } from './backend.js'

export const command: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server export backup', 'blockmark-server export --organization Acme backup'],
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: `Writes NDJSON, the files by their hash, and a manifest, all from one moment.
Keys stay out; share tokens are in, so keep the folder secret.`,
  run: async ({ values: { organization: name }, operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark-server export FOLDER')
    await withOrganization(name, async ({ database, contents }, organization) => {
      const { rows, files } = await exportOrganization(database, contents, organization, folder)
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
      await write(`${organization.name}: ${total} rows, ${files} files\n`)
    })
  },
})
