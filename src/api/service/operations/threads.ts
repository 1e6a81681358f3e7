/** Threads and their comments. */

import { randomBytes } from 'node:crypto'
import { notFound } from '../../contract/errors.js'
import { detail } from '../../contract/schema.js'
import { fieldSentences as say } from '../../contract/sentences.js'
import type { BodyOf, ResultOf } from '../../contract/types.js'
import { filesShown } from '../message.js'
import { shareTokenOf } from '../share-token.js'
import type { Context } from './context.js'
import { mustOwn, targetChannel, visibleComment, visibleThread } from './targets.js'

/** Enough bytes to make the share link of a thread impossible to guess. */
const SHARE_TOKEN_BYTES = 16

export async function postThread(
  context: Context,
  { blocks, ...target }: BodyOf<'postThread'>,
): Promise<ResultOf<'postThread'>> {
  const { rows, bot, now, site } = context
  const channel = await targetChannel(context, target)
  const files = await filesShown(context)
  const shareToken = randomBytes(SHARE_TOKEN_BYTES).toString('base64url')
  const threadID = await rows.addThread({
    ...{ channelID: channel.id, authorID: bot.botID },
    ...{ blocks, shareToken, createdAt: now },
  })
  if (files.length > 0) await rows.showFiles({ threadID }, files)
  return { threadID, threadURL: `${site}/${threadID}?s=${shareTokenOf(bot.organization, shareToken)}` }
}

export async function deleteThread(context: Context, { threadID }: BodyOf<'deleteThread'>): Promise<undefined> {
  const thread = await visibleThread(context, threadID)
  mustOwn(context, thread.authorID)
  if (!(await context.rows.removeThread(thread.id))) throw notFound('threadID')
}

/** The parent is the thread, or one of its comments, which exists until the reply is stored. */
const notInThread = detail(['parentID'], 'not_in_thread', say.noParent)

export async function postComment(
  context: Context,
  { threadID, parentID = threadID, blocks }: BodyOf<'postComment'>,
): Promise<ResultOf<'postComment'>> {
  const { rows, bot, now, site } = context
  const thread = await visibleThread(context, threadID)
  const parent = parentID === thread.id ? null : await rows.comment(parentID, 'share')
  const isAnswerable = parentID === thread.id || (parent?.threadID === thread.id && !parent.isDeleted)
  const files = await filesShown(context, isAnswerable ? [] : [notInThread])
  const commentID = await rows.addComment({
    ...{ threadID: thread.id, parentID: parent?.id ?? null, authorID: bot.botID },
    ...{ blocks, createdAt: now },
  })
  if (files.length > 0) await rows.showFiles({ commentID }, files)
  return { commentID, commentURL: `${site}/${commentID}?s=${shareTokenOf(bot.organization, thread.shareToken)}` }
}

export async function deleteComment(context: Context, { commentID }: BodyOf<'deleteComment'>): Promise<undefined> {
  const comment = await visibleComment(context, commentID)
  mustOwn(context, comment.authorID)
  const { rows } = context
  if (await rows.hasReplies(comment.id)) return rows.emptyComment(comment.id).then(() => undefined)
  await rows.removeComment(comment.id)
}
