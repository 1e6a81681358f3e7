/** A chat, newest message first, for those who are in it. */

import type { PageRequest } from './index.js'
import type { PageContent } from './layout.js'
import { type Markup, markup } from './markup.js'
import { messageCard, referencesOf } from './message.js'
import { candidates, fill, newerLinks, olderLinks, startOf } from './paging.js'

/**
 * The page of a chat.
 *
 * @param request - the request; its `markedID` is the message that the address names
 * @returns the page, or null where it is not to be seen
 */
export async function chatPage({ rows, id, viewer, markedID, query }: PageRequest): Promise<PageContent | null> {
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null) return null
  const marked = markedID === null ? null : await rows.message(markedID)
  if (markedID !== null && marked?.chatID !== chat.id) return null
  const start = marked === null ? startOf(query) : ({ id: marked.id, towards: 'both' } as const)
  const found = await candidates(async (from, count) => {
    const messages = await rows.messages(chat.id, from, count)
    return messages.map((message) => ({ ...message, blocks: [message.body] }))
  }, start)
  const messages = [...found.newer, ...found.older]
  const files = await rows.filesOfMessages(messages.map((message) => message.id))
  const references = await referencesOf(rows, messages, files, '')
  const filled = fill(found, (message) => {
    const card = { message, path: `/${chat.id}/${message.id}`, isMarked: message.id === marked?.id }
    return messageCard(card, references)
  })
  const pages = { path: `/${chat.id}`, query: new URLSearchParams(), noun: 'messages' }
  const body = markup`<h1 dir="auto">${chat.name}</h1>
${newerLinks(filled, pages)}
${listOf(filled.items.map((item) => markup`<li>${item.markup}</li>`))}
${olderLinks(filled, pages)}`
  return { title: chat.name, body }
}

function listOf(items: readonly Markup[]): Markup {
  if (items.length === 0) return markup`<p class="quiet">Nobody has written anything here yet.</p>`
  return markup`<ol class="messages">
${items}
</ol>`
}
