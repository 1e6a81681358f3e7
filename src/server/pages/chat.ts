/** A chat, oldest message first, for its members. It opens at the newest message. */

import { type Markup, markup } from '../../page/markup.js'
import type { Part } from '../site-store.js'
import { createDays, isContinued } from './days.js'
import { listBar, type PageContent, type PageRequest, type TextContent } from './layout.js'
import { messageCard, referencesOf } from './message.js'
import { live, newerLinks, olderLinks, type Page, type PagesOf, pageOf, startOf, versionOf } from './paging.js'

/** Draws a chat, or the part around the message that the URL names; null if the viewer is not a member. */
export async function chatPage(request: PageRequest): Promise<PageContent | TextContent | null> {
  const { rows, id, viewer, markedID, query, slices } = request
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null || viewer === null) return null
  const list = (part: Part): ReturnType<typeof rows.messages> => rows.messages(chat.id, part)
  const version = await versionOf(list)
  if (query.has('poll')) return { text: version }
  const marked = markedID === null ? null : await rows.message(markedID)
  if (markedID !== null && marked?.chatID !== chat.id) return null
  const start = marked === null ? startOf(query) : ({ id: marked.id, towards: 'both' } as const)
  const found = await pageOf(list, start)
  const messages = found.rows.map((message) => ({ ...message, blocks: message.body === null ? null : [message.body] }))
  const references = await referencesOf(messages, { rows, slices })
  const pages: PagesOf = { path: `/${chat.id}`, query: new URLSearchParams(), noun: 'messages' }
  const opensAtEnd = start === null || start.towards === 'older'
  const dayOf = createDays(2)
  const items: Markup[] = []
  for (const [index, message] of messages.toReversed().entries()) {
    const isMarked = message.id === marked?.id
    const day = dayOf(message.createdAt)
    const isGrouped = day === null && !isMarked && isContinued(messages[messages.length - index], message)
    // The browser scrolls to the element with the focus, which needs no script.
    const focus = index === messages.length - 1 && opensAtEnd ? markup` id="latest" tabindex="-1" autofocus` : null
    const card = await messageCard({ message, path: `/${chat.id}/${message.id}`, isMarked, time: 'clock' }, references)
    items.push(markup`<li${isGrouped ? markup` class="continued"` : null}${focus}>${day}${card}</li>`)
  }
  const body = markup`${listBar(markup`<a href="/">${viewer.organizationName}</a>`, chat.name)}
${olderLinks(found, pages)}
${live(found, pages, version, listOf(items, found))}
${newerLinks(found, pages)}`
  return { title: chat.name, body }
}

function listOf(items: readonly Markup[], { older, newer }: Page<unknown>): Markup {
  if (items.length > 0) return markup`<ol class="messages">\n${items}\n</ol>`
  const isEmpty = older === null && newer === null
  return markup`<p class="quiet">${isEmpty ? 'There are no messages yet.' : 'There are no more messages.'}</p>`
}
