/** Files in memory: what was uploaded, and which message shows it. */

import type { FileCalls, Rows, ShownFile } from '../store.js'
import type { Showing, Tables } from './tables.js'
import { numbered, type Transaction } from './transaction.js'

export function fileRows(transaction: Transaction): Pick<Rows, FileCalls> {
  const { tables, journal, enter } = transaction
  const { files, showings } = tables
  return {
    async files(ids) {
      await enter()
      return files.all().filter(({ id }) => ids.includes(id))
    },
    // Nobody removes contents from memory.
    holdContent: async () => undefined,
    async addFile(file) {
      await enter()
      const id = numbered(transaction, 'file')
      files.put(journal, id, { ...file, id })
      return id
    },
    async filesSeen(ids, viewerID) {
      await enter()
      return shownWhere(tables, ids, (showing) => isSeen(tables, showing, viewerID))
    },
    async filesShared(ids, shareToken) {
      await enter()
      return shownWhere(tables, ids, (showing) => {
        const threadID = threadOf(tables, showing)
        return threadID !== null && tables.threads.get(threadID)?.shareToken === shareToken
      })
    },
    async showFiles(given, fileIDs) {
      await enter()
      const [place, kind]: [string, Showing['kind']] =
        'threadID' in given
          ? [given.threadID, 'thread']
          : 'commentID' in given
            ? [given.commentID, 'comment']
            : [given.messageID, 'message']
      for (const fileID of fileIDs) showings.put(journal, `${place} ${fileID}`, { fileID, place, kind })
    },
    async filesOfThread(threadID, commentIDs) {
      await enter()
      return shownFiles(tables, ({ place, kind }) => kind !== 'message' && [threadID, ...commentIDs].includes(place))
    },
    async filesOfMessages(ids) {
      await enter()
      return shownFiles(tables, ({ place, kind }) => kind === 'message' && ids.includes(place))
    },
  }
}

function shownWhere({ showings }: Tables, ids: readonly string[], isMeant: (showing: Showing) => boolean): string[] {
  const found = showings.all().filter((showing) => ids.includes(showing.fileID) && isMeant(showing))
  return [...new Set(found.map(({ fileID }) => fileID))]
}

function shownFiles({ files, showings }: Tables, isMeant: (showing: Showing) => boolean): ShownFile[] {
  return showings.all().flatMap((showing) => {
    const file = isMeant(showing) ? files.get(showing.fileID) : undefined
    return file === undefined ? [] : [{ ...file, place: showing.place }]
  })
}

/** The thread that a message is in; null where it is a chat's. */
function threadOf({ comments }: Tables, { kind, place }: Showing): string | null {
  if (kind === 'thread') return place
  return kind === 'comment' ? (comments.get(place)?.threadID ?? null) : null
}

function isSeen(tables: Tables, showing: Showing, viewerID: string): boolean {
  if (showing.kind === 'message') {
    const chatID = tables.messages.get(showing.place)?.chatID ?? ''
    return tables.chats.get(chatID)?.memberIDs.has(viewerID) === true
  }
  const channelID = tables.threads.get(threadOf(tables, showing) ?? '')?.channelID ?? ''
  const channel = tables.channels.get(channelID)
  return channel !== undefined && (!channel.isPrivate || channel.memberIDs.has(viewerID))
}
