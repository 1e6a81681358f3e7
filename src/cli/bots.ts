/** `blockmark bots`: the bots of an organization. */

import { members } from '../api/operator/organizations.js'
import { table, withOrganization } from './backend.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: 'list',
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: 'A bot is made together with its first key: blockmark keys create.',
  run: async ({ values: { organization: name }, operands }) => {
    if (operands.join(' ') !== 'list') throw new UsageError('choose list; see blockmark bots --help')
    await withOrganization(name, async ({ database }, { organization }) => {
      const bots = await members(database.run, organization, true)
      await write(table(bots.map((bot) => [bot.id, bot.name, bot.email])))
    })
  },
})
