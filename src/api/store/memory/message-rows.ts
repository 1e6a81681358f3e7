/** Threads, comments and chat messages in memory; what is removed takes along what hangs on it. */

import { type Rows, StoreError } from '../store.js'
import { listed, numbered, type Transaction } from './transaction.js'

export function threadRows(transaction: Transaction): Pick<Rows, 'thread' | 'threads' | 'addThread' | 'removeThread'> {
  const { tables, journal, enter } = transaction
  return {
    async thread(id) {
      await enter()
      return tables.threads.get(id) ?? null
    },
    async threads(channelID, before, count) {
      await enter()
      const own = tables.threads.all().filter((thread) => thread.channelID === channelID)
      return latest(listed(own, { after: null, count: null }), before, count)
    },
    async addThread(thread) {
      await enter()
      if (tables.channels.get(thread.channelID) === undefined) throw new StoreError('gone')
      const id = numbered(transaction, 'thread')
      tables.threads.put(journal, id, { ...thread, id })
      return id
    },
    async removeThread(id) {
      await enter()
      return removeThread(transaction, id)
    },
  }
}

/** The last `count` before an id, the newest first. */
function latest<Row extends { readonly id: string }>(rows: Row[], before: string | null, count: number): Row[] {
  const end = before === null ? -1 : rows.findIndex((row) => isAtOrAfter(row.id, before))
  return (end === -1 ? rows : rows.slice(0, end)).reverse().slice(0, count)
}

/** Numbers by their value, UUIDs by their letters. */
function isAtOrAfter(id: string, other: string): boolean {
  return /^\d+$/.test(id) ? Number(id) >= Number(other) : id >= other
}

/**
 * Removes a thread with its comments and what they show.
 *
 * @param transaction - the transaction
 * @param id - the thread
 * @returns whether it was there
 */
export function removeThread(transaction: Transaction, id: string): boolean {
  const { directory, tables, journal } = transaction
  for (const comment of tables.comments.all()) if (comment.threadID === id) removeComment(transaction, comment.id)
  removeShowings(transaction, id)
  if (tables.threads.get(id) !== undefined) directory.locations.remove(journal, id)
  return tables.threads.remove(journal, id)
}

function removeComment(transaction: Transaction, id: string): boolean {
  const { directory, tables, journal } = transaction
  removeShowings(transaction, id)
  if (tables.comments.get(id) !== undefined) directory.locations.remove(journal, id)
  return tables.comments.remove(journal, id)
}

function removeShowings({ tables: { showings }, journal }: Transaction, place: string): void {
  for (const showing of showings.all()) {
    if (showing.place === place) showings.remove(journal, `${place} ${showing.fileID}`)
  }
}

type CommentCalls = 'comment' | 'comments' | 'hasReplies' | 'addComment' | 'emptyComment' | 'removeComment'

export function commentRows(transaction: Transaction): Pick<Rows, CommentCalls> {
  const { tables, journal, enter } = transaction
  const { comments } = tables
  return {
    // Nobody else is at work, which holds more than the locks that a caller may ask for.
    async comment(id) {
      await enter()
      return comments.get(id) ?? null
    },
    async comments(threadID) {
      await enter()
      const own = comments.all().filter((comment) => comment.threadID === threadID)
      return listed(own, { after: null, count: null })
    },
    async hasReplies(id) {
      await enter()
      return comments.all().some((comment) => comment.parentID === id)
    },
    async addComment(comment) {
      await enter()
      if (tables.threads.get(comment.threadID) === undefined) throw new StoreError('gone')
      const id = numbered(transaction, 'comment')
      comments.put(journal, id, { ...comment, id })
      return id
    },
    async emptyComment(id) {
      await enter()
      const comment = comments.get(id)
      removeShowings(transaction, id)
      if (comment !== undefined) comments.put(journal, id, { ...comment, blocks: null })
    },
    async removeComment(id) {
      await enter()
      return removeComment(transaction, id)
    },
  }
}

export function messageRows(
  transaction: Transaction,
): Pick<Rows, 'message' | 'messages' | 'addMessage' | 'removeMessage'> {
  const { tables, journal, enter } = transaction
  const { messages } = tables
  return {
    async message(id) {
      await enter()
      return messages.get(id.toLowerCase()) ?? null
    },
    async messages(chatID, before, count) {
      await enter()
      const own = messages.all().filter((message) => message.chatID === chatID.toLowerCase())
      return latest(
        own.sort((one, other) => (one.id < other.id ? -1 : 1)),
        before,
        count,
      )
    },
    async addMessage(message) {
      await enter()
      if (tables.chats.get(message.chatID) === undefined) throw new StoreError('gone')
      messages.put(journal, message.id, message)
    },
    async removeMessage(given) {
      await enter()
      const id = given.toLowerCase()
      removeShowings(transaction, id)
      return messages.remove(journal, id)
    },
  }
}
