/** A channel, newest thread first, for those who can see it. */

import { type Markup, markup } from '../../page/markup.js'
import type { ListedThread, Part } from '../site-store.js'
import { listBar, type PageContent, type PageRequest, type TextContent } from './layout.js'
import { beginningOf, PRIVATE, type References, referencesOf, timeOf } from './message.js'
import { live, newerLinks, olderLinks, type PagesOf, pageOf, startOf, versionOf } from './paging.js'

/** Comments are counted up to this number. */
const COUNT_MAX = 100

/** Draws a channel; null if the viewer cannot see it. */
export async function channelPage(request: PageRequest): Promise<PageContent | TextContent | null> {
  const { rows, id, viewer, query, slices } = request
  const channel = viewer === null ? null : await rows.channel(id, viewer.userID)
  if (viewer === null || channel === null || (channel.isPrivate && !channel.isMember)) return null
  const list = (part: Part): ReturnType<typeof rows.threads> => rows.threads(channel.id, part)
  const version = await versionOf(list)
  if (query.has('poll')) return { text: version }
  const found = await pageOf(list, startOf(query))
  const ids = found.rows.map((thread) => thread.id)
  const counts = await rows.commentCounts(ids, COUNT_MAX)
  const references = await referencesOf(found.rows, { rows, slices })
  const items: Markup[] = []
  for (const thread of found.rows) {
    items.push(await slices.take(0, () => threadItem(thread, references, counts.get(thread.id) ?? 0)))
  }
  const threads =
    items.length === 0
      ? markup`<p class="quiet">There are no threads yet.</p>`
      : markup`<ol class="threads">\n${items}\n</ol>`
  const pages: PagesOf = { path: `/${channel.id}`, query: new URLSearchParams(), noun: 'threads' }
  const tag = channel.isPrivate ? PRIVATE : null
  const body = markup`${listBar(markup`<a href="/">${viewer.organizationName}</a>`, `#${channel.name}`, tag)}
${channel.description === '' ? null : markup`<p class="quiet" dir="auto">${channel.description}</p>`}
${newerLinks(found, pages)}
${live(found, pages, version, threads)}
${olderLinks(found, pages)}`
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
