/** Does the work of each endpoint. If an endpoint of the contract has no operation, this file does not compile. */

import { ApiError, type Detail } from '../contract/errors.js'
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
import type { Identity, Page, Rows } from '../store/store.js'
import { type FileReference, filesShown } from './message.js'
import { createSecret, shareTokenOf } from './share-token.js'
import type { ReceivedFile } from './types.js'

/** A bot's request, with the rows that the operation reads and writes. */
export interface OperationContext {
  readonly rows: Rows
  readonly bot: Identity
  /** The start of the URLs of pages. */
  readonly siteUrl: string
  readonly now: Date
  /** The files that the message of the request names. */
  readonly files: readonly FileReference[]
}

/** The input of an operation: the part of a list, the file of an upload, or the body. */
type InputOf<Name extends EndpointName> = Name extends 'channels' | 'users'
  ? Page
  : Name extends 'upload'
    ? ReceivedFile
    : BodyOf<Name>

type Operation<Name extends EndpointName> = (context: OperationContext, input: InputOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  async channels({ rows, bot }, page) {
    const channels = await rows.channels(bot.botID, page)
    return channels.map(({ id, name, description, isPrivate, memberIDs }) => ({
      ...{ channelID: id, name, description },
      ...{ privacy: isPrivate ? 'private' : 'public', memberIDs: [...memberIDs] },
    }))
  },

  async createChannel(context, { description = '', privacy = 'public', ...body }) {
    const channelFields = await newGroupFields(context, body)
    const channelID = await context.rows.addChannel({ ...channelFields, description, isPrivate: privacy === 'private' })
    return { channelID, channelURL: `${context.siteUrl}/${channelID}` }
  },

  async addChannelMembers({ rows, bot }, { channelID, ...people }) {
    const { id } = mustExist(await rows.channel(channelID, bot.botID), 'channelID')
    const members = await resolvePeople(rows, people)
    await rows.addChannelMembers(id, [...members])
  },

  async deleteChannel(context, { channelID }) {
    const { id, creatorID } = mustExist(await context.rows.channel(channelID, context.bot.botID), 'channelID')
    await remove(context, 'channelID', creatorID, (rows) => rows.removeChannel(id))
  },

  async postThread(context, { blocks, ...target }) {
    const { rows, bot, now, siteUrl } = context
    const channel = await targetChannel(context, target)
    const files = await filesShown(context)
    const shareToken = createSecret()
    const thread = { channelID: channel.id, authorID: bot.botID, blocks, shareToken, createdAt: now }
    const threadID = await rows.addThread(thread)
    await rows.showFiles({ channelID: channel.id, threadID }, files)
    return { threadID, threadURL: `${siteUrl}/${threadID}?s=${shareTokenOf(bot.organization, shareToken)}` }
  },

  async deleteThread(context, { threadID }) {
    const { id, authorID } = mustExist(await context.rows.thread(threadID, context.bot.botID), 'threadID')
    await remove(context, 'threadID', authorID, (rows) => rows.removeThread(id))
  },

  async postComment(context, { threadID, parentID = threadID, blocks }) {
    const { rows, bot, now, siteUrl } = context
    const thread = mustExist(await rows.thread(threadID, bot.botID), 'threadID')
    // The parent is the thread or one of its comments. The lock keeps a comment from being deleted before the reply is stored.
    const parent = parentID === thread.id ? null : await rows.comment(parentID, 'share')
    const isParentValid = parentID === thread.id || parent?.threadID === thread.id
    const files = await filesShown(
      context,
      isParentValid ? [] : [detail(['parentID'], 'not_in_thread', say.notInThread)],
    )
    const target = { threadID: thread.id, parentID: parent?.id ?? null }
    const commentID = await rows.addComment({ ...target, authorID: bot.botID, blocks, createdAt: now })
    await rows.showFiles({ channelID: thread.channelID, threadID: thread.id, commentID }, files)
    return { commentID, commentURL: `${siteUrl}/${commentID}?s=${shareTokenOf(bot.organization, thread.shareToken)}` }
  },

  async deleteComment(context, { commentID }) {
    // The lock prevents new replies until the comment is deleted.
    const comment = mustExist(await context.rows.comment(commentID, 'remove'), 'commentID')
    mustExist(await context.rows.thread(comment.threadID, context.bot.botID), 'commentID')
    await remove(context, 'commentID', comment.authorID, (rows) => rows.removeComment(comment.id))
  },

  async createChat(context, body) {
    const chatFields = await newGroupFields(context, body)
    const chatID = await context.rows.addChat({ ...chatFields, createdAt: context.now })
    return { chatID, chatURL: `${context.siteUrl}/${chatID}` }
  },

  async deleteChat(context, { chatID }) {
    const { id, creatorID } = mustExist(await context.rows.chat(chatID, context.bot.botID), 'chatID')
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
    const message = mustExist(await context.rows.message(messageID), 'messageID')
    mustExist(await context.rows.chat(message.chatID, context.bot.botID), 'messageID')
    await remove(context, 'messageID', message.authorID, (rows) => rows.removeMessage(message.id))
  },

  async users({ rows }, page) {
    const users = await rows.users(page)
    return users.map(({ id, name, email }) => ({ userID: id, name, email }))
  },

  async ping({ bot }) {
    return { name: bot.botName, organization: bot.organizationName }
  },

  async upload({ rows, bot, now }, { hash, size, mediaType, name, width, height }) {
    const file = { hash, size, mediaType, name, width, height, uploaderID: bot.botID, createdAt: now }
    return { fileID: await rows.addFile(file) }
  },
}

/** Returns the fields that new channels and chats have in common. The bot is their creator and a member. */
async function newGroupFields({ rows, bot }: OperationContext, { name, ...people }: BodyOf<'createChat'>) {
  const members = await resolvePeople(rows, people)
  return { name, nameKey: nameKey(name), creatorID: bot.botID, memberIDs: [...members.add(bot.botID)] }
}

/**
 * Returns an object that the store has found. Throws `not_found` for null: the object does not exist, or the bot cannot
 * see it. `field` is the field of the request that names the object.
 */
function mustExist<Row>(row: Row | null, field: string): Row {
  if (row === null) throw new ApiError('not_found', say.unknown(`\`${field}\``))
  return row
}

/** Finds a channel by id, by name, or by both if they agree. */
async function targetChannel({ rows, bot }: OperationContext, { channel, channelID }: ChannelTarget) {
  if (channelID === undefined) return mustExist(await rows.channelNamed(nameKey(channel ?? ''), bot.botID), 'channel')
  return checkName(mustExist(await rows.channel(channelID, bot.botID), 'channelID'), 'channel', channel)
}

/** Finds a chat by id, by name if only one chat has the name, or by both if they agree. */
async function targetChat({ rows, bot }: OperationContext, { chat, chatID }: ChatTarget) {
  if (chatID !== undefined) return checkName(mustExist(await rows.chat(chatID, bot.botID), 'chatID'), 'chat', chat)
  const [named = null, another] = await rows.chatsNamed(nameKey(chat ?? ''), bot.botID)
  if (another !== undefined) throw new ApiError('ambiguous_name', sentences.ambiguousChat)
  return mustExist(named, 'chat')
}

/** Returns an object that was found by its id. Throws `target_mismatch` if the request also has another object's name. */
function checkName<Row extends { readonly name: string }>(row: Row, field: string, name: string | undefined): Row {
  if (name === undefined || nameKey(name) === nameKey(row.name)) return row
  throw new ApiError('target_mismatch', sentences.twoTargets(field))
}

/** Deletes an object of the bot. Throws `not_owner` if another bot created it, and `not_found` if it was deleted meanwhile. */
async function remove(
  { rows, bot }: OperationContext,
  field: string,
  ownerID: string,
  work: (rows: Rows) => Promise<boolean>,
): Promise<void> {
  if (ownerID !== bot.botID) throw new ApiError('not_owner', sentences.notOwner)
  if (!(await work(rows))) throw new ApiError('not_found', say.unknown(`\`${field}\``))
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
  const users = await rows.usersBy(userIDs, emailKeys)
  const ids = new Set(users.map((user) => user.id))
  const keys = new Set(users.map((user) => user.emailKey))
  const details = [...unknownPeople('userIDs', userIDs, ids), ...unknownPeople('emails', emailKeys, keys)]
  if (details.length > 0) throw new ApiError('user_not_found', sentences.unknownUsers, { details })
  return ids
}

function unknownPeople(field: string, values: readonly string[], knownValues: ReadonlySet<string>): Detail[] {
  return values.flatMap((value, index) =>
    knownValues.has(value) ? [] : [detail([field, index], 'user_not_found', say.unknownUser)],
  )
}

/** Returns the key by which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
