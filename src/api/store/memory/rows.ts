/** The rows of one organization in memory: see `store.ts`. Removing a row also removes the rows that refer to it. */

import { KEPT_MILLISECONDS } from '../../contract/types.js'
import { uuids } from '../../rules/uuid.js'
import { type ChannelRow, type Page, type Rows, StoreError } from '../store.js'
import { keyOf, nextID, type Showing, type StoredChannel, type Tables, type Transaction } from './tables.js'

/** The calls of a transaction that has started. */
type Calls = {
  readonly [Name in Exclude<keyof Rows, 'claimKey'>]: Rows[Name] extends (
    ...values: infer Values
  ) => Promise<infer Result>
    ? (transaction: Transaction, ...values: Values) => Result
    : never
}

const calls: Calls = {
  keepResponse: ({ tables }, scope, kept) => tables.answers.put(keyOf(scope), kept),

  users: ({ tables }, page) => listed(tables.users.all(), page),
  usersBy: ({ tables }, ids, emailKeys) =>
    tables.users.all().filter(({ id, emailKey }) => ids.includes(id) || emailKeys.includes(emailKey)),

  channels({ tables }, viewerID, page) {
    const visible = tables.channels.all().flatMap((channel) => {
      const isMember = channel.memberIDs.has(viewerID)
      const memberIDs = [...channel.memberIDs].sort((one, other) => Number(one) - Number(other))
      return channel.isPrivate && !isMember ? [] : [{ ...channel, isMember, memberIDs }]
    })
    return listed(visible, page)
  },
  channel: ({ tables }, id, viewerID) => seenBy(tables.channels.get(id), viewerID),
  channelNamed: ({ tables }, nameKey, viewerID) =>
    seenBy(
      tables.channels.all().find((channel) => channel.nameKey === nameKey),
      viewerID,
    ),
  addChannel({ directory, tables: { channels } }, channel) {
    if (channels.all().some(({ nameKey }) => nameKey === channel.nameKey)) throw new StoreError('taken')
    const id = nextID(directory)
    return channels.put(id, { ...channel, id, memberIDs: new Set() })
  },
  addChannelMembers({ tables: { channels } }, id, userIDs) {
    const channel = channels.get(id)
    if (channel === undefined) throw new StoreError('gone')
    channels.put(id, { ...channel, memberIDs: new Set([...channel.memberIDs, ...userIDs]) })
  },
  removeChannel(transaction, id) {
    const { threads, channels } = transaction.tables
    for (const thread of threads.all()) if (thread.channelID === id) calls.removeThread(transaction, thread.id)
    return channels.remove(id)
  },

  thread: ({ tables }, id) => tables.threads.get(id) ?? null,
  addThread({ directory, tables }, thread) {
    if (tables.channels.get(thread.channelID) === undefined) throw new StoreError('gone')
    const id = nextID(directory)
    return tables.threads.put(id, { ...thread, id })
  },
  removeThread(transaction, id) {
    const { comments, threads } = transaction.tables
    for (const comment of comments.all()) {
      if (comment.threadID !== id) continue
      removeShowings(transaction, comment.id)
      comments.remove(comment.id)
    }
    removeShowings(transaction, id)
    return threads.remove(id)
  },

  // Only one transaction runs at a time, so no lock is needed.
  comment({ tables }, id) {
    const comment = tables.comments.get(id)
    return comment === undefined ? null : { ...comment, isDeleted: comment.blocks === null }
  },
  addComment({ directory, tables }, comment) {
    if (tables.threads.get(comment.threadID) === undefined) throw new StoreError('gone')
    const id = nextID(directory)
    return tables.comments.put(id, { ...comment, id })
  },
  removeComment(transaction, id) {
    const { comments } = transaction.tables
    const comment = comments.get(id)
    removeShowings(transaction, id)
    const hasReplies = comments.all().some(({ parentID }) => parentID === id)
    if (comment === undefined || !hasReplies) return comments.remove(id)
    comments.put(id, { ...comment, blocks: null })
    return true
  },

  chat({ tables }, id, viewerID) {
    const chat = tables.chats.get(id.toLowerCase())
    return chat?.memberIDs.has(viewerID) === true ? chat : null
  },
  chatsNamed: ({ tables }, nameKey, viewerID) =>
    tables.chats.all().filter((chat) => chat.nameKey === nameKey && chat.memberIDs.has(viewerID)),
  addChat({ tables }, { createdAt, ...chat }) {
    const id = uuids.at(createdAt)
    return tables.chats.put(id, { ...chat, id, memberIDs: new Set() })
  },
  addChatMembers({ tables: { chats } }, id, userIDs) {
    const chat = chats.get(id)
    if (chat === undefined) throw new StoreError('gone')
    chats.put(id, { ...chat, memberIDs: new Set([...chat.memberIDs, ...userIDs]) })
  },
  removeChat(transaction, given) {
    const id = given.toLowerCase()
    const { messages, chats } = transaction.tables
    for (const message of messages.all()) if (message.chatID === id) calls.removeMessage(transaction, message.id)
    return chats.remove(id)
  },

  message: ({ tables }, id) => tables.messages.get(id.toLowerCase()) ?? null,
  addMessage({ tables }, message) {
    if (tables.chats.get(message.chatID) === undefined) throw new StoreError('gone')
    const id = uuids.at(message.createdAt)
    return tables.messages.put(id, { ...message, id })
  },
  removeMessage(transaction, given) {
    const id = given.toLowerCase()
    removeShowings(transaction, id)
    return transaction.tables.messages.remove(id)
  },

  files: ({ tables }, ids) => tables.files.all().filter(({ id }) => ids.includes(id)),
  // File data in memory is never removed.
  holdContent: () => undefined,
  addFile({ directory, tables }, file) {
    const id = nextID(directory)
    return tables.files.put(id, { ...file, id })
  },
  filesSeen({ tables }, ids, viewerID) {
    const seen = tables.showings
      .all()
      .filter((showing) => ids.includes(showing.fileID) && isSeen(tables, showing, viewerID))
    return [...new Set(seen.map(({ fileID }) => fileID))]
  },
  showFiles({ tables }, given, fileIDs) {
    const place = 'messageID' in given ? given.messageID : (given.commentID ?? given.threadID)
    const room = 'chatID' in given ? given.chatID : given.channelID
    for (const fileID of fileIDs) tables.showings.put(`${place} ${fileID}`, { fileID, place, room })
  },
}

/** Binds the calls to a transaction. Each waits until the transaction may start; only an idempotency key is held before. */
export function rowsOf(transaction: Transaction): Rows {
  const { hold, enter, tables } = transaction
  const waiting = Object.entries(calls).map(([name, call]: [string, (...values: never[]) => unknown]) => [
    name,
    (...values: never[]) => enter().then(() => call(...([transaction, ...values] as never[]))),
  ])
  // Each entry has the parameters of its call and returns a promise of the call's result.
  const rows = Object.fromEntries(waiting) as Omit<Rows, 'claimKey'>
  return {
    ...rows,
    async claimKey(scope, now) {
      const key = hold(scope)
      if (key === null) return 'busy'
      await enter()
      const kept = tables.answers.get(key)
      return kept !== undefined && now.getTime() - kept.createdAt.getTime() < KEPT_MILLISECONDS ? kept : null
    },
  }
}

/** Sorts rows by their numeric ids and returns the given part. */
function listed<Row extends { readonly id: string }>(rows: readonly Row[], { after, count }: Page): Row[] {
  const first = Number(after ?? 0)
  const found = rows.filter(({ id }) => Number(id) > first).sort((one, other) => Number(one.id) - Number(other.id))
  return count === null ? found : found.slice(0, count)
}

function seenBy(channel: StoredChannel | undefined, viewerID: string): ChannelRow | null {
  return channel === undefined ? null : { ...channel, isMember: channel.memberIDs.has(viewerID) }
}

function removeShowings({ tables: { showings } }: Transaction, place: string): void {
  for (const showing of showings.all()) {
    if (showing.place === place) showings.remove(`${place} ${showing.fileID}`)
  }
}

function isSeen({ chats, channels }: Tables, { room }: Showing, viewerID: string): boolean {
  const channel = channels.get(room)
  if (channel === undefined) return chats.get(room)?.memberIDs.has(viewerID) === true
  return !channel.isPrivate || channel.memberIDs.has(viewerID)
}
