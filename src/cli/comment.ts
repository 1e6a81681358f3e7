/** `blockmark comment`: posts a comment on a thread, or several comments if the message is long. */

import { commentsFor } from '../api/client/message.js'
import type { ResultOf } from '../api/contract/types.js'
import { type Command, defineCommand } from '../terminal/command.js'
import { UsageError } from '../terminal/errors.js'
import { deliver, messageNotes, messageOptions, printParts, streamOptions } from './messages.js'

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
  run: async (given) => {
    const { thread: threadID, parent } = given.values
    if (threadID === undefined) throw new UsageError('comment requires --thread ID')
    const target = { threadID, ...(parent === undefined ? {} : { parentID: parent }) }
    await deliver<ResultOf<'postComment'>>(given, {
      part: 'comment',
      urlOf: ({ commentURL }) => commentURL,
      sendAll: (bot, source, options) => bot.sendAll({ ...target, source }, options),
      sendStream: (bot, message, options) => bot.sendStream({ ...target, ...message }, options),
      showAll: (source, isJson) => {
        const comments = commentsFor(source)
        const joinedBlocks = comments.map((blocks) => blocks.join('\n\n'))
        return comments.length === 1
          ? printParts('block', comments[0] ?? [], isJson)
          : printParts('comment', joinedBlocks, isJson)
      },
    })
  },
})
