/** `blockmark channels`, `users` and `ping`: each prints the result of one endpoint. */

import type { Client, ClientOptions } from '../api/client/index.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'
import { countWithNoun, formatTable } from '../terminal/table.js'
import { botNotes, botOptions, withBot } from './bot.js'

interface Query<Result> extends Pick<ClientOptions, 'retryFor'> {
  readonly examples: Command['examples']
  readonly call: (bot: Client) => Promise<Result>
  readonly textOf: (result: Result) => string
}

function query<Result>(name: string, { examples, call, textOf, ...options }: Query<Result>): Command {
  return defineCommand({
    ...{ operands: '', examples, options: botOptions, notes: botNotes },
    run: async ({ values: { profile, json }, operands }) => {
      if (operands[0] !== undefined) throw new UsageError(`${name} accepts no operands, received ${operands[0]}`)
      const print = async (bot: Client): Promise<void> => {
        const result = await call(bot)
        await write(json ? `${JSON.stringify(result)}\n` : textOf(result))
      }
      await withBot(profile, print, options)
    },
  })
}

export const channels: Command = query('channels', {
  examples: ['blockmark channels', 'blockmark channels --json --profile bot.json'],
  call: (bot) => bot.channels(),
  textOf: (all) =>
    formatTable(
      all.map(({ channelID, name, privacy, memberIDs: { length } }) => [
        channelID,
        name,
        privacy,
        countWithNoun(length, 'member'),
      ]),
    ),
})

export const users: Command = query('users', {
  examples: ['blockmark users', 'blockmark users --json --profile bot.json'],
  call: (bot) => bot.users(),
  textOf: (all) => formatTable(all.map(({ userID, name, email }) => [userID, name, email])),
})

export const ping: Command = query('ping', {
  examples: ['blockmark ping', 'blockmark ping --profile bot.json'],
  call: (bot) => bot.ping(),
  textOf: ({ name, organization }) => `${name} in ${organization}\n`,
  // The command reports the current state, so it does not retry.
  retryFor: 0,
})
