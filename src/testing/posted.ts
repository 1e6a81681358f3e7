/** The posts in a service in memory, as trees and as text. */

import type { Tables } from '../api/store/memory.js'
import { parse, type Root, toText } from '../index.js'

/** The fields of every post. */
export interface Posted {
  /** The message as one tree, without positions. */
  tree: Root
  /** The message as plain text. */
  text: string
  /** The author's name. */
  author: string
  authorID: string
  createdAt: Date
}

export interface PostedThread extends Posted {
  threadID: string
  /** The name of the channel. */
  channel: string
  channelID: string
  /** The blocks as they were sent. */
  blocks: readonly string[]
  /** The comments, oldest first. */
  comments: PostedComment[]
}

export interface PostedComment extends Posted {
  commentID: string
  threadID: string
  /** The comment or thread to which this one replies. */
  parentID: string
  blocks: readonly string[]
}

export interface PostedMessage extends Posted {
  chatMessageID: string
  /** The name of the chat. */
  chat: string
  chatID: string
  body: string
}

export interface UploadedFile {
  fileID: string
  name: string
  mediaType: string
  size: number
}

export interface TestChat {
  chatID: string
  name: string
  memberIDs: string[]
}

function fieldsOf(tables: Tables, source: readonly string[], authorID: string, createdAt: Date): Posted {
  return {
    tree: { type: 'root', children: source.flatMap((block) => parse(block, { position: false }).children) },
    text: toText(source),
    ...{ author: tables.users.get(authorID)?.name ?? authorID, authorID, createdAt },
  }
}

/** Returns the threads, oldest first. */
export function threadsOf(tables: Tables): PostedThread[] {
  const comments = commentsOf(tables)
  return [...tables.threads.values()].map(({ id, channelID, authorID, blocks, createdAt }) => ({
    ...{ threadID: id, channelID, channel: tables.channels.get(channelID)?.name ?? '', blocks },
    ...fieldsOf(tables, blocks, authorID, createdAt),
    comments: comments.filter((comment) => comment.threadID === id),
  }))
}

/** Returns the comments, oldest first. */
export function commentsOf(tables: Tables): PostedComment[] {
  return [...tables.comments.values()].flatMap(({ id, threadID, parentID, authorID, blocks, createdAt }) => {
    if (blocks === null) return []
    const fields = { commentID: id, threadID, parentID: parentID ?? threadID, blocks }
    return [{ ...fields, ...fieldsOf(tables, blocks, authorID, createdAt) }]
  })
}

/** Returns the chat messages, oldest first. */
export function messagesOf(tables: Tables): PostedMessage[] {
  return [...tables.messages.values()].map(({ id, chatID, authorID, body, createdAt }) => ({
    ...{ chatMessageID: id, chatID, chat: tables.chats.get(chatID)?.name ?? '', body },
    ...fieldsOf(tables, [body], authorID, createdAt),
  }))
}

export function chatsOf(tables: Tables): TestChat[] {
  const chats = [...tables.chats.values()]
  return chats.map(({ id, name, memberIDs }) => ({ chatID: id, name, memberIDs: [...memberIDs] }))
}

export function filesOf(tables: Tables): UploadedFile[] {
  return [...tables.files.values()].map(({ id, name, mediaType, size }) => ({ fileID: id, name, mediaType, size }))
}
