/** The pages of lists: a channel with its threads, a chat with its messages, and a thread with its comments. */

import { shareTokenOf } from '../../api/rules/share-token.js'
import { Markup, markup } from '../../page/markup.js'
import type { Post } from '../site-store.js'
import { listBar, type PageContent, type PageRequest } from './layout.js'
import { beginningOf, messageCard, privateTag, type References, referencesOf, timeOf } from './message.js'
import { listMarkup, readList } from './paging.js'

/** The number up to which comments are counted. */
const COUNT_MAX = 100

/** Draws a channel; null if the viewer cannot see it. */
export async function channelPage(request: PageRequest): Promise<PageContent | string | null> {
  const { rows, id, viewer, slices } = request
  const channel = viewer === null ? null : await rows.channel(id, viewer.userID)
  if (viewer === null || channel === null) return null
  const part = await readList((each) => rows.posts('threads', channel.id, each), request)
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
  const tag = channel.isPrivate ? privateTag : null
  const body = markup`${listBar(markup`<a href="/">${viewer.organizationName}</a>`, `#${channel.name}`, tag)}
${channel.description === '' ? null : markup`<p class="quiet" dir="auto">${channel.description}</p>`}
${listMarkup(part, { url: `/${channel.id}`, noun: 'threads', isNewestFirst: true }, list)}`
  return { title: `#${channel.name}`, body }
}

function threadItem(thread: Post, references: References, count: number): Markup {
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
  const part = await readList((each) => rows.posts('messages', chat.id, each), request)
  if (typeof part === 'string') return part
  const references = await referencesOf(part.rows, request)
  const latestID = markedID === null && !query.has('to') ? part.rows[0]?.id : undefined
  const list = await messageList(part.rows, references, { markedID, latestID })
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
  const part = await readList((each) => rows.posts('comments', thread.id, each), request)
  if (typeof part === 'string') return part
  const query = shareToken === null ? '' : `?s=${shareToken}`
  const references = await referencesOf([thread, ...part.rows], request, query)
  const { title, rest } = beginningOf(thread, references)
  const parentLink = channel === null ? null : markup`<a href="/${channel.id}">#${channel.name}</a>`
  const list = await messageList(part.rows, references, { markedID })
  // The heading of the page is not the title, because the message begins with the title.
  const body = markup`${listBar(parentLink, 'Thread', channel?.isPrivate ? privateTag : null)}
${await messageCard(thread, references, 'time')}
<section class="comments" aria-labelledby="comments">
<h2 id="comments">Comments</h2>
${listMarkup(part, { url: `/${thread.id}${query}`, noun: 'comments' }, list)}
</section>`
  return shareToken === null ? { title, body } : { title, body, description: rest === '' ? title : rest }
}

/**
 * Draws messages of a chat or comments of a thread, oldest first, with replies below their comments if both are on the same page.
 * A heading names the day of the first message and of each message that is not of the same day as the message above it. The script
 * of the page moves the headings to where the reader's days begin. Users of a screen reader can go from day to day.
 */
async function messageList(
  rows: readonly Post[],
  references: References,
  { markedID, latestID }: { readonly markedID: string | null; readonly latestID?: string | undefined },
): Promise<Markup | null> {
  const replies = new Map<string, readonly Post[]>()
  for (const row of rows.toReversed()) {
    const parent = references.trees.has(row.parentID ?? '') ? (row.parentID ?? '') : ''
    replies.set(parent, [...(replies.get(parent) ?? []), row])
  }
  const isChat = rows.some(({ chatID }) => chatID !== undefined)
  const dayLevel = new Markup(isChat ? 'h2' : 'h3')
  let dayBefore = ''
  // The recursion is at most as deep as a page has comments. Calls run in order, because `dayBefore` is the day of the message above.
  const listOf = async (parent: string): Promise<Markup | null> => {
    const items: Markup[] = []
    let before: Post | undefined
    for (const message of replies.get(parent) ?? []) {
      const { id, createdAt } = message
      const isMarked = id === markedID
      const day = createdAt.toISOString().slice(0, 10)
      const heading =
        day === dayBefore
          ? null
          : markup`<${dayLevel} class="day">${timeOf(createdAt, 'day')}<span class="zone"> · UTC</span></${dayLevel}>`
      const isFirst = heading !== null || isMarked || replies.has(before?.id ?? '')
      const name = !isFirst && isContinued(before, message) ? markup` class="continued"` : null
      // The browser scrolls to the element with the focus, which needs no script.
      const focus = id === latestID ? markup` id="latest" tabindex="-1" autofocus` : null
      ;[before, dayBefore] = [message, day]
      const card = await messageCard(message, references, 'clock', isMarked)
      items.push(markup`<li${name}${focus}>${heading}${card}${await listOf(id)}</li>`)
    }
    if (items.length === 0) return null
    return markup`<ol${isChat ? markup` class="messages"` : null}>\n${items}\n</ol>`
  }
  return listOf('')
}

/** Maximum time between two messages of one author that are shown under one name. */
const GROUP_MILLISECONDS = 5 * 60 * 1000

/** Whether a message of the same day is shown under the name of the message before it. Deleted messages never are. */
function isContinued(before: Post | undefined, message: Post): boolean {
  if (before?.authorID !== message.authorID || before.blocks === null || message.blocks === null) return false
  // The author's name is on the side where the text begins, so texts of different directions do not share a name.
  if (isRightToLeft(before.blocks) !== isRightToLeft(message.blocks)) return false
  return message.createdAt.getTime() - before.createdAt.getTime() <= GROUP_MILLISECONDS
}

/** Whether the first letter of a message is of a script that is written from right to left. */
function isRightToLeft([first = '']: readonly string[]): boolean {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(first)
}
