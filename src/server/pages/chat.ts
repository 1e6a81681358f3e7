/** A chat, its newest page first and on each the oldest message, for those who are in it. */

import { createDays } from './days.js'
import type { PageContent } from './layout.js'
import { type Markup, markup } from './markup.js'
import { messageCard, referencesOf } from './message.js'
import type { PageRequest } from './page-request.js'
import { candidates, type Filled, fill, newerLinks, olderLinks, orderNote, startOf } from './paging.js'

/** The page of a chat, and of a message that the address names; null where it is not to be seen. */
export async function chatPage({ rows, id, viewer, markedID, query, turns }: PageRequest): Promise<PageContent | null> {
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null) return null
  const marked = markedID === null ? null : await rows.message(markedID)
  if (markedID !== null && marked?.chatID !== chat.id) return null
  const start = marked === null ? startOf(query) : ({ id: marked.id, towards: 'both' } as const)
  const found = await candidates(async (part) => {
    const messages = await rows.messages(chat.id, part)
    return messages.map((message) => ({ ...message, blocks: message.body === null ? null : [message.body] }))
  }, start)
  const messages = [...found.newer, ...found.older]
  const files = await rows.filesOfMessages(messages.map((message) => message.id))
  const references = await referencesOf(messages, { rows, turns, files })
  const filled = await fill(found, (message) => {
    const card = { message, path: `/${chat.id}/${message.id}`, isMarked: message.id === marked?.id }
    return messageCard(card, references)
  })
  const pages = { path: `/${chat.id}`, query: new URLSearchParams(), noun: 'messages' }
  const body = markup`<h1 dir="auto">${chat.name}</h1>
${orderNote(filled, pages)}
${olderLinks(filled, pages)}
${listOf(filled.items.toReversed())}
${newerLinks(filled, pages)}`
  return { title: chat.name, body }
}

type Items = Filled<{ readonly createdAt: Date }>['items']

function listOf(items: Items): Markup {
  if (items.length === 0) return markup`<p class="quiet">Nobody has written anything here yet.</p>`
  const dayOf = createDays(2)
  return markup`<ol class="messages">
${items.map((item, index) => {
  const latest = index === items.length - 1 ? markup` id="latest"` : null
  return markup`<li${latest}>${dayOf(item.row.createdAt)}${item.markup}</li>`
})}
</ol>`
}
