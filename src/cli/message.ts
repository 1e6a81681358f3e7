/** `blockmark message`: a message in a chat, or as many as it needs. */

import { bodiesFor } from '../api/client/message.js'
import { inOneLineOfBot, withBot } from './bot.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { messageNotes, messageOptions, readSource, report, show } from './messages.js'

export const command: Command = defineCommand({
  operands: '[FILE|-]',
  options: {
    chat: { value: 'NAME', help: 'the chat, by its name' },
    'chat-id': { value: 'ID', help: 'the chat, by its id' },
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({ values: { chat, 'chat-id': chatID, 'dry-run': isDry, from, id, profile, json }, operands }) => {
    if (chat === undefined && chatID === undefined) throw new UsageError('message needs --chat NAME')
    const source = await readSource(operands, from)
    if (isDry) return inOneLineOfBot(() => show('message', bodiesFor(source), json))
    await withBot(profile, async (bot) => {
      const target = { ...(chat === undefined ? {} : { chat }), ...(chatID === undefined ? {} : { chatID }) }
      const posted = await bot.sendAll({ ...target, source, id: id ?? crypto.randomUUID() })
      await report(posted, ({ chatMessageURL }) => chatMessageURL, json)
    })
  },
})
