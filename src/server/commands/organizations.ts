/** `blockmark-server organizations`: the organizations of a database. */

import type { Command } from '../../terminal/command.js'
import { write } from '../../terminal/output.js'
import {
  addOrganization,
  organizationNamed,
  organizations,
  removeOrganization,
  renameOrganization,
  suspendOrganization,
} from '../operator/organizations.js'
import {
  type Action,
  confirm,
  defineActions,
  type Operator,
  removalOption,
  rowsOption,
  withBackend,
  writeRows,
} from './backend.js'

/** The operator, and the options of the call. */
type Scope = Operator & { readonly yes: boolean; readonly json: boolean }

const actions: Readonly<Record<string, Action<Scope>>> = {
  list: {
    operands: [],
    async run({ database, json }) {
      const all = await organizations(database.run)
      const rows = all.map(({ organization, name, isSuspended }) => ({ organization, name, isSuspended }))
      await writeRows(rows, json, ({ name, isSuspended }) => [name, isSuspended ? 'suspended' : ''])
    },
  },
  add: {
    operands: ['NAME'],
    async run({ database }, [name = '']) {
      await addOrganization(database, name)
      await write(`added the organization ${name}\n`)
    },
  },
  rename: {
    operands: ['NAME', 'NEW'],
    async run({ database }, [name = '', next = '']) {
      await renameOrganization(database, name, next)
      await write(`renamed the organization ${name} to ${next}\n`)
    },
  },
  suspend: {
    operands: ['NAME'],
    async run({ database }, [name = '']) {
      await suspendOrganization(database, name, true)
      await write(`suspended the organization ${name}: its API keys and sessions do not work until resume\n`)
    },
  },
  resume: {
    operands: ['NAME'],
    async run({ database }, [name = '']) {
      await suspendOrganization(database, name, false)
      await write(`resumed the organization ${name}\n`)
    },
  },
  remove: {
    operands: ['NAME'],
    async run({ database, contents, yes }, [name = '']) {
      const found = await organizationNamed(database.run, name, { isRemovedToo: true })
      await confirm(`${found.name} with all of its messages and files`, yes)
      const count = await removeOrganization(database, contents, found)
      await write(`${found.name}: ${count} ${count === 1 ? 'row' : 'rows'} removed\n`)
    },
  },
}

export const command: Command = defineActions('organizations', {
  actions,
  examples: ['blockmark-server organizations add Acme', 'blockmark-server organizations remove --yes Acme'],
  options: { ...removalOption, ...rowsOption },
  notes: `Without an action, it lists them. Names are unique without regard to case. The API keys and sessions of
a suspended organization do not work until resume; links to its threads still open.`,
  perform: ({ yes, json }, work) => withBackend((operator) => work({ ...operator, yes, json })),
})
