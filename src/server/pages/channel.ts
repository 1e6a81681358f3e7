/** A channel, newest thread first, for those who can see it. */

import { type Markup, markup } from '../../page/markup.js'
import type { ListedThread } from '../site-store.js'
import type { PageContent, PageRequest } from './layout.js'
import { beginningOf, PRIVATE, type References, referencesOf, timeOf } from './message.js'
import { candidates, fill, newerLinks, olderLinks, startOf } from './paging.js'

/** Comments are counted up to this number. */
const COUNT_MAX = 100

/** Draws a channel; null if the viewer cannot see it. */
export async function channelPage({ rows, id, viewer, query, slices }: PageRequest): Promise<PageContent | null> {
  const channel = viewer === null ? null : await rows.channel(id, viewer.userID)
  if (viewer === null || channel === null || (channel.isPrivate && !channel.isMember)) return null
  const found = await candidates((part) => rows.threads(channel.id, part), startOf(query))
  // It may have been deleted before its threads were read.
  if ((await rows.channel(channel.id, viewer.userID)) === null) return null
  const threads = [...found.newer, ...found.older]
  const ids = threads.map((thread) => thread.id)
  const [files, counts] = await Promise.all([rows.filesOfThreads(ids, []), rows.commentCounts(ids, COUNT_MAX)])
  const references = await referencesOf(threads, { rows, slices, files })
  const filled = await fill(found, (thread) =>
    slices.take(0, () => threadItem(thread, references, counts.get(thread.id) ?? 0)),
  )
  const pages = { path: `/${channel.id}`, query: new URLSearchParams(), noun: 'threads' }
  const body = markup`<h1 dir="auto">#${channel.name}${channel.isPrivate ? PRIVATE : null}</h1>
${channel.isPrivate ? markup`<p class="quiet">Only members see this channel.</p>` : null}
${channel.description === '' ? null : markup`<p class="description" dir="auto">${channel.description}</p>`}
${threads.length > 1 ? markup`<p class="quiet order">Newest thread first.</p>` : null}
${newerLinks(filled, pages)}
${listOf(filled.items.map((item) => item.markup))}
${olderLinks(filled, pages)}`
  return { title: `#${channel.name}`, body }
}

function listOf(items: readonly Markup[]): Markup {
  if (items.length === 0) return markup`<p class="quiet">There are no threads yet.</p>`
  return markup`<ol class="threads">
${items}
</ol>`
}

function threadItem(thread: ListedThread, references: References, count: number): Markup {
  const { title, rest } = beginningOf(thread, references)
  const author = references.names.get(thread.authorID) ?? thread.authorID
  return markup`<li>
<h2 dir="auto"><a href="/${thread.id}">${title}</a></h2>
${rest === '' ? null : markup`<p class="preview" dir="auto">${rest}</p>`}
<p class="quiet"><b class="author" dir="auto">${author}</b>${countOf(count)} · ${timeOf(thread.createdAt)}</p>
</li>`
}

function countOf(count: number): string {
  if (count === 0) return ''
  if (count >= COUNT_MAX) return ` · ${COUNT_MAX - 1}+ comments`
  return count === 1 ? ' · 1 comment' : ` · ${count} comments`
}
