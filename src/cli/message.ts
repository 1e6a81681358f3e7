/** `blockmark message`: posts a message in a chat, or several messages if the text is long. */

import { bodiesFor } from '../api/client/message.js'
import type { ChatTarget, ResultOf } from '../api/contract/types.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { deliver, messageNotes, messageOptions, printParts, streamOptions } from './messages.js'

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
  run: async (given) => {
    const { chat, 'chat-id': chatID } = given.values
    if (chat === undefined && chatID === undefined) throw new UsageError('message requires --chat NAME')
    const name = chat === undefined ? {} : { chat }
    const target: ChatTarget = chatID === undefined ? { chat: chat ?? '' } : { ...name, chatID }
    await deliver<ResultOf<'postChatMessage'>>(given, {
      part: 'message',
      urlOf: ({ chatMessageURL }) => chatMessageURL,
      sendAll: (bot, source, options) => bot.sendAll({ ...target, source }, options),
      sendStream: (bot, message, options) => bot.sendStream({ ...target, ...message }, options),
      showAll: (source, isJson) => printParts('message', bodiesFor(source), isJson),
    })
  },
})
