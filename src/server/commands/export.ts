/** `blockmark-server export`: organizations as folders. */

import { join } from 'node:path'
import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { exportOrganization } from '../operator/export.js'
import { type Organization, organizations } from '../operator/organizations.js'
import { type Operator, organizationOption, withBackend, withOrganization } from './backend.js'

export const command: Command = defineCommand({
  operands: 'FOLDER',
  examples: ['blockmark-server export --organization Acme backup', 'blockmark-server export --all backup'],
  options: {
    ...organizationOption,
    all: { help: 'every organization, each in its own folder in FOLDER' },
  },
  notes: `Writes NDJSON, the files by their hash, and a manifest, each organization as it is at one moment. API
keys are left out. Share tokens are included, so keep the folder secret.`,
  run: async ({ values: { organization: name, all }, operands: [folder, ...rest] }) => {
    if (folder === undefined || rest.length > 0) throw new UsageError('expected blockmark-server export FOLDER')
    if (!all) return withOrganization(name, (operator, organization) => exportTo(operator, organization, folder))
    if (name !== undefined) throw new UsageError('choose --organization or --all')
    await withBackend(async (operator) => {
      for (const organization of await organizations(operator.database.run)) {
        await exportTo(operator, organization, join(folder, organization.organization))
      }
    })
  },
})

async function exportTo({ database, contents }: Operator, organization: Organization, folder: string): Promise<void> {
  const { rows, files } = await exportOrganization(database, contents, organization, folder)
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  await write(`${organization.name}: ${total} rows, ${files} files in ${folder}\n`)
}
