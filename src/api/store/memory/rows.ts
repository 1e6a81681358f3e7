/** The rows of one organization in memory: see `store.ts` for what each call means. */

import { type Rows, StoreError } from '../store.js'
import { fileRows } from './file-rows.js'
import { commentRows, messageRows, removeThread, threadRows } from './message-rows.js'
import { keyOfHash, type StoredChannel } from './tables.js'
import { keyOf, listed, numbered, type Transaction } from './transaction.js'

/**
 * Binds the calls to a transaction.
 *
 * @param transaction - whose rows, and how to undo
 * @returns the rows
 */
export function rowsOf(transaction: Transaction): Rows {
  return {
    ...keyRows(transaction),
    ...sessionRows(transaction),
    ...userRows(transaction),
    ...channelRows(transaction),
    ...threadRows(transaction),
    ...commentRows(transaction),
    ...chatRows(transaction),
    ...messageRows(transaction),
    ...fileRows(transaction),
  }
}

function keyRows({ tables, journal, enter, hold }: Transaction): Pick<Rows, 'claimKey' | 'keepAnswer'> {
  return {
    async claimKey(scope) {
      const key = hold(scope)
      if (key === null) return 'busy'
      await enter()
      return tables.answers.get(key) ?? null
    },
    async keepAnswer(scope, kept) {
      await enter()
      tables.answers.put(journal, keyOf(scope), kept)
    },
  }
}

type SessionCalls = 'takeLink' | 'addSession' | 'session' | 'removeSession'

function sessionRows({ directory, tables, journal, enter }: Transaction): Pick<Rows, SessionCalls> {
  const { sessions, users } = tables
  return {
    // Links are made on the command line, for a database.
    takeLink: async () => null,
    async addSession(session) {
      await enter()
      sessions.put(journal, keyOfHash(session.hash), session)
    },
    async session(hash, now) {
      await enter()
      const session = sessions.get(keyOfHash(hash))
      const user = users.get(session?.userID ?? '')
      if (session === undefined || user === undefined || session.expiresAt <= now) return null
      if (session.keyHash !== null && !directory.keys.has(keyOfHash(session.keyHash))) return null
      return { userID: user.id, userName: user.name, organizationName: tables.name }
    },
    async removeSession(hash) {
      await enter()
      sessions.remove(journal, keyOfHash(hash))
    },
  }
}

function userRows({ tables: { users }, enter }: Transaction): Pick<Rows, 'users' | 'usersBy'> {
  return {
    async users(page) {
      await enter()
      return listed(users.all(), page)
    },
    async usersBy(ids, emailKeys) {
      await enter()
      return users.all().filter(({ id, emailKey }) => ids.includes(id) || emailKeys.includes(emailKey))
    },
  }
}

type ChannelCalls = 'channels' | 'channel' | 'channelNamed' | 'addChannel' | 'addChannelMembers' | 'removeChannel'

function channelRows(transaction: Transaction): Pick<Rows, ChannelCalls> {
  const { directory, tables, journal, enter } = transaction
  const { channels } = tables
  const seenBy = (channel: StoredChannel | undefined, viewerID: string): SeenChannel | null =>
    channel === undefined ? null : { ...channel, isMember: channel.memberIDs.has(viewerID) }
  return {
    async channels(viewerID, page) {
      await enter()
      const visible = channels.all().flatMap((channel) => {
        const isMember = channel.memberIDs.has(viewerID)
        const memberIDs = [...channel.memberIDs].sort((one, other) => Number(one) - Number(other))
        return channel.isPrivate && !isMember ? [] : [{ ...channel, isMember, memberIDs }]
      })
      return listed(visible, page)
    },
    async channel(id, viewerID) {
      await enter()
      return seenBy(channels.get(id), viewerID)
    },
    async channelNamed(nameKey, viewerID) {
      await enter()
      return seenBy(
        channels.all().find((channel) => channel.nameKey === nameKey),
        viewerID,
      )
    },
    async addChannel(channel) {
      await enter()
      if (channels.all().some(({ nameKey }) => nameKey === channel.nameKey)) throw new StoreError('taken')
      const id = numbered(transaction, 'channel')
      channels.put(journal, id, { ...channel, id, memberIDs: new Set() })
      return id
    },
    async addChannelMembers(id, userIDs) {
      await enter()
      const channel = channels.get(id)
      if (channel === undefined) throw new StoreError('gone')
      channels.put(journal, id, { ...channel, memberIDs: new Set([...channel.memberIDs, ...userIDs]) })
    },
    async removeChannel(id) {
      await enter()
      for (const thread of tables.threads.all()) if (thread.channelID === id) removeThread(transaction, thread.id)
      directory.locations.remove(journal, id)
      return channels.remove(journal, id)
    },
  }
}

type SeenChannel = StoredChannel & { readonly isMember: boolean }

type ChatCalls = 'chat' | 'chats' | 'chatsNamed' | 'addChat' | 'addChatMembers' | 'removeChat'

function chatRows({ directory, tables, journal, enter }: Transaction): Pick<Rows, ChatCalls> {
  const { chats, messages, showings } = tables
  return {
    async chat(id, viewerID) {
      await enter()
      const chat = chats.get(id.toLowerCase())
      return chat?.memberIDs.has(viewerID) === true ? chat : null
    },
    async chats(viewerID, count) {
      await enter()
      const own = chats.all().filter((chat) => chat.memberIDs.has(viewerID))
      return own.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, count)
    },
    async chatsNamed(nameKey, viewerID) {
      await enter()
      // Two are enough to know that a name is not one chat's alone.
      return chats
        .all()
        .filter((chat) => chat.nameKey === nameKey && chat.memberIDs.has(viewerID))
        .slice(0, 2)
    },
    async addChat(chat) {
      await enter()
      chats.put(journal, chat.id, { ...chat, memberIDs: new Set() })
      directory.locations.put(journal, chat.id, { organization: tables.organization, kind: 'chat' })
    },
    async addChatMembers(id, userIDs) {
      await enter()
      const chat = chats.get(id)
      if (chat === undefined) throw new StoreError('gone')
      chats.put(journal, id, { ...chat, memberIDs: new Set([...chat.memberIDs, ...userIDs]) })
    },
    async removeChat(given) {
      await enter()
      const id = given.toLowerCase()
      const own = messages.all().filter((message) => message.chatID === id)
      const places = new Set(own.map((message) => message.id))
      for (const place of places) messages.remove(journal, place)
      for (const showing of showings.all()) {
        if (places.has(showing.place)) showings.remove(journal, `${showing.place} ${showing.fileID}`)
      }
      directory.locations.remove(journal, id)
      return chats.remove(journal, id)
    },
  }
}
