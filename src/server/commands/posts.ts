/** `blockmark-server posts`: removes what somebody posted, whoever created it. */

import type { Command } from '../../terminal/command.js'
import { write } from '../../terminal/output.js'
import { OperatorError, type Organization, organizations } from '../operator/organizations.js'
import type { Database } from '../store/database.js'
import { OrganizationRows } from '../store/rows.js'
import { tidy } from '../store/tidy.js'
import { confirm, defineActions, type Operator, removalOption, withBackend } from './backend.js'

export const command: Command = defineActions('posts', {
  actions: {
    remove: {
      operands: ['URL'],
      async run({ config, database, yes }: Operator & { readonly yes: boolean }, [url = '']) {
        checkSite(url, config.siteUrl)
        const post = await findPost(database, await organizations(database.run), url)
        const what = `the ${post.kind} ${post.id} of ${post.organization.name}`
        await confirm(`${what}, with everything in it`, yes)
        await removePost(database, post)
        await write(`removed ${what}\n`)
      },
    },
  },
  examples: [
    'blockmark-server posts remove https://messages.example.com/100007',
    'blockmark-server posts remove --yes /100007',
  ],
  options: removalOption,
  notes: `Removes the thread, comment, chat message, channel or chat with this URL, whoever created it, with
everything in it. This cannot be undone.`,
  perform: ({ yes }, work) => withBackend((operator) => work({ ...operator, yes })),
})

/** An object that has a URL. */
export interface Post {
  readonly kind: 'channel' | 'thread' | 'comment' | 'chat' | 'message'
  readonly id: string
  readonly organization: Organization
}

/** Throws OperatorError if a URL is of another site than SITE_URL: its id may be that of another object here. */
function checkSite(url: string, siteUrl: string | null): void {
  if (siteUrl === null || !URL.canParse(url) || new URL(url).origin === new URL(siteUrl).origin) return
  throw new OperatorError(`${url} is not a URL of ${siteUrl}: check SITE_URL and DATA`)
}

/** Finds the object of a URL that the API returned, in any of the organizations. Throws OperatorError if there is none. */
export async function findPost({ run }: Database, all: readonly Organization[], url: string): Promise<Post> {
  const { pathname } = new URL(url, 'http://site')
  const [, id = '', messageID] = /^\/?(?:messages\/)?([\da-f-]+)(?:\/([\da-f-]+))?\/?$/i.exec(pathname) ?? []
  for (const organization of all) {
    const rows = new OrganizationRows(run, organization.organization)
    if (messageID !== undefined) {
      if ((await rows.message(messageID))?.chatID === id.toLowerCase())
        return { kind: 'message', id: messageID, organization }
      continue
    }
    const kind = await rows.kindOf(id)
    // Any UUID may be that of a chat.
    if (kind !== null && (kind !== 'chat' || (await rows.hasChat(id)))) return { kind, id, organization }
  }
  throw new OperatorError(`nothing has the URL ${url}: copy it from the page or from the response of the API`)
}

/** Removes an object with everything in it. */
export async function removePost(database: Database, { kind, id, organization }: Post): Promise<void> {
  const isRemoved = await database.transact(async (run) => {
    const rows = new OrganizationRows(run, organization.organization)
    if (kind === 'channel') return rows.removeChannel(id)
    if (kind === 'thread') return rows.removeThread(id)
    if (kind === 'chat') return rows.removeChat(id)
    if (kind === 'message') return rows.removeMessage(id)
    // No reply is added while the comment is being removed.
    const comment = await rows.comment(id, 'remove')
    return comment?.isDeleted === false && rows.removeComment(id)
  })
  if (!isRemoved) throw new OperatorError(`the ${kind} ${id} is gone already`)
  await tidy(database)
}
