/** A thread with its comments. */

import { shareTokenOf } from '../../api/rules/share-token.js'
import type { ThreadRow } from '../../api/store/store.js'
import { type Markup, markup } from '../../page/markup.js'
import type { ListedComment, Part } from '../site-store.js'
import { createDays, isContinued } from './days.js'
import { listBar, type PageContent, type PageRequest, type TextContent } from './layout.js'
import { beginningOf, groupBy, messageCard, PRIVATE, type References, referencesOf } from './message.js'
import { live, newerLinks, olderLinks, type Page, type PagesOf, pageOf, startOf, versionOf } from './paging.js'

/** Draws a thread for a reader who has its share token or can see its channel; null for anyone else. */
export async function threadPage(request: PageRequest, threadID: string): Promise<PageContent | TextContent | null> {
  const { rows, organization, secret, viewer, markedID, query } = request
  const thread = await rows.wholeThread(threadID)
  if (thread === null) return null
  const shared = secret === thread.shareToken ? shareTokenOf(organization, secret) : null
  const channel = viewer === null ? null : await rows.channel(thread.channelID, viewer.userID)
  const isMember = channel !== null && (!channel.isPrivate || channel.isMember)
  if (shared === null && !isMember) return null
  const list = (part: Part): ReturnType<typeof rows.comments> => rows.comments(thread.id, part)
  const version = await versionOf(list)
  if (query.has('poll')) return { text: version }
  const start = markedID === null ? startOf(query) : ({ id: markedID, towards: 'both' } as const)
  const found = await pageOf(list, start)
  const references = await lookUp(request, thread, found.rows, shared)
  const { title, rest } = beginningOf(thread, references)
  const privacy = channel?.isPrivate ? PRIVATE : null
  const up = isMember ? markup`<a href="/${channel.id}">#${channel.name}</a>` : null
  const card = { message: thread, path: `/${thread.id}${references.query}`, isMarked: false }
  // The message begins with the title.
  const body = markup`${listBar(up, 'Thread', privacy)}
${await messageCard(card, references)}
${await commentsOf(found, references, { thread, shared, markedID, version })}`
  return shared === null ? { title, body } : { title, body, description: rest === '' ? title : rest }
}

async function lookUp(
  { rows, slices }: PageRequest,
  thread: ThreadRow,
  comments: readonly ListedComment[],
  shared: string | null,
): Promise<References> {
  const parentAuthors = comments.flatMap(({ parentAuthorID }) => parentAuthorID ?? [])
  const query = shared === null ? '' : `?s=${shared}`
  return referencesOf([thread, ...comments], { rows, slices, query, others: parentAuthors })
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

interface View {
  readonly thread: ThreadRow
  readonly shared: string | null
  readonly markedID: string | null
  readonly version: string
}

async function commentsOf(found: Page<ListedComment>, references: References, view: View): Promise<Markup> {
  const { thread, shared, markedID, version } = view
  const query = new URLSearchParams(shared === null ? {} : { s: shared })
  const pages: PagesOf = { path: `/${thread.id}`, query, noun: 'comments' }
  const cards = new Map<string, Markup>()
  for (const comment of found.rows) cards.set(comment.id, await commentCard(comment, references, markedID))
  return markup`<section class="comments" aria-labelledby="comments">
<h2 id="comments">Comments</h2>
${olderLinks(found, pages)}
${live(found, pages, version, nested(found, cards, markedID))}
${newerLinks(found, pages)}
</section>`
}

/** Draws replies below their comments if those are on the same page, oldest first, with each day where it starts. */
function nested(
  { rows, older, newer }: Page<ListedComment>,
  cards: ReadonlyMap<string, Markup>,
  markedID: string | null,
): Markup {
  const parentOf = ({ parentID }: ListedComment): string => (parentID !== null && cards.has(parentID) ? parentID : '')
  const replies = groupBy(rows.toReversed(), parentOf)
  const dayOf = createDays(3)
  const listOf = (parent: string): Markup | null => {
    const found = replies.get(parent)
    if (found === undefined) return null
    // The recursion is at most as deep as a page has comments. The days need the comments in reading order.
    const drawn = found.map((row, index) => {
      const before = found[index - 1]
      const day = dayOf(row.createdAt)
      const isFirst = day !== null || row.id === markedID || replies.has(before?.id ?? '')
      const name = !isFirst && isContinued(before, row) ? markup` class="continued"` : null
      return markup`<li${name}>${day}${cards.get(row.id) ?? null}${listOf(row.id)}</li>`
    })
    return markup`<ol>\n${drawn}\n</ol>`
  }
  const none = older === null && newer === null ? 'There are no comments yet.' : 'There are no more comments.'
  return listOf('') ?? markup`<p class="quiet">${none}</p>`
}
