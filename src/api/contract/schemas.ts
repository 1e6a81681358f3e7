/** The schemas of the endpoints' bodies; the compiler compares them with the declared types. */

import { LIMITS } from '../../check/limits.js'
import type { Kind, SchemaOf, StringSchema } from './schema.js'
import type {
  AddChannelMembersBody,
  CreateChannelBody,
  CreateChatBody,
  People,
  PostChatMessageBody,
  PostCommentBody,
  PostThreadBody,
} from './types.js'

/** The limits of names, lists and ids. */
const own = { name: 80, description: 1000, people: 1000, id: 128 } as const

/** All limits; those of a message are the core's. */
export const limits: typeof own & typeof LIMITS = { ...own, ...LIMITS }

/** An id; clients may send it as an integer. */
export const id = (description: string): StringSchema => ({
  type: ['string', 'integer'],
  format: 'id',
  description,
  minLength: 1,
  maxLength: limits.id,
})

/** An id that may be absent or empty. */
const optionalID = (description: string): StringSchema => ({ ...id(description), minLength: 0 })

const name = (description: string, format: 'name' | 'channel-name'): StringSchema => ({
  type: 'string',
  format,
  description,
  minLength: 1,
  maxLength: limits.name,
})

const blocks: Kind<readonly string[]> = {
  type: 'array',
  format: 'markdown',
  description: 'The blocks of the message. Each block is a string in the dialect and must not be blank.',
  items: { type: 'string', minLength: 1, maxLength: limits.blockLength },
  minItems: 1,
  maxItems: limits.blocks,
}

const people: SchemaOf<People>['properties'] = {
  userIDs: {
    type: 'array',
    description: 'The ids of the users to add.',
    items: { type: ['string', 'integer'], format: 'id', minLength: 1, maxLength: limits.id },
    maxItems: limits.people,
  },
  emails: {
    type: 'array',
    description: 'The e-mail addresses of the users to add. Together with `userIDs`, at most 1,000.',
    items: { type: 'string', minLength: 1, maxLength: 320 },
    maxItems: limits.people,
  },
}

export const createChannel: SchemaOf<CreateChannelBody> = {
  type: 'object',
  properties: {
    name: name('The name of the channel, unique in the organization. One leading `#` is dropped.', 'channel-name'),
    description: {
      type: 'string',
      description: 'The purpose of the channel.',
      maxLength: limits.description,
      default: '',
    },
    privacy: {
      type: 'string',
      description: 'A private channel is visible to its members only.',
      enum: ['public', 'private'],
      default: 'public',
    },
    ...people,
  },
  required: ['name'],
}

export const addChannelMembers: SchemaOf<AddChannelMembersBody> = {
  type: 'object',
  properties: { channelID: id('The id of the channel.'), ...people },
  required: ['channelID'],
  anyOf: [{ required: ['userIDs'] }, { required: ['emails'] }],
}

export const postThread: SchemaOf<PostThreadBody> = {
  type: 'object',
  properties: {
    channel: {
      type: 'string',
      format: 'channel-name',
      description: 'The name of the channel.',
      maxLength: limits.name,
    },
    channelID: optionalID('The id of the channel. If you send the name too, both must name the same channel.'),
    blocks,
  },
  required: ['blocks'],
  anyOf: [{ required: ['channelID'] }, { required: ['channel'] }],
}

export const postComment: SchemaOf<PostCommentBody> = {
  type: 'object',
  properties: {
    threadID: id('The id of the thread.'),
    parentID: optionalID('The id of the comment to reply to. By default, the comment replies to the thread.'),
    blocks,
  },
  required: ['threadID', 'blocks'],
}

export const postChatMessage: SchemaOf<PostChatMessageBody> = {
  type: 'object',
  properties: {
    chat: { type: 'string', format: 'name', description: 'The name of the chat.', maxLength: limits.name },
    chatID: optionalID('The id of the chat. If you send the name too, both must name the same chat.'),
    body: {
      type: 'string',
      format: 'markdown',
      description: 'The message in the dialect. It must not be blank.',
      minLength: 1,
      maxLength: limits.bodyLength,
    },
  },
  required: ['body'],
  anyOf: [{ required: ['chatID'] }, { required: ['chat'] }],
}

export const createChat: SchemaOf<CreateChatBody> = {
  type: 'object',
  properties: { name: name('The name of the chat. Several chats may have the same name.', 'name'), ...people },
  required: ['name'],
}
