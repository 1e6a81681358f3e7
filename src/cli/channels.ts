/** `blockmark channels`: the channels that a bot sees. */

import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'
import { table } from '../terminal/table.js'
import { botNotes, botOptions, withBot } from './bot.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark channels', 'blockmark channels --json --profile bot.json'],
  options: botOptions,
  notes: botNotes,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`channels accepts no operands, received ${operands[0]}`)
    await withBot(profile, async (bot) => {
      const channels = await bot.channels()
      const rows = channels.map(({ channelID, name, privacy, memberIDs }) => [
        ...[channelID, name, privacy, `${memberIDs.length} members`],
      ])
      await write(json ? `${JSON.stringify(channels)}\n` : table(rows))
    })
  },
})
