/** The types of every endpoint's body and result, with the field names of the public API, and the limits of the fields. */

import { LIMITS } from '../../check/limits.js'

/** A channel in the list of channels. */
export interface Channel {
  channelID: string
  name: string
  description: string
  privacy: Privacy
  memberIDs: string[]
}

export type Privacy = 'public' | 'private'

/** A person or a bot of the organization. */
export interface User {
  userID: string
  name: string
  email: string
}

/** People by id, by e-mail address, or both. */
export interface People {
  userIDs?: readonly string[]
  emails?: readonly string[]
}

/** A channel by its name, by its id, or by both if they agree. */
export type ChannelTarget = { channel: string; channelID?: string } | { channel?: string; channelID: string }

/** A chat by its name, by its id, or by both if they agree. */
export type ChatTarget = { chat: string; chatID?: string } | { chat?: string; chatID: string }

/** The body and the result of each endpoint; `result` is undefined if the endpoint returns only `ok`. */
export interface EndpointMap {
  channels: { body: NoFields; result: Channel[] }
  createChannel: {
    body: { name: string; description?: string; privacy?: Privacy } & People
    result: { channelID: string; channelURL: string }
  }
  addChannelMembers: { body: { channelID: string } & People; result: undefined }
  deleteChannel: { body: { channelID: string }; result: undefined }
  postThread: { body: ChannelTarget & { blocks: readonly string[] }; result: { threadID: string; threadURL: string } }
  deleteThread: { body: { threadID: string }; result: undefined }
  postComment: {
    body: { threadID: string; parentID?: string; blocks: readonly string[] }
    result: { commentID: string; commentURL: string }
  }
  deleteComment: { body: { commentID: string }; result: undefined }
  postChatMessage: {
    body: ChatTarget & { body: string }
    result: { chatMessageID: string; chatMessageURL: string }
  }
  deleteChatMessage: { body: { messageID: string }; result: undefined }
  createChat: { body: { name: string } & People; result: { chatID: string; chatURL: string } }
  deleteChat: { body: { chatID: string }; result: undefined }
  users: { body: NoFields; result: User[] }
  ping: { body: NoFields; result: { name: string; organization: string } }
  /** The body is a form, whose part `data` is the file. */
  upload: { body: { data: string }; result: { fileID: string } }
}

type NoFields = Record<never, never>

export type EndpointName = keyof EndpointMap
export type BodyOf<Name extends EndpointName> = EndpointMap[Name]['body']
export type ResultOf<Name extends EndpointName> = EndpointMap[Name]['result']

/** The start of every endpoint's path; the endpoint's name follows. */
export const PATH_PREFIX = '/api/public/'

/** Maximum bytes of a JSON body: enough for a hundred blocks of four thousand characters, even if all are escaped. */
export const BODY_BYTES_MAX: number = 8 * 1024 * 1024
/** Maximum bytes of a file, by default. */
export const UPLOAD_BYTES_MAX: number = 512 * 1024 * 1024

/** Milliseconds for which the service keeps the response to an idempotency key. */
export const RESPONSE_LIFETIME_MILLISECONDS: number = 24 * 60 * 60 * 1000

/** The limits of all fields except messages. */
const ownLimits = { name: 80, description: 1000, people: 1000, id: 128, email: 320 } as const

/** The limits of all fields. The core defines the limits of messages. */
export const limits: typeof ownLimits & typeof LIMITS = { ...ownLimits, ...LIMITS }
