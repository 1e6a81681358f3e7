/** A thread with its comments. */

import { toText } from '../../render/text.js'
import type { CommentRow } from '../store/store.js'
import type { PageRequest } from './index.js'
import type { PageContent } from './layout.js'
import { type Markup, markup } from './markup.js'
import { messageMarkup, namesIn, type Posted, type References } from './message.js'

const TITLE_LENGTH_MAX = 80

/**
 * The page of a thread, for whoever has its share token or can see its channel.
 *
 * @param request - the request; its `markedID` is the comment that the address names
 * @param threadID - the thread
 * @returns the page, or null where it is not to be seen
 */
export async function threadPage(request: PageRequest, threadID: string): Promise<PageContent | null> {
  const { rows, token, viewer, markedID } = request
  const thread = await rows.thread(threadID)
  if (thread === null) return null
  const isShared = token === thread.shareToken
  const channel = viewer === null ? null : await rows.channel(thread.channelID, viewer.userID)
  if (!isShared && (channel === null || (channel.isPrivate && !channel.isMember))) return null
  const comments = await rows.comments(thread.id)
  const references: References = {
    names: await namesIn(rows, [thread, ...comments]),
    files: await rows.filesOfThread(thread.id),
    fileQuery: isShared ? `?s=${thread.shareToken}` : '',
  }
  const title = toText(thread.blocks).split('\n', 1)[0]?.slice(0, TITLE_LENGTH_MAX) ?? ''
  const body = markup`<main>
${articleOf(thread, references, markedID)}
${repliesOf(null, byParent(comments), references, markedID)}
</main>`
  return { title, body }
}

function byParent(comments: readonly CommentRow[]): ReadonlyMap<string | null, CommentRow[]> {
  const replies = new Map<string | null, CommentRow[]>()
  for (const comment of comments) {
    const siblings = replies.get(comment.parentID)
    if (siblings === undefined) replies.set(comment.parentID, [comment])
    else siblings.push(comment)
  }
  return replies
}

/** Replies below what they answer. Chains of replies are as long as people are patient, not as the stack is deep. */
function repliesOf(
  parentID: string | null,
  replies: ReadonlyMap<string | null, CommentRow[]>,
  references: References,
  markedID: string | null,
  depth = 0,
): Markup | null {
  const comments = replies.get(parentID)
  if (comments === undefined) return null
  const items = comments.map((comment): Markup => {
    const article = articleOf(comment, references, markedID)
    const below = repliesOf(comment.id, replies, references, markedID, depth + 1)
    return markup`<li>${article}${below}</li>`
  })
  return markup`<ul>
${items}
</ul>`
}

function articleOf(message: Posted, references: References, markedID: string | null): Markup {
  const author = references.names.get(message.authorID) ?? message.authorID
  const time = message.createdAt.toISOString()
  const content =
    message.blocks === null ? markup`<p>This comment was deleted.</p>` : messageMarkup(message, references)
  const current = message.id === markedID ? markup` aria-current="true"` : null
  return markup`<article id="m${message.id}"${current}>
<header><b dir="auto">${author}</b> <time datetime="${time}">${time}</time></header>
<div dir="auto">
${content}
</div>
</article>`
}
