/** A thread with its comments. */

import { shareTokenOf } from '../../api/rules/share-token.js'
import { type Markup, markup } from '../../page/markup.js'
import type { ListedComment } from '../site-store.js'
import { createDays, isContinued } from './days.js'
import { listBar, type PageContent, type PageRequest } from './layout.js'
import { beginningOf, messageCard, PRIVATE, type References, referencesOf } from './message.js'
import { listMarkup, readList } from './paging.js'

/** Draws a thread for a reader who has its share token or can see its channel; null for anyone else. */
export async function threadPage(request: PageRequest, threadID: string): Promise<PageContent | string | null> {
  const { rows, organization, secret, viewer, markedID } = request
  const thread = await rows.wholeThread(threadID)
  if (thread === null) return null
  const shareToken = secret === thread.shareToken ? shareTokenOf(organization, secret) : null
  const channel = viewer === null ? null : await rows.channel(thread.channelID, viewer.userID)
  if (shareToken === null && channel === null) return null
  const part = await readList((each) => rows.comments(thread.id, each), request)
  if (typeof part === 'string') return part
  const query = shareToken === null ? '' : `?s=${shareToken}`
  const others = part.rows.flatMap(({ parentAuthorID }) => parentAuthorID ?? [])
  const references = await referencesOf([thread, ...part.rows], request, query, others)
  const { title, rest } = beginningOf(thread, references)
  const up = channel === null ? null : markup`<a href="/${channel.id}">#${channel.name}</a>`
  const url = `/${thread.id}${query}`
  const cards = new Map<string, Markup>()
  for (const comment of part.rows) cards.set(comment.id, await commentCard(comment, references, markedID))
  // The heading of the page is not the title, because the message begins with the title.
  const body = markup`${listBar(up, 'Thread', channel?.isPrivate ? PRIVATE : null)}
${await messageCard({ message: thread, path: url, isMarked: false }, references)}
<section class="comments" aria-labelledby="comments">
<h2 id="comments">Comments</h2>
${listMarkup(part, { url, noun: 'comments' }, commentTree(part.rows, cards, markedID))}
</section>`
  return shareToken === null ? { title, body } : { title, body, description: rest === '' ? title : rest }
}

function commentCard(message: ListedComment, references: References, markedID: string | null): Promise<Markup> {
  const { names, query, trees } = references
  const { id, parentID, parentAuthorID } = message
  const parentAuthor = names.get(parentAuthorID ?? '') ?? parentAuthorID ?? ''
  // A comment on the same page is linked by its anchor.
  const parent = trees.has(parentID ?? '') ? `#m${parentID}` : `/${parentID}${query}`
  // Every reply has this line; the style sheet hides the line if the comment that it replies to is right above.
  const context =
    parentID === null
      ? null
      : markup`<p class="in-reply">In reply to <a href="${parent}" dir="auto">${parentAuthor}</a></p>`
  const card = { message, path: `/${id}${query}`, isMarked: id === markedID, time: 'clock', context } as const
  return messageCard(card, references)
}

/** Draws replies below their comments if those are on the same page, oldest first, with a heading where each day starts. */
function commentTree(
  rows: readonly ListedComment[],
  cards: ReadonlyMap<string, Markup>,
  markedID: string | null,
): Markup | null {
  const parentOf = ({ parentID }: ListedComment): string => (parentID !== null && cards.has(parentID) ? parentID : '')
  const replies = new Map<string, readonly ListedComment[]>()
  for (const row of rows.toReversed()) replies.set(parentOf(row), [...(replies.get(parentOf(row)) ?? []), row])
  const dayOf = createDays(3)
  const listOf = (parent: string): Markup | null => {
    const siblings = replies.get(parent)
    if (siblings === undefined) return null
    // The recursion is at most as deep as a page has comments. The days need the comments in reading order.
    const drawn = siblings.map((row, index) => {
      const before = siblings[index - 1]
      const day = dayOf(row.createdAt)
      const isFirst = day !== null || row.id === markedID || replies.has(before?.id ?? '')
      const name = !isFirst && isContinued(before, row) ? markup` class="continued"` : null
      return markup`<li${name}>${day}${cards.get(row.id) ?? null}${listOf(row.id)}</li>`
    })
    return markup`<ol>\n${drawn}\n</ol>`
  }
  return listOf('')
}
