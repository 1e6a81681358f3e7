/** What each endpoint does. A new one is a line here and in the contract, or does not compile. */

import type { BodyOf, EndpointName, ResultOf } from '../../contract/types.js'
import type { Identity, Page, Rows } from '../../store/store.js'
import type { ReceivedFile } from '../options.js'
import { addChannelMembers, channels, createChannel, deleteChannel } from './channels.js'
import { createChat, deleteChat, deleteChatMessage, postChatMessage } from './chats.js'
import { ping, upload, users } from './organization.js'
import { deleteComment, deleteThread, postComment, postThread } from './threads.js'

/** What an operation works with: one bot's request, inside one transaction. */
export interface Context {
  readonly rows: Rows
  readonly bot: Identity
  /** Where the site is. */
  readonly site: string
  readonly now: Date
  /** The part of a list that is asked for. */
  readonly page: Page
  readonly received: ReceivedFile | null
}

export type Operation<Name extends EndpointName> = (context: Context, body: BodyOf<Name>) => Promise<ResultOf<Name>>

export const operations: { readonly [Name in EndpointName]: Operation<Name> } = {
  channels,
  createChannel,
  addChannelMembers,
  deleteChannel,
  postThread,
  deleteThread,
  postComment,
  deleteComment,
  postChatMessage,
  deleteChatMessage,
  createChat,
  deleteChat,
  users,
  ping,
  upload,
}
