/** `blockmark comment`: a comment on a thread, or as many as the message needs. */

import { commentsFor } from '../api/client/message.js'
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
    'blockmark comment --thread 100005 notes.md',
    "echo '**done**' | blockmark comment --thread 100005 --parent 100006",
  ],
  options: {
    thread: { value: 'ID', help: 'the thread' },
    parent: { value: 'ID', help: 'the comment that is replied to' },
    ...streamOptions,
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({
    values: { thread: threadID, parent, stream, 'dry-run': isDry, from, 'idempotency-key': key, profile, json },
    operands,
  }) => {
    if (threadID === undefined) throw new UsageError('comment requires --thread ID')
    const target = { threadID, ...(parent === undefined ? {} : { parentID: parent }) }
    const options = { idempotencyKey: key ?? crypto.randomUUID() }
    const urlOf = ({ commentURL }: { commentURL: string }): string => commentURL
    if (stream) {
      const arriving = await openSource(operands, from)
      if (isDry) return inOneLineOfBot(() => showArriving('comment', arriving, json))
      return withBot(profile, (bot) =>
        sendArriving(arriving, (message) => bot.sendStream({ ...target, ...message }, options), urlOf, json),
      )
    }
    const source = await readSource(operands, from)
    if (isDry) {
      return inOneLineOfBot(() => {
        const comments = commentsFor(source)
        const joined = comments.map((blocks) => blocks.join('\n\n'))
        return comments.length === 1 ? show('block', comments[0] ?? [], json) : show('comment', joined, json)
      })
    }
    await withBot(profile, async (bot) => report(await bot.sendAll({ ...target, source }, options), urlOf, json))
  },
})
