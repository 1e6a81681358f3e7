/** The work of each endpoint. An endpoint of the contract without an operation does not compile. */

import { randomBytes } from 'node:crypto'
import { notFound } from '../../contract/errors.js'
import { detail, nameKey } from '../../contract/schema.js'
import { fieldSentences as say } from '../../contract/sentences.js'
import type { BodyOf, EndpointName, ResultOf } from '../../contract/types.js'
import { filesShown } from '../message.js'
import { shareTokenOf } from '../share-token.js'
import type { OperationContext } from '../types.js'
import { resolvePeople } from './people.js'
import {
  mustOwn,
  targetChannel,
  targetChat,
  visibleChannel,
  visibleChat,
  visibleComment,
  visibleThread,
} from './targets.js'

type Operation<Name extends EndpointName> = (context: OperationContext, body: BodyOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  async channels({ rows, bot, page }) {
    const found = await rows.channels(bot.botID, page)
    return found.map(({ id, name, description, isPrivate, memberIDs }) => ({
      ...{ channelID: id, name, description },
      ...{ privacy: isPrivate ? 'private' : 'public', memberIDs: [...memberIDs] },
    }))
  },

  async createChannel({ rows, bot, site }, { name, description = '', privacy = 'public', ...people }) {
    const members = await resolvePeople(rows, people)
    const isPrivate = privacy === 'private'
    const channel = { name, nameKey: nameKey(name), description, isPrivate, creatorID: bot.botID }
    const channelID = await rows.addChannel(channel)
    await rows.addChannelMembers(channelID, [...members.add(bot.botID)])
    return { channelID, channelURL: `${site}/${channelID}` }
  },

  async addChannelMembers(context, { channelID, ...people }) {
    const channel = await visibleChannel(context, channelID)
    const members = await resolvePeople(context.rows, people)
    await context.rows.addChannelMembers(channel.id, [...members])
  },

  async deleteChannel(context, { channelID }) {
    const channel = await visibleChannel(context, channelID)
    mustOwn(context, channel.creatorID)
    if (!(await context.rows.removeChannel(channel.id))) throw notFound('channelID')
  },

  async postThread(context, { blocks, ...target }) {
    const { rows, bot, now, site } = context
    const channel = await targetChannel(context, target)
    const files = await filesShown(context)
    const shareToken = randomBytes(SHARE_TOKEN_BYTES).toString('base64url')
    const thread = { channelID: channel.id, authorID: bot.botID, blocks, shareToken, createdAt: now }
    const threadID = await rows.addThread(thread)
    if (files.length > 0) await rows.showFiles({ channelID: channel.id, threadID }, files)
    return { threadID, threadURL: `${site}/${threadID}?s=${shareTokenOf(bot.organization, shareToken)}` }
  },

  async deleteThread(context, { threadID }) {
    const thread = await visibleThread(context, threadID)
    mustOwn(context, thread.authorID)
    if (!(await context.rows.removeThread(thread.id))) throw notFound('threadID')
  },

  async postComment(context, { threadID, parentID = threadID, blocks }) {
    const { rows, bot, now, site } = context
    const thread = await visibleThread(context, threadID)
    // The parent is the thread or one of its comments. A comment is locked, to exist until the reply is stored.
    const parent = parentID === thread.id ? null : await rows.comment(parentID, 'share')
    const isAnswerable = parentID === thread.id || (parent?.threadID === thread.id && !parent.isDeleted)
    const files = await filesShown(context, isAnswerable ? [] : [detail(['parentID'], 'not_in_thread', say.noParent)])
    const target = { threadID: thread.id, parentID: parent?.id ?? null }
    const commentID = await rows.addComment({ ...target, authorID: bot.botID, blocks, createdAt: now })
    if (files.length > 0) {
      await rows.showFiles({ channelID: thread.channelID, threadID: thread.id, commentID }, files)
    }
    return { commentID, commentURL: `${site}/${commentID}?s=${shareTokenOf(bot.organization, thread.shareToken)}` }
  },

  async deleteComment(context, { commentID }) {
    const comment = await visibleComment(context, commentID)
    mustOwn(context, comment.authorID)
    if (!(await context.rows.removeComment(comment.id))) throw notFound('commentID')
  },

  async createChat({ rows, bot, now, site }, { name, ...people }) {
    const members = await resolvePeople(rows, people)
    const chatID = await rows.addChat({ name, nameKey: nameKey(name), creatorID: bot.botID, createdAt: now })
    await rows.addChatMembers(chatID, [...members.add(bot.botID)])
    return { chatID, chatURL: `${site}/${chatID}` }
  },

  async deleteChat(context, { chatID }) {
    const chat = await visibleChat(context, chatID)
    mustOwn(context, chat.creatorID)
    if (!(await context.rows.removeChat(chat.id))) throw notFound('chatID')
  },

  async postChatMessage(context, { body, ...target }) {
    const { rows, bot, now, site } = context
    const chat = await targetChat(context, target)
    const files = await filesShown(context)
    const chatMessageID = await rows.addMessage({ chatID: chat.id, authorID: bot.botID, body, createdAt: now })
    if (files.length > 0) await rows.showFiles({ chatID: chat.id, messageID: chatMessageID }, files)
    return { chatMessageID, chatMessageURL: `${site}/${chat.id}/${chatMessageID}` }
  },

  async deleteChatMessage(context, { messageID }) {
    const message = await context.rows.message(messageID)
    if (message === null) throw notFound('messageID')
    await visibleChat(context, message.chatID, 'messageID')
    mustOwn(context, message.authorID)
    if (!(await context.rows.removeMessage(message.id))) throw notFound('messageID')
  },

  async users({ rows, page }) {
    const found = await rows.users(page)
    return found.map(({ id, name, email }) => ({ userID: id, name, email }))
  },

  async ping({ bot }) {
    return { name: bot.botName, organization: bot.organizationName }
  },

  async upload({ rows, bot, now, received }) {
    if (received === null) throw new Error('an upload without a file')
    const { hash, size, mediaType, imageSize, name } = received
    await rows.holdContent(hash)
    const { width, height } = imageSize ?? { width: null, height: null }
    const file = { hash, size, mediaType, name, width, height, uploaderID: bot.botID, createdAt: now }
    return { fileID: await rows.addFile(file) }
  },
}

/** Number of random bytes that makes the share link of a thread impossible to guess. */
const SHARE_TOKEN_BYTES = 16
