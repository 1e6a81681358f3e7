/** The targets of requests, by id or name, as far as the bot can see them. */

import { ApiError, notFound } from '../../contract/errors.js'
import { nameKey } from '../../contract/schema.js'
import { sentences } from '../../contract/sentences.js'
import type { ChannelTarget, ChatTarget } from '../../contract/types.js'
import type { ChannelRow, ChatRow, CommentRow, Head, ThreadRow } from '../../store/store.js'
import type { OperationContext } from '../types.js'

/** Finds a channel that the bot can see: a public one, or one that it is a member of. */
export async function visibleChannel({ rows, bot }: OperationContext, id: string): Promise<ChannelRow> {
  return visible(await rows.channel(id, bot.botID), 'channelID')
}

/** Finds a channel by id, by name, or by both if they agree. */
export async function targetChannel(
  context: OperationContext,
  { channel, channelID }: ChannelTarget,
): Promise<ChannelRow> {
  if (channelID === undefined) {
    return visible(await context.rows.channelNamed(nameKey(channel ?? ''), context.bot.botID), 'channel')
  }
  const found = await visibleChannel(context, channelID)
  if (channel !== undefined && nameKey(channel) !== nameKey(found.name)) throw mismatch('channel')
  return found
}

function visible(channel: ChannelRow | null, field: 'channel' | 'channelID' | 'threadID' | 'commentID'): ChannelRow {
  if (channel === null || (channel.isPrivate && !channel.isMember)) throw notFound(field)
  return channel
}

/** Finds a chat that the bot is a member of. */
export async function visibleChat(
  { rows, bot }: OperationContext,
  id: string,
  field: 'chatID' | 'messageID' = 'chatID',
): Promise<ChatRow> {
  const found = await rows.chat(id, bot.botID)
  if (found === null) throw notFound(field)
  return found
}

/** Finds a chat by id, by name if only one chat has the name, or by both if they agree. */
export async function targetChat(context: OperationContext, { chat, chatID }: ChatTarget): Promise<ChatRow> {
  if (chatID !== undefined) {
    const found = await visibleChat(context, chatID)
    if (chat !== undefined && nameKey(chat) !== nameKey(found.name)) throw mismatch('chat')
    return found
  }
  const [found, another] = await context.rows.chatsNamed(nameKey(chat ?? ''), context.bot.botID)
  if (found === undefined) throw notFound('chat')
  if (another !== undefined) throw new ApiError('ambiguous_name', sentences.ambiguousChat)
  return found
}

function mismatch(field: 'channel' | 'chat'): ApiError {
  return new ApiError('target_mismatch', sentences.twoTargets(field))
}

/** Finds a thread in a channel that the bot can see. */
export async function visibleThread(
  context: OperationContext,
  id: string,
  field: 'threadID' | 'commentID' = 'threadID',
): Promise<Head<ThreadRow>> {
  const thread = await context.rows.thread(id)
  if (thread === null) throw notFound(field)
  visible(await context.rows.channel(thread.channelID, context.bot.botID), field)
  return thread
}

/** Finds a comment on a thread that the bot can see, and locks it, so that it gets no replies while it is deleted. */
export async function visibleComment(context: OperationContext, id: string): Promise<Head<CommentRow>> {
  const comment = await context.rows.comment(id, 'remove')
  if (comment === null || comment.isDeleted) throw notFound('commentID')
  await visibleThread(context, comment.threadID, 'commentID')
  return comment
}

/** Throws `not_owner` unless the bot created the object. */
export function mustOwn({ bot }: OperationContext, ownerID: string): void {
  if (ownerID !== bot.botID) throw new ApiError('not_owner', sentences.notOwner)
}
