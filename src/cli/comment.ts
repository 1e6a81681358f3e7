/** `blockmark comment`: a comment on a thread, or as many as the message needs. */

import { commentsFor } from '../api/client/message.js'
import { inOneLineOfBot, withBot } from './bot.js'
import { type Command, defineCommand } from './command.js'
import { UsageError } from './errors.js'
import { messageNotes, messageOptions, readSource, report, show } from './messages.js'

export const command: Command = defineCommand({
  operands: '[FILE|-]',
  options: {
    thread: { value: 'ID', help: 'the thread' },
    parent: { value: 'ID', help: 'the comment that is replied to' },
    ...messageOptions,
  },
  notes: messageNotes,
  run: async ({ values: { thread: threadID, parent, 'dry-run': isDry, from, id, profile, json }, operands }) => {
    if (threadID === undefined) throw new UsageError('comment needs --thread ID')
    const source = await readSource(operands, from)
    if (isDry) {
      return inOneLineOfBot(() => {
        const comments = commentsFor(source)
        return comments.length === 1
          ? show('block', comments[0] ?? [], json)
          : show(
              'comment',
              comments.map((blocks) => blocks.join('\n\n')),
              json,
            )
      })
    }
    await withBot(profile, async (bot) => {
      const place = { threadID, ...(parent === undefined ? {} : { parentID: parent }) }
      const posted = await bot.sendAll({ ...place, source, id: id ?? crypto.randomUUID() })
      await report(posted, ({ commentURL }) => commentURL, json)
    })
  },
})
