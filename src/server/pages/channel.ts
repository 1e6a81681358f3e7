/** A channel, newest thread first, for those who can see it. */

import { type Markup, markup } from '../../page/markup.js'
import type { ListedThread } from '../site-store.js'
import { listBar, type PageContent, type PageRequest } from './layout.js'
import { beginningOf, PRIVATE, type References, referencesOf, timeOf } from './message.js'
import { listMarkup, readList } from './paging.js'

/** The number up to which comments are counted. */
const COUNT_MAX = 100

/** Draws a channel; null if the viewer cannot see it. */
export async function channelPage(request: PageRequest): Promise<PageContent | string | null> {
  const { rows, id, viewer, slices } = request
  const channel = viewer === null ? null : await rows.channel(id, viewer.userID)
  if (viewer === null || channel === null) return null
  const part = await readList((each) => rows.threads(channel.id, each), request)
  if (typeof part === 'string') return part
  const ids = part.rows.map((thread) => thread.id)
  const [counts, references] = await Promise.all([
    rows.commentCounts(ids, COUNT_MAX),
    referencesOf(part.rows, { rows, slices }),
  ])
  const items: Markup[] = []
  for (const thread of part.rows) {
    items.push(await slices.run(0, () => threadItem(thread, references, counts.get(thread.id) ?? 0)))
  }
  const list = items.length === 0 ? null : markup`<ol class="threads">\n${items}\n</ol>`
  const tag = channel.isPrivate ? PRIVATE : null
  const body = markup`${listBar(markup`<a href="/">${viewer.organizationName}</a>`, `#${channel.name}`, tag)}
${channel.description === '' ? null : markup`<p class="quiet" dir="auto">${channel.description}</p>`}
${listMarkup(part, { url: `/${channel.id}`, noun: 'threads', isNewestFirst: true }, list)}`
  return { title: `#${channel.name}`, body }
}

function threadItem(thread: ListedThread, references: References, count: number): Markup {
  const { title, rest } = beginningOf(thread, references)
  const author = references.names.get(thread.authorID) ?? thread.authorID
  return markup`<li id="m${thread.id}">
<h2 dir="auto"><a href="/${thread.id}">${title}</a></h2>
${rest === '' ? null : markup`<p class="preview" dir="auto">${rest}</p>`}
<p class="quiet"><bdi>${author}</bdi> · ${timeOf(thread.createdAt, 'brief')}${countOf(count)}</p>
</li>`
}

function countOf(count: number): string {
  if (count === 0) return ''
  if (count >= COUNT_MAX) return ` · ${COUNT_MAX - 1}+ comments`
  return count === 1 ? ' · 1 comment' : ` · ${count} comments`
}
