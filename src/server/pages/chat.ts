/** A chat, oldest message first, for its members. It opens at the newest message. */

import { type Markup, markup } from '../../page/markup.js'
import { createDays, isContinued } from './days.js'
import { listBar, type PageContent, type PageRequest } from './layout.js'
import { messageCard, referencesOf } from './message.js'
import { listMarkup, readList } from './paging.js'

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
