/** Chats and their messages. */

import { notFound } from '../../contract/errors.js'
import { nameKey } from '../../contract/schema.js'
import type { BodyOf, ResultOf } from '../../contract/types.js'
import { filesShown } from '../message.js'
import type { Context } from './context.js'
import { resolvePeople } from './people.js'
import { mustOwn, targetChat, visibleChat } from './targets.js'

export async function createChat(
  { rows, bot, now, site }: Context,
  { name, ...people }: BodyOf<'createChat'>,
): Promise<ResultOf<'createChat'>> {
  const members = await resolvePeople(rows, people)
  const chatID = await rows.addChat({ name, nameKey: nameKey(name), creatorID: bot.botID, createdAt: now })
  await rows.addChatMembers(chatID, [...members.add(bot.botID)])
  return { chatID, chatURL: `${site}/${chatID}` }
}

export async function deleteChat(context: Context, { chatID }: BodyOf<'deleteChat'>): Promise<undefined> {
  const chat = await visibleChat(context, chatID)
  mustOwn(context, chat.creatorID)
  if (!(await context.rows.removeChat(chat.id))) throw notFound('chatID')
}

export async function postChatMessage(
  context: Context,
  { body, ...target }: BodyOf<'postChatMessage'>,
): Promise<ResultOf<'postChatMessage'>> {
  const { rows, bot, now, site } = context
  const chat = await targetChat(context, target)
  const files = await filesShown(context)
  const chatMessageID = await rows.addMessage({ chatID: chat.id, authorID: bot.botID, body, createdAt: now })
  if (files.length > 0) await rows.showFiles({ messageID: chatMessageID }, files)
  return { chatMessageID, chatMessageURL: `${site}/${chat.id}/${chatMessageID}` }
}

export async function deleteChatMessage(
  context: Context,
  { messageID }: BodyOf<'deleteChatMessage'>,
): Promise<undefined> {
  const message = await context.rows.message(messageID)
  if (message === null) throw notFound('messageID')
  await visibleChat(context, message.chatID, 'messageID')
  mustOwn(context, message.authorID)
  if (!(await context.rows.removeMessage(message.id))) throw notFound('messageID')
}
