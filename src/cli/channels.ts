/** `blockmark channels`: the channels that a bot sees. */

import { table } from './backend.js'
import { botNotes, botOptions, withBot } from './bot.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { write } from './output.js'

export const command: Command = defineCommand({
  operands: '',
  options: botOptions,
  notes: botNotes,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`channels takes no ${operands[0]}`)
    await withBot(profile, async (bot) => {
      const channels = await bot.channels()
      const rows = channels.map(({ channelID, name, privacy, memberIDs }) => [
        ...[channelID, name, privacy, `${memberIDs.length} members`],
      ])
      await write(json ? `${JSON.stringify(channels)}\n` : table(rows))
    })
  },
})
