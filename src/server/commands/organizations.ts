/** `blockmark-server organizations`: the organizations of a database. */

import { type Command, defineCommand } from '../../terminal/command.js'
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
import { chooseAction, type Operator, withBackend } from './backend.js'

interface Action {
  readonly operands: readonly string[]
  run(operator: Operator, operands: readonly string[], isSure: boolean): Promise<void>
}

const actions: Readonly<Record<string, Action>> = {
  list: {
    operands: [],
    async run({ database }) {
      const all = await organizations(database.run)
      await write(table(all.map(({ name, isSuspended }) => [name, isSuspended ? 'suspended' : ''])))
    },
  },
  add: {
    operands: ['NAME'],
    async run({ database }, [name = '']) {
      await addOrganization(database, name)
    },
  },
  rename: {
    operands: ['NAME', 'NEW'],
    run: ({ database }, [name = '', next = '']) => renameOrganization(database, name, next),
  },
  suspend: { operands: ['NAME'], run: ({ database }, [name = '']) => suspendOrganization(database, name, true) },
  resume: { operands: ['NAME'], run: ({ database }, [name = '']) => suspendOrganization(database, name, false) },
  remove: {
    operands: ['NAME'],
    async run({ database, contents }, [name = ''], isSure) {
      const found = await organizationNamed(database.run, name, { isRemovedToo: true })
      if (!isSure) {
        throw new UsageError(
          `this removes ${found.name} with all of its messages and files: repeat the command with --yes`,
        )
      }
      const count = await removeOrganization(database, contents, found)
      await write(`${found.name}: ${count} ${count === 1 ? 'row' : 'rows'} removed\n`)
    },
  },
}

export const command: Command = defineCommand({
  operands: '[list|add|rename|suspend|resume|remove] [NAME] [NEW]',
  examples: ['blockmark-server organizations add Acme', 'blockmark-server organizations remove --yes Acme'],
  options: { yes: { help: 'needed by remove, which cannot be undone' } },
  notes: `Without an action, it lists them. rename NAME NEW gives a new name. Names are unique without regard to
case. The API keys and sessions of a suspended organization do not work until resume; links to its
threads still open.`,
  run: async ({ values: { yes }, operands }) => {
    const { action, rest } = chooseAction('organizations', actions, operands)
    await withBackend((operator) => action.run(operator, rest, yes))
  },
})
