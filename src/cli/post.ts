/** `blockmark post`: posts a thread in a channel. */

import { blocksFor } from '../api/client/message.js'
import type { ChannelTarget } from '../api/contract/types.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { write } from '../terminal/output.js'
import { withBot, withOneLineErrors } from './bot.js'
import { messageNotes, messageOptions, printParts, readSource } from './messages.js'

export const command: Command = defineCommand({
  operands: '[FILE|-]',
  examples: [
    'blockmark post --channel deploys notes.md',
    'blockmark post --channel deploys --from markdown --dry-run CHANGELOG.md',
  ],
  options: {
    channel: { value: 'NAME', help: 'the channel, by its name' },
    'channel-id': { value: 'ID', help: 'the channel, by its id' },
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({
    values: { channel, 'channel-id': channelID, 'dry-run': isDry, from, 'idempotency-key': key, profile, json },
    operands,
  }) => {
    if (channel === undefined && channelID === undefined) throw new UsageError('post requires --channel NAME')
    const source = await readSource(operands, from)
    if (isDry) return withOneLineErrors(() => printParts('block', blocksFor(source), json))
    await withBot(profile, async (bot) => {
      const name = channel === undefined ? {} : { channel }
      const target: ChannelTarget = channelID === undefined ? { channel: channel ?? '' } : { ...name, channelID }
      const options = key === undefined ? {} : { idempotencyKey: key }
      const thread = await bot.postThread({ ...target, blocks: source }, options)
      await write(json ? `${JSON.stringify(thread)}\n` : `${thread.threadURL}\n`)
    })
  },
})
