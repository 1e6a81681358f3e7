/** A chat, oldest message first, for its members. It opens at the newest message and shows those that arrive. */

import { type Markup, markup } from '../../page/markup.js'
import { createDays, isContinued } from './days.js'
import { type PageContent, type PageRequest, unchanged } from './layout.js'
import { messageCard, type Posted, referencesOf } from './message.js'
import { candidates, type Filled, fill, newerLinks, olderLinks, orderNote, startOf } from './paging.js'

/** Comes before every message: the place that a page of an empty chat asks from. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Draws a chat, or the part around the message that the URL names; null if the viewer is not a member. */
export async function chatPage({
  rows,
  id,
  viewer,
  markedID,
  query,
  slices,
}: PageRequest): Promise<PageContent | null> {
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null || viewer === null) return null
  const marked = markedID === null ? null : await rows.message(markedID)
  if (markedID !== null && marked?.chatID !== chat.id) return null
  const start = marked === null ? startOf(query) : ({ id: marked.id, towards: 'both' } as const)
  const found = await candidates(async (part) => {
    const messages = await rows.messages(chat.id, part)
    return messages.map((message) => ({ ...message, blocks: message.body === null ? null : [message.body] }))
  }, start)
  // It may have been deleted before its messages were read.
  if ((await rows.chat(chat.id, viewer.userID)) === null) return null
  const isNewer = ({ id: each }: Posted): boolean => each !== query.get('after')
  if (query.has('after') && !found.newer.some(isNewer)) return unchanged
  const messages = [...found.newer, ...found.older]
  const files = await rows.filesOfMessages(messages.map((message) => message.id))
  const references = await referencesOf(messages, { rows, slices, files })
  const filled = await fill(found, (message) => {
    const path = `/${chat.id}/${message.id}`
    return messageCard({ message, path, isMarked: message.id === marked?.id, time: 'clock' }, references)
  })
  const pages = { path: `/${chat.id}`, query: new URLSearchParams(), noun: 'messages' }
  const opensAtEnd = start === null || start.towards === 'older'
  const body = markup`<div class="place">
<p class="up"><a href="/" dir="auto">${viewer.organizationName}</a></p>
<h1 dir="auto">${chat.name}</h1>
<p class="news quiet" role="status"></p>
</div>
${orderNote(filled, pages)}
${olderLinks(filled, pages)}
${listOf(filled, pages.path, { marked: marked?.id ?? null, opensAtEnd })}
${newerLinks(filled, pages)}`
  return { title: chat.name, body, isLive: true }
}

interface Opening {
  readonly marked: string | null
  readonly opensAtEnd: boolean
}

function listOf({ items, newer }: Filled<Posted>, path: string, { marked, opensAtEnd }: Opening): Markup {
  const dayOf = createDays(2)
  const drawn = items.toReversed().map(({ row, markup: card }, index, all) => {
    const isLast = index === all.length - 1
    const day = dayOf(row.createdAt)
    const isGrouped = day === null && row.id !== marked && isContinued(all[index - 1]?.row, row)
    // The browser brings the focus into view, which needs no script.
    const focus = isLast && opensAtEnd ? markup` tabindex="-1" autofocus` : null
    return markup`<li${isGrouped ? markup` class="continued"` : null}${isLast ? markup` id="latest"` : null}${focus}>${day}${card}</li>`
  })
  const live = newer === null ? markup` data-live="${path}" data-after="${items[0]?.row.id ?? BEFORE_ALL}"` : null
  const nothing = items.length === 0 ? markup`<p class="quiet">There are no messages yet.</p>` : null
  return markup`${nothing}<ol class="messages"${live}>
${drawn}
</ol>`
}
