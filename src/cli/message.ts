/** `blockmark message`: a message in a chat, or as many as it needs. */

import { bodiesFor } from '../api/client/message.js'
import type { ChatTarget } from '../api/contract/types.js'
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
  examples: [
    'blockmark message --chat ops report.md',
    'blockmark message --chat ops --idempotency-key "report of today" report.md',
  ],
  options: {
    chat: { value: 'NAME', help: 'the chat, by its name' },
    'chat-id': { value: 'ID', help: 'the chat, by its id' },
    ...streamOptions,
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({
    values: { chat, 'chat-id': chatID, stream, 'dry-run': isDry, from, 'idempotency-key': key, profile, json },
    operands,
  }) => {
    if (chat === undefined && chatID === undefined) throw new UsageError('message requires --chat NAME')
    const name = chat === undefined ? {} : { chat }
    const target: ChatTarget = chatID === undefined ? { chat: chat ?? '' } : { ...name, chatID }
    const options = { idempotencyKey: key ?? crypto.randomUUID() }
    const urlOf = ({ chatMessageURL }: { chatMessageURL: string }): string => chatMessageURL
    if (stream) {
      const arriving = await openSource(operands, from)
      if (isDry) return inOneLineOfBot(() => showArriving('message', arriving, json))
      return withBot(profile, (bot) =>
        sendArriving(arriving, (message) => bot.sendStream({ ...target, ...message }, options), urlOf, json),
      )
    }
    const source = await readSource(operands, from)
    if (isDry) return inOneLineOfBot(() => show('message', bodiesFor(source), json))
    await withBot(profile, async (bot) => report(await bot.sendAll({ ...target, source }, options), urlOf, json))
  },
})
