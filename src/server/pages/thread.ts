/** A thread with its comments. */

import { shareTokenOf } from '../../api/rules/share-token.js'
import type { ThreadRow } from '../../api/store/store.js'
import { type Markup, markup } from '../../page/markup.js'
import type { ListedComment } from '../site-store.js'
import { createDays, isContinued } from './days.js'
import type { PageContent, PageRequest } from './layout.js'
import { beginningOf, groupBy, messageCard, PRIVATE, type References, referencesOf, summaryOf } from './message.js'
import { candidates, type Filled, fill, newerLinks, olderLinks, orderNote, startOf } from './paging.js'

/** Draws a thread for a reader who has its share token or can see its channel; null for anyone else. */
export async function threadPage(request: PageRequest, threadID: string): Promise<PageContent | null> {
  const { rows, organization, secret, viewer, markedID, query } = request
  const thread = await rows.wholeThread(threadID)
  if (thread === null) return null
  const shared = secret === thread.shareToken ? shareTokenOf(organization, secret) : null
  const channel = viewer === null ? null : await rows.channel(thread.channelID, viewer.userID)
  const isMember = channel !== null && (!channel.isPrivate || channel.isMember)
  if (shared === null && !isMember) return null
  const start = markedID === null ? startOf(query) : ({ id: markedID, towards: 'both' } as const)
  const found = await candidates((part) => rows.comments(thread.id, part), start)
  // It may have been deleted before its comments were read.
  if ((await rows.thread(thread.id)) === null) return null
  const references = await lookUp(request, thread, [...found.newer, ...found.older], shared)
  const { title } = beginningOf(thread, references)
  const filled = await fill(found, (comment) => commentCard(comment, references, markedID))
  const privacy = channel?.isPrivate ? PRIVATE : null
  const up = isMember
    ? markup`<p class="up"><a href="/${channel.id}" dir="auto">#${channel.name}</a>${privacy}</p>`
    : null
  const body = markup`${up}
<h1 class="unseen">${title}</h1>
${await messageCard({ message: thread, path: `/${thread.id}${references.query}`, isMarked: false }, references)}
${commentsOf(filled, thread, { shared, markedID })}`
  const author = references.names.get(thread.authorID) ?? ''
  if (shared === null) return { title, body }
  const description = summaryOf(thread, references)
  return { title, body, preview: { description, author, createdAt: thread.createdAt } }
}

async function lookUp(
  { rows, slices }: PageRequest,
  thread: ThreadRow,
  comments: readonly ListedComment[],
  shared: string | null,
): Promise<References> {
  const ids = comments.map((comment) => comment.id)
  const parentAuthors = comments.flatMap(({ parentAuthorID }) => parentAuthorID ?? [])
  const query = shared === null ? '' : `?s=${shared}`
  const files = await rows.filesOfThreads([thread.id], ids)
  return referencesOf([thread, ...comments], { rows, slices, files, query, others: parentAuthors })
}

function commentCard(comment: ListedComment, references: References, markedID: string | null): Promise<Markup> {
  const { names, query } = references
  const { parentID, parentAuthorID } = comment
  const parentAuthor = names.get(parentAuthorID ?? '') ?? parentAuthorID ?? ''
  // In every reply; the style sheet hides it if the comment that it replies to is right above.
  const context =
    parentID === null
      ? null
      : markup`<p class="in-reply">In reply to <a href="/${parentID}${query}" dir="auto">${parentAuthor}</a></p>`
  const isMarked = comment.id === markedID
  return messageCard({ message: comment, path: `/${comment.id}${query}`, isMarked, time: 'clock', context }, references)
}

/** More comments than fit on a screen. */
const LATEST_ITEMS_MIN = 8

interface View {
  readonly shared: string | null
  readonly markedID: string | null
}

function commentsOf(filled: Filled<ListedComment>, thread: ThreadRow, { shared, markedID }: View): Markup | null {
  const pages = {
    path: `/${thread.id}`,
    query: new URLSearchParams(shared === null ? {} : { s: shared }),
    noun: 'comments',
  }
  if (filled.items.length === 0 && filled.newer === null && filled.older === null) return null
  return markup`<section class="comments" aria-labelledby="comments">
<h2 id="comments">Comments</h2>
${orderNote(filled, pages)}
${filled.items.length < LATEST_ITEMS_MIN ? null : markup`<p class="quiet order"><a href="#latest">Go to the last</a></p>`}
${olderLinks(filled, pages)}
${nested(filled.items.toReversed(), markedID)}
${newerLinks(filled, pages)}
</section>`
}

type Item = Filled<ListedComment>['items'][number]

/** Draws replies below their comments if those are on the same page, oldest first, with each day where it starts. */
function nested(items: readonly Item[], markedID: string | null): Markup {
  const onPage = new Set(items.map(({ row }) => row.id))
  const parentOf = ({ row: { parentID } }: Item): string => (parentID !== null && onPage.has(parentID) ? parentID : '')
  const replies = groupBy(items, parentOf)
  const last = replies.get('')?.at(-1)
  const dayOf = createDays(3)
  const listOf = (parent: string): Markup | null => {
    const found = replies.get(parent)
    if (found === undefined) return null
    // The recursion is at most as deep as a page has comments. The days need the comments in reading order.
    const drawn = found.map((item, index) => {
      const { row } = item
      const before = found[index - 1]?.row
      const latest = item === last ? markup` id="latest"` : null
      const day = dayOf(row.createdAt)
      const isGrouped =
        day === null && row.id !== markedID && !replies.has(before?.id ?? '') && isContinued(before, row)
      return markup`<li${isGrouped ? markup` class="continued"` : null}${latest}>${day}${item.markup}${listOf(row.id)}</li>`
    })
    return markup`<ol>
${drawn}
</ol>`
  }
  return listOf('') ?? markup`<p class="quiet">There are no more comments.</p>`
}
