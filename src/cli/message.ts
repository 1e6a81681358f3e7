/** `blockmark message`: a message in a chat, or as many as it needs. */

import { bodiesFor } from '../api/client/message.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { inOneLineOfBot, withBot } from './bot.js'
import {
  messageNotes,
  messageOptions,
  openSource,
  readSource,
  report,
  sendArriving,
  show,
  showArriving,
  streamOptions,
} from './messages.js'

export const command: Command = defineCommand({
  operands: '[FILE|-]',
  examples: ['blockmark message --chat ops report.md', 'blockmark message --chat ops --id "report of today" report.md'],
  options: {
    chat: { value: 'NAME', help: 'the chat, by its name' },
    'chat-id': { value: 'ID', help: 'the chat, by its id' },
    ...streamOptions,
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({ values: { chat, 'chat-id': chatID, stream, 'dry-run': isDry, from, id, profile, json }, operands }) => {
    if (chat === undefined && chatID === undefined) throw new UsageError('message needs --chat NAME')
    const target = { ...(chat === undefined ? {} : { chat }), ...(chatID === undefined ? {} : { chatID }) }
    const place = { ...target, id: id ?? crypto.randomUUID() }
    const urlOf = ({ chatMessageURL }: { chatMessageURL: string }): string => chatMessageURL
    if (stream) {
      const arriving = await openSource(operands, from)
      if (isDry) return inOneLineOfBot(() => showArriving('message', arriving, json))
      return withBot(profile, (bot) =>
        sendArriving(arriving, (message) => bot.sendStream({ ...place, ...message }), urlOf, json),
      )
    }
    const source = await readSource(operands, from)
    if (isDry) return inOneLineOfBot(() => show('message', bodiesFor(source), json))
    await withBot(profile, async (bot) => report(await bot.sendAll({ ...place, source }), urlOf, json))
  },
})
