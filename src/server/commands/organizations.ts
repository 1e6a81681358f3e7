/** `blockmark-server organizations`: the organizations of a database. */

import type { Command } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import {
  addOrganization,
  organizationNamed,
  organizations,
  removeOrganization,
  renameOrganization,
  suspendOrganization,
} from '../operator/organizations.js'
import { type Action, defineActions, type Operator, withBackend } from './backend.js'

/** The operator, and whether `--yes` was given. */
type Scope = Operator & { readonly isSure: boolean }

const actions: Readonly<Record<string, Action<Scope>>> = {
  list: {
    operands: [],
    async run({ database }) {
      const all = await organizations(database.run)
      await write(table(all.map(({ name, isSuspended }) => [name, isSuspended ? 'suspended' : ''])))
    },
  },
  add: {
    operands: ['NAME'],
    run: async ({ database }, [name = '']) => void (await addOrganization(database, name)),
  },
  rename: {
    operands: ['NAME', 'NEW'],
    run: ({ database }, [name = '', next = '']) => renameOrganization(database, name, next),
  },
  suspend: { operands: ['NAME'], run: ({ database }, [name = '']) => suspendOrganization(database, name, true) },
  resume: { operands: ['NAME'], run: ({ database }, [name = '']) => suspendOrganization(database, name, false) },
  remove: { operands: ['NAME'], run: (scope, [name = '']) => remove(scope, name) },
}

export const command: Command = defineActions('organizations', {
  actions,
  examples: ['blockmark-server organizations add Acme', 'blockmark-server organizations remove --yes Acme'],
  options: { yes: { help: 'needed by remove, which cannot be undone' } },
  notes: `Without an action, it lists them. Names are unique without regard to case. The API keys and sessions of
a suspended organization do not work until resume; links to its threads still open.`,
  perform: ({ yes }, work) => withBackend((operator) => work({ ...operator, isSure: yes })),
})

async function remove({ database, contents, isSure }: Scope, name: string): Promise<void> {
  const found = await organizationNamed(database.run, name, { isRemovedToo: true })
  if (!isSure) {
    throw new UsageError(`this removes ${found.name} with all of its messages and files: repeat the command with --yes`)
  }
  const count = await removeOrganization(database, contents, found)
  await write(`${found.name}: ${count} ${count === 1 ? 'row' : 'rows'} removed\n`)
}
