/** The pages of lists: a channel with its threads, a chat with its messages, and a thread with its comments. */

import { shareTokenOf } from '../../api/rules/share-token.js'
import { type Markup, markup } from '../../page/markup.js'
import type { ListedComment, ListedThread } from '../site-store.js'
import { listBar, type PageContent, type PageRequest } from './layout.js'
import { beginningOf, messageCard, type Posted, PRIVATE, type References, referencesOf, timeOf } from './message.js'
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

/** Draws a chat, or the part around the message that the URL names; null if the viewer is not a member. */
export async function chatPage(request: PageRequest): Promise<PageContent | string | null> {
  const { rows, id, viewer, markedID, query } = request
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null || viewer === null) return null
  if (markedID !== null && (await rows.message(markedID))?.chatID !== chat.id) return null
  const part = await readList((each) => rows.messages(chat.id, each), request)
  if (typeof part === 'string') return part
  const messages = part.rows.map((message) => ({ ...message, blocks: message.body === null ? null : [message.body] }))
  const references = await referencesOf(messages, request)
  const dayOf = createDays(2)
  const items: Markup[] = []
  for (const [index, message] of messages.toReversed().entries()) {
    const isMarked = message.id === markedID
    const day = dayOf(message.createdAt)
    const isGrouped = day === null && !isMarked && isContinued(messages[messages.length - index], message)
    // The browser scrolls to the element with the focus, which needs no script.
    const isLatest = markedID === null && !query.has('to') && index === messages.length - 1
    const focus = isLatest ? markup` id="latest" tabindex="-1" autofocus` : null
    const card = await messageCard({ message, path: `/${chat.id}/${message.id}`, isMarked, time: 'clock' }, references)
    items.push(markup`<li${isGrouped ? markup` class="continued"` : null}${focus}>${day}${card}</li>`)
  }
  const list = items.length === 0 ? null : markup`<ol class="messages">\n${items}\n</ol>`
  const body = markup`${listBar(markup`<a href="/">${viewer.organizationName}</a>`, chat.name)}
${listMarkup(part, { url: `/${chat.id}`, noun: 'messages' }, list)}`
  return { title: chat.name, body }
}

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
    // The recursion is at most as deep as a page has comments. `dayOf` is called in reading order, as it requires.
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

/** Maximum time between two messages of one author that are shown under one name. */
const GROUP_MILLISECONDS = 5 * 60 * 1000

/**
 * Creates a function that returns the heading with the day of the next message, or null if the message before is of the same day.
 * The script of the page moves the headings to where the reader's days begin. Users of a screen reader can go from day to day.
 */
function createDays(level: 2 | 3): (time: Date) => Markup | null {
  let before = ''
  return (time) => {
    const day = dayOf(time)
    if (day === before) return null
    before = day
    const name = markup`${timeOf(time, 'day')}<span class="zone"> · UTC</span>`
    return level === 2 ? markup`<h2 class="day">${name}</h2>` : markup`<h3 class="day">${name}</h3>`
  }
}

/** Whether a message is shown under the name of the message before it. Deleted messages never are. */
function isContinued(before: Posted | undefined, message: Posted): boolean {
  if (before?.authorID !== message.authorID || before.blocks === null || message.blocks === null) return false
  // The author's name is on the side where the text begins, so texts of different directions do not share a name.
  if (isRightToLeft(before.blocks) !== isRightToLeft(message.blocks)) return false
  const distance = message.createdAt.getTime() - before.createdAt.getTime()
  return distance <= GROUP_MILLISECONDS && dayOf(before.createdAt) === dayOf(message.createdAt)
}

/** Whether the first letter of a message is of a script that is written from right to left. */
function isRightToLeft([first = '']: readonly string[]): boolean {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(first)
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
