/** Removes posts of any author, for the operator. */

import type { Database } from '../store/database.js'
import { rowsOf } from '../store/rows.js'
import { tidy } from '../store/tidy.js'
import { type Organization, organizations } from './organizations.js'

/** An object that has a URL. */
export interface Post {
  readonly kind: 'channel' | 'thread' | 'comment' | 'chat' | 'message'
  readonly id: string
  readonly organization: Organization
}

/**
 * Finds the object with a URL that the API returned, in any organization.
 *
 * @param siteUrl - the URL of the site if it is known: another site may have another object with the same id
 * @throws {Error} if the object does not exist, or if the URL is of another site
 */
export async function findPost({ run }: Database, url: string, siteUrl: string | null): Promise<Post> {
  const { pathname, origin } = new URL(url, siteUrl ?? 'http://site')
  if (siteUrl !== null && origin !== new URL(siteUrl).origin) {
    throw new Error(`${url} is not a URL of ${siteUrl}: check SITE_URL and DATA`)
  }
  const [, id = '', messageID] = /^\/?(?:messages\/)?([\da-f-]+)(?:\/([\da-f-]+))?\/?$/i.exec(pathname) ?? []
  for (const organization of await organizations(run)) {
    const rows = rowsOf(run, organization.organization)
    if (messageID !== undefined) {
      if ((await rows.message(messageID))?.chatID === id.toLowerCase())
        return { kind: 'message', id: messageID, organization }
      continue
    }
    const kind = await rows.kindOf(id)
    if (kind !== null) return { kind, id, organization }
  }
  throw new Error(`nothing has the URL ${url}: copy it from the page or from the response of the API`)
}

/** Removes an object with everything in it. Throws if the object is gone already. */
export async function removePost(database: Database, { kind, id, organization }: Post): Promise<void> {
  const isRemoved = await database.transact(async (run) => {
    const rows = rowsOf(run, organization.organization)
    if (kind === 'channel') return rows.removeChannel(id)
    if (kind === 'thread') return rows.removeThread(id)
    if (kind === 'chat') return rows.removeChat(id)
    if (kind === 'message') return rows.removeMessage(id)
    // This query locks the comment, so that no reply is added while the comment is removed.
    const comment = await rows.comment(id, 'remove')
    return comment !== null && rows.removeComment(id)
  })
  if (!isRemoved) throw new Error(`the ${kind} ${id} is gone already`)
  await tidy(database)
}
