/** The pages of channels and chats, newest first, for those who can see them. */

import { toText } from '../../render/text.js'
import type { PageRequest } from './index.js'
import type { PageContent } from './layout.js'
import { markup } from './markup.js'
import { messageMarkup, namesIn, type References } from './message.js'

const PAGE_SIZE = 50
const PREVIEW_LENGTH_MAX = 200

/** A channel's newest threads. */
export async function channelPage({ rows, id, viewer }: PageRequest): Promise<PageContent | null> {
  const channel = viewer === null ? null : await rows.channel(id, viewer.userID)
  if (channel === null || (channel.isPrivate && !channel.isMember)) return null
  const threads = await rows.threads(channel.id, null, PAGE_SIZE)
  const items = threads.map((thread) => {
    const preview = toText(thread.blocks).slice(0, PREVIEW_LENGTH_MAX)
    return markup`<li><a href="/${thread.id}" dir="auto">${preview}</a></li>`
  })
  const body = markup`<h1 dir="auto">#${channel.name}</h1>\n<p dir="auto">${channel.description}</p>\n<ul>\n${items}\n</ul>`
  return { title: `#${channel.name}`, body }
}

/** A chat's newest messages. */
export async function chatPage({ rows, id, viewer, markedID }: PageRequest): Promise<PageContent | null> {
  const chat = viewer === null ? null : await rows.chat(id, viewer.userID)
  if (chat === null) return null
  const marked = markedID === null ? null : await rows.message(markedID)
  if (markedID !== null && marked?.chatID !== chat.id) return null
  const found = marked === null ? await rows.messages(chat.id, null, PAGE_SIZE) : [marked]
  const messages = found.map((message) => ({ ...message, blocks: [message.body] }))
  const references: References = {
    names: await namesIn(rows, messages),
    files: await rows.filesOfMessages(messages.map((message) => message.id)),
    fileQuery: '',
  }
  const items = messages.map((message) => {
    const author = references.names.get(message.authorID) ?? message.authorID
    const content = messageMarkup(message, references)
    return markup`<li id="m${message.id}"><b dir="auto">${author}</b>\n<div dir="auto">\n${content}\n</div></li>`
  })
  return { title: chat.name, body: markup`<h1 dir="auto">${chat.name}</h1>\n<ul>\n${items}\n</ul>` }
}
