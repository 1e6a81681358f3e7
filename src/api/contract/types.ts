/** What the service takes and gives back, endpoint by endpoint, in the names of its public description. */

/** A channel as the list shows it. */
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

/** People named by id, by e-mail address, or both. */
export interface People {
  userIDs?: readonly string[]
  emails?: readonly string[]
}

/** A target by id, by name, or by both where they agree. */
export interface ChannelTarget {
  channel?: string
  channelID?: string
}

/** A target by id, by name, or by both where they agree. */
export interface ChatTarget {
  chat?: string
  chatID?: string
}

export interface CreateChannelBody extends People {
  name: string
  description?: string
  privacy?: Privacy
}

export interface AddChannelMembersBody extends People {
  channelID: string
}

export interface PostThreadBody extends ChannelTarget {
  blocks: readonly string[]
}

export interface PostCommentBody {
  threadID: string
  parentID?: string
  blocks: readonly string[]
}

export interface PostChatMessageBody extends ChatTarget {
  body: string
}

export interface CreateChatBody extends People {
  name: string
}

/** No fields. */
export type Nothing = Record<never, never>

/** What each endpoint takes; `result` is absent where it answers `ok` alone. */
export interface EndpointMap {
  channels: { body: Nothing; result: Channel[] }
  createChannel: { body: CreateChannelBody; result: { channelID: string; channelURL: string } }
  addChannelMembers: { body: AddChannelMembersBody; result: undefined }
  deleteChannel: { body: { channelID: string }; result: undefined }
  postThread: { body: PostThreadBody; result: { threadID: string; threadURL: string } }
  deleteThread: { body: { threadID: string }; result: undefined }
  postComment: { body: PostCommentBody; result: { commentID: string; commentURL: string } }
  deleteComment: { body: { commentID: string }; result: undefined }
  postChatMessage: { body: PostChatMessageBody; result: { chatMessageID: string; chatMessageURL: string } }
  deleteChatMessage: { body: { messageID: string }; result: undefined }
  createChat: { body: CreateChatBody; result: { chatID: string; chatURL: string } }
  deleteChat: { body: { chatID: string }; result: undefined }
  users: { body: Nothing; result: User[] }
  ping: { body: Nothing; result: { name: string; organization: string } }
  upload: { body: { data: unknown }; result: { fileID: string } }
}

export type EndpointName = keyof EndpointMap
export type BodyOf<Name extends EndpointName> = EndpointMap[Name]['body']
export type ResultOf<Name extends EndpointName> = EndpointMap[Name]['result']

/** Where every endpoint's path begins; the endpoint's name follows. */
export const PATH_PREFIX = '/api/public/'
