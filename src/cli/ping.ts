/** `blockmark ping`: checks that the service responds and the API key is valid. */

import type { Client } from '../api/client/index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'
import { botNotes, botOptions, withBot } from './bot.js'

export const command: Command = defineCommand({
  operands: '',
  examples: ['blockmark ping', 'blockmark ping --profile bot.json'],
  options: botOptions,
  notes: botNotes,
  run: async ({ values: { profile, json }, operands }) => {
    if (operands[0] !== undefined) throw new UsageError(`ping accepts no operands, received ${operands[0]}`)
    const ping = async (bot: Client): Promise<void> => {
      const found = await bot.ping()
      await write(json ? `${JSON.stringify(found)}\n` : `${found.name} in ${found.organization}\n`)
    }
    // The command reports the current state, so it does not retry.
    await withBot(profile, ping, { retryFor: 0 })
  },
})
