/** `blockmark-server posts`: removes what somebody posted. */

import { type Command, defineCommand } from '../../terminal/command.js'
import { UsageError } from '../../terminal/errors.js'
import { write } from '../../terminal/output.js'
import { organizations } from '../operator/organizations.js'
import { findPost, removePost } from '../operator/posts.js'
import { confirm, removalOption, withBackend } from './backend.js'

export const command: Command = defineCommand({
  operands: 'remove URL',
  examples: [
    'blockmark-server posts remove https://messages.example.com/100007',
    'blockmark-server posts remove --yes /100007',
  ],
  options: removalOption,
  notes: `Removes the thread, comment, chat message, channel or chat with this URL, whoever created it, with
everything in it. This cannot be undone.`,
  run: async ({ values: { yes }, operands: [action, url, ...rest] }) => {
    if (action !== 'remove' || url === undefined || rest.length > 0) {
      throw new UsageError('expected blockmark-server posts remove URL')
    }
    await withBackend(async ({ database }) => {
      const post = await findPost(database, await organizations(database.run), url)
      const what = `the ${post.kind} ${post.id} of ${post.organization.name}`
      await confirm(`${what}, with everything in it`, yes)
      await removePost(database, post)
      await write(`removed ${what}\n`)
    })
  },
})
