/** `blockmark-server bots`: the bots of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { members, removeBot } from '../operator/members.js'
import type { Organization } from '../operator/organizations.js'
import { chooseAction, type Operator, withOrganization } from './backend.js'

interface Action {
  readonly operands: readonly string[]
  run(operator: Operator, organization: Organization, operands: readonly string[]): Promise<void>
}

const actions: Readonly<Record<string, Action>> = {
  list: {
    operands: [],
    async run({ database }, { organization }) {
      const bots = await members(database.run, organization, true)
      await write(table(bots.map(({ id, name, email }) => [id, name, email])))
    },
  },
  remove: {
    operands: ['ID'],
    run: ({ database }, { organization }, [id = '']) => removeBot(database, organization, id),
  },
}

export const command: Command = defineCommand({
  operands: '[list|remove ID]',
  examples: ['blockmark-server bots', 'blockmark-server bots remove 100002 --organization Acme'],
  options: { organization: { value: 'NAME', help: 'the organization; needed if there are several' } },
  notes: `Without an action, it lists them. blockmark-server keys create adds a bot with its first API key. The
API keys of a removed bot stop working at once; its messages stay.`,
  run: async ({ values: { organization }, operands }) => {
    const { action, rest } = chooseAction('bots', actions, operands)
    await withOrganization(organization, (operator, found) => action.run(operator, found, rest))
  },
})
