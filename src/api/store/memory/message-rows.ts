/** Threads, comments and chat messages in memory; what is removed takes along what hangs on it. */

import { type From, type Rows, StoreError } from '../store.js'
import { listed, numbered, type Transaction } from './transaction.js'

type ThreadCalls = 'thread' | 'threads' | 'commentCounts' | 'addThread' | 'removeThread'

export function threadRows(transaction: Transaction): Pick<Rows, ThreadCalls> {
  const { tables, journal, enter } = transaction
  return {
    async thread(id) {
      await enter()
      return tables.threads.get(id) ?? null
    },
    async threads(channelID, from, count) {
      await enter()
      const own = tables.threads.all().filter((thread) => thread.channelID === channelID)
      return nearest(listed(own, { after: null, count: null }), from, count)
    },
    async commentCounts(ids, most) {
      await enter()
      const countOf = (id: string): number => tables.comments.all().filter(({ threadID }) => threadID === id).length
      return new Map(ids.map((id) => [id, Math.min(most, countOf(id))]))
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

/** Of rows in their order, the nearest `count` from a row on; without one the newest. */
function nearest<Row extends { readonly id: string }>(rows: Row[], from: From | null, count: number): Row[] {
  if (from?.towards === 'newer') return rows.filter((row) => isAtOrAfter(row.id, from.id)).slice(0, count)
  const found = rows.filter((row) => from === null || isAtOrAfter(from.id, row.id))
  return found.reverse().slice(0, count)
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
    async comments(threadID, from, count) {
      await enter()
      const own = comments.all().filter((comment) => comment.threadID === threadID)
      return nearest(listed(own, { after: null, count: null }), from, count).map((comment) => ({
        ...comment,
        parentAuthorID: comments.get(comment.parentID ?? '')?.authorID ?? null,
      }))
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
    async messages(chatID, from, count) {
      await enter()
      const own = messages.all().filter((message) => message.chatID === chatID.toLowerCase())
      return nearest(
        own.sort((one, other) => (one.id < other.id ? -1 : 1)),
        from,
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
