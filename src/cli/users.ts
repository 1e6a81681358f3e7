/** `blockmark users`: the users that a bot sees. */

import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'
import { table } from '../terminal/table.js'
import { botNotes, botOptions, withBot } from './bot.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark users', 'blockmark users --json --profile bot.json'],
  options: botOptions,
  notes: botNotes,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`users accepts no operands, received ${operands[0]}`)
    await withBot(profile, async (bot) => {
      const users = await bot.users()
      const rows = users.map(({ userID, name, email }) => [userID, name, email])
      await write(json ? `${JSON.stringify(users)}\n` : table(rows))
    })
  },
})
