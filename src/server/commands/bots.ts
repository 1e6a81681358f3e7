/** `blockmark-server bots`: the bots of an organization. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { table } from '../../terminal/table.js'
import { members } from '../operator/organizations.js'
import { withOrganization } from './backend.js'

export const command: Command = defineCommand({
  operands: '[list]',
  examples: ['blockmark-server bots', 'blockmark-server bots --organization Acme'],
  options: { organization: { value: 'NAME', help: 'the organization; needed where there are several' } },
  notes: 'A bot is made together with its first key: blockmark-server keys create.',
  run: async ({ values: { organization: name }, operands }) => {
    const [action = 'list', ...rest] = operands
    if (action !== 'list' || rest.length > 0)
      throw new UsageError(`bots takes no ${operands.join(' ')}; alone it lists them`)
    await withOrganization(name, async ({ database }, { organization }) => {
      const bots = await members(database.run, organization, true)
      await write(table(bots.map((bot) => [bot.id, bot.name, bot.email])))
    })
  },
})
