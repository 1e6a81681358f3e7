/** Does the work of each endpoint. If an endpoint of the contract has no operation, this file does not compile. */

import { randomBytes } from 'node:crypto'
import { ApiError, type Detail, notFound } from '../contract/errors.js'
import { detail, nameKey } from '../contract/schema.js'
import { fieldSentences as say, sentences } from '../contract/sentences.js'
import {
  type BodyOf,
  type ChannelTarget,
  type ChatTarget,
  type EndpointName,
  limits,
  type People,
  type ResultOf,
} from '../contract/types.js'
import type { ChannelRow, Identity, Page, Rows } from '../store/store.js'
import { type FileReference, filesShown } from './message.js'
import { shareTokenOf } from './share-token.js'
import type { ReceivedFile } from './types.js'

/** The parameters of an operation: one bot's request, inside one transaction. */
export interface OperationContext {
  readonly rows: Rows
  readonly bot: Identity
  /** The start of the URLs of pages. */
  readonly siteUrl: string
  readonly now: Date
  /** The requested part of a list. */
  readonly page: Page
  /** The files that the message of the request names. */
  readonly files: readonly FileReference[]
  readonly received: ReceivedFile | null
}

type Operation<Name extends EndpointName> = (context: OperationContext, body: BodyOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  async channels({ rows, bot, page }) {
    const found = await rows.channels(bot.botID, page)
    return found.map(({ id, name, description, isPrivate, memberIDs }) => ({
      ...{ channelID: id, name, description },
      ...{ privacy: isPrivate ? 'private' : 'public', memberIDs: [...memberIDs] },
    }))
  },

  async createChannel(context, { description = '', privacy = 'public', ...body }) {
    const channelFields = await groupOf(context, body)
    const channelID = await context.rows.addChannel({ ...channelFields, description, isPrivate: privacy === 'private' })
    return { channelID, channelURL: `${context.siteUrl}/${channelID}` }
  },

  async addChannelMembers(context, { channelID, ...people }) {
    const channel = await visibleChannel(context, channelID)
    const members = await resolvePeople(context.rows, people)
    await context.rows.addChannelMembers(channel.id, [...members])
  },

  async deleteChannel(context, { channelID }) {
    const { id, creatorID } = await visibleChannel(context, channelID)
    await remove(context, 'channelID', creatorID, (rows) => rows.removeChannel(id))
  },

  async postThread(context, { blocks, ...target }) {
    const { rows, bot, now, siteUrl } = context
    const channel = await targetChannel(context, target)
    const files = await filesShown(context)
    const shareToken = randomBytes(SHARE_TOKEN_BYTES).toString('base64url')
    const thread = { channelID: channel.id, authorID: bot.botID, blocks, shareToken, createdAt: now }
    const threadID = await rows.addThread(thread)
    await rows.showFiles({ channelID: channel.id, threadID }, files)
    return { threadID, threadURL: `${siteUrl}/${threadID}?s=${shareTokenOf(bot.organization, shareToken)}` }
  },

  async deleteThread(context, { threadID }) {
    const { id, authorID } = await visibleThread(context, threadID)
    await remove(context, 'threadID', authorID, (rows) => rows.removeThread(id))
  },

  async postComment(context, { threadID, parentID = threadID, blocks }) {
    const { rows, bot, now, siteUrl } = context
    const thread = await visibleThread(context, threadID)
    // The parent is the thread or one of its comments. The lock keeps a comment from being deleted before the reply is stored.
    const parent = parentID === thread.id ? null : await rows.comment(parentID, 'share')
    const isAnswerable = parentID === thread.id || (parent?.threadID === thread.id && !parent.isDeleted)
    const files = await filesShown(
      context,
      isAnswerable ? [] : [detail(['parentID'], 'not_in_thread', say.notInThread)],
    )
    const target = { threadID: thread.id, parentID: parent?.id ?? null }
    const commentID = await rows.addComment({ ...target, authorID: bot.botID, blocks, createdAt: now })
    await rows.showFiles({ channelID: thread.channelID, threadID: thread.id, commentID }, files)
    return { commentID, commentURL: `${siteUrl}/${commentID}?s=${shareTokenOf(bot.organization, thread.shareToken)}` }
  },

  async deleteComment(context, { commentID }) {
    // The lock prevents new replies until the comment is deleted.
    const comment = await context.rows.comment(commentID, 'remove')
    if (comment === null || comment.isDeleted) throw notFound('commentID')
    await visibleThread(context, comment.threadID, 'commentID')
    await remove(context, 'commentID', comment.authorID, (rows) => rows.removeComment(comment.id))
  },

  async createChat(context, body) {
    const chatFields = await groupOf(context, body)
    const chatID = await context.rows.addChat({ ...chatFields, createdAt: context.now })
    return { chatID, chatURL: `${context.siteUrl}/${chatID}` }
  },

  async deleteChat(context, { chatID }) {
    const { id, creatorID } = await visibleChat(context, chatID)
    await remove(context, 'chatID', creatorID, (rows) => rows.removeChat(id))
  },

  async postChatMessage(context, { body, ...target }) {
    const { rows, bot, now, siteUrl } = context
    const chat = await targetChat(context, target)
    const files = await filesShown(context)
    const chatMessageID = await rows.addMessage({ chatID: chat.id, authorID: bot.botID, body, createdAt: now })
    await rows.showFiles({ chatID: chat.id, messageID: chatMessageID }, files)
    return { chatMessageID, chatMessageURL: `${siteUrl}/${chat.id}/${chatMessageID}` }
  },

  async deleteChatMessage(context, { messageID }) {
    const message = await context.rows.message(messageID)
    if (message === null) throw notFound('messageID')
    await visibleChat(context, message.chatID, 'messageID')
    await remove(context, 'messageID', message.authorID, (rows) => rows.removeMessage(message.id))
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
    const { width, height } = imageSize ?? { width: null, height: null }
    const file = { hash, size, mediaType, name, width, height, uploaderID: bot.botID, createdAt: now }
    return { fileID: await rows.addFile(file) }
  },
}

/** Number of random bytes that makes the share link of a thread impossible to guess. */
const SHARE_TOKEN_BYTES = 16

/** Returns the fields that new channels and chats have in common. The bot is their creator and a member. */
async function groupOf({ rows, bot }: OperationContext, { name, ...people }: BodyOf<'createChat'>) {
  const members = await resolvePeople(rows, people)
  return { name, nameKey: nameKey(name), creatorID: bot.botID, memberIDs: [...members.add(bot.botID)] }
}

/** Finds a channel that the bot can see: a public one, or one that it is a member of. */
async function visibleChannel({ rows, bot }: OperationContext, id: string, field: Field = 'channelID') {
  return visible(await rows.channel(id, bot.botID), field)
}

/** The field of the request that names an object. */
type Field = Parameters<typeof notFound>[0]

function visible(channel: ChannelRow | null, field: Field): ChannelRow {
  if (channel === null || (channel.isPrivate && !channel.isMember)) throw notFound(field)
  return channel
}

/** Finds a channel by id, by name, or by both if they agree. */
async function targetChannel(context: OperationContext, { channel, channelID }: ChannelTarget) {
  const { rows, bot } = context
  if (channelID === undefined) return visible(await rows.channelNamed(nameKey(channel ?? ''), bot.botID), 'channel')
  return agreeing(await visibleChannel(context, channelID), 'channel', channel)
}

/** Returns an object that was found by its id. Throws `target_mismatch` if the request also has another object's name. */
function agreeing<Row extends { readonly name: string }>(row: Row, field: string, name: string | undefined): Row {
  if (name === undefined || nameKey(name) === nameKey(row.name)) return row
  throw new ApiError('target_mismatch', sentences.twoTargets(field))
}

/** Finds a chat that the bot is a member of. */
async function visibleChat({ rows, bot }: OperationContext, id: string, field: Field = 'chatID') {
  const chat = await rows.chat(id, bot.botID)
  if (chat === null) throw notFound(field)
  return chat
}

/** Finds a chat by id, by name if only one chat has the name, or by both if they agree. */
async function targetChat(context: OperationContext, { chat, chatID }: ChatTarget) {
  if (chatID !== undefined) return agreeing(await visibleChat(context, chatID), 'chat', chat)
  const [named, another] = await context.rows.chatsNamed(nameKey(chat ?? ''), context.bot.botID)
  if (named === undefined) throw notFound('chat')
  if (another !== undefined) throw new ApiError('ambiguous_name', sentences.ambiguousChat)
  return named
}

/** Finds a thread in a channel that the bot can see. */
async function visibleThread(context: OperationContext, id: string, field: Field = 'threadID') {
  const thread = await context.rows.thread(id)
  if (thread === null) throw notFound(field)
  await visibleChannel(context, thread.channelID, field)
  return thread
}

/** Deletes an object of the bot. Throws `not_owner` if another bot created it, and `not_found` if it was deleted meanwhile. */
async function remove(
  { rows, bot }: OperationContext,
  field: Field,
  ownerID: string,
  work: (rows: Rows) => Promise<boolean>,
): Promise<void> {
  if (ownerID !== bot.botID) throw new ApiError('not_owner', sentences.notOwner)
  if (!(await work(rows))) throw notFound(field)
}

/** Checks the total number of people in both lists of a body. The schema checks each list alone. */
export function checkPeople(body: object): Detail[] {
  const { userIDs, emails }: { userIDs?: unknown; emails?: unknown } = body
  const actual = (Array.isArray(userIDs) ? userIDs.length : 0) + (Array.isArray(emails) ? emails.length : 0)
  if (actual <= limits.people) return []
  const sentence = (name: string): string => say.tooManyPeople(name, limits.people, actual)
  return [detail(['userIDs'], 'too_long', sentence, { limit: limits.people, actual })]
}

/** Returns the ids of the people that a request names. Throws `user_not_found`, with a detail for each unknown person. */
async function resolvePeople(rows: Rows, { userIDs = [], emails = [] }: People): Promise<Set<string>> {
  if (userIDs.length + emails.length === 0) return new Set()
  const emailKeys = emails.map(emailKey)
  const found = await rows.usersBy(userIDs, emailKeys)
  const ids = new Set(found.map((user) => user.id))
  const keys = new Set(found.map((user) => user.emailKey))
  const unknown = [
    ...problems('userIDs', userIDs, (id) => ids.has(id)),
    ...problems('emails', emails, (_, index) => keys.has(emailKeys[index] ?? '')),
  ]
  if (unknown.length > 0) throw new ApiError('user_not_found', sentences.unknownUsers, { details: unknown })
  return ids
}

function problems(
  field: string,
  given: readonly string[],
  isKnown: (value: string, index: number) => boolean,
): Detail[] {
  return given.flatMap((value, index) =>
    isKnown(value, index) ? [] : [detail([field, index], 'user_not_found', say.unknownUser)],
  )
}

/** Returns the key by which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
