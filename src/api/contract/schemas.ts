/** The schemas of what endpoints take and give, held to the declared types by the compiler. */

import type { ArraySchema, ObjectSchema, SchemaOf, StringSchema } from './schema.js'
import type {
  AddChannelMembersBody,
  Channel,
  CreateChannelBody,
  CreateChatBody,
  People,
  PostChatMessageBody,
  PostCommentBody,
  PostThreadBody,
  User,
} from './types.js'

/** Limits with the reasons that the decisions give: what people name, list and write at once. */
export const limits = {
  name: 80,
  description: 1000,
  people: 1000,
  blocks: 100,
  block: 4000,
  body: 40_000,
  id: 128,
} as const

/** An id, which may come as an integer. */
export const id = (description: string): StringSchema => ({
  type: ['string', 'integer'],
  format: 'id',
  description,
  minLength: 1,
  maxLength: limits.id,
})

/** An id that may be left out, or empty. */
const optionalID = (description: string): StringSchema => ({ ...id(description), minLength: 0 })

/** A string of ours. */
export const given = (description: string): StringSchema => ({ type: 'string', description })

const name = (description: string, format: 'name' | 'channel-name'): StringSchema => ({
  type: 'string',
  format,
  description,
  minLength: 1,
  maxLength: limits.name,
})

const blocks: ArraySchema = {
  type: 'array',
  format: 'markdown',
  description: 'The blocks of the message, each a markdown string; none may be blank.',
  items: { type: 'string', minLength: 1, maxLength: limits.block },
  minItems: 1,
  maxItems: limits.blocks,
}

const people: SchemaOf<People>['properties'] = {
  userIDs: {
    type: 'array',
    description: 'Identifiers of the users to add.',
    items: { type: ['string', 'integer'], format: 'id', minLength: 1, maxLength: limits.id },
    maxItems: limits.people,
  },
  emails: {
    type: 'array',
    description: 'E-mail addresses of the users to add; together with userIDs at most 1,000.',
    items: { type: 'string', minLength: 1, maxLength: 320 },
    maxItems: limits.people,
  },
}

export const createChannel: SchemaOf<CreateChannelBody> = {
  type: 'object',
  properties: {
    name: name('The name; a leading # is dropped. Unique in the organization.', 'channel-name'),
    description: {
      type: 'string',
      description: 'What the channel is for.',
      maxLength: limits.description,
      default: '',
    },
    privacy: { type: 'string', description: 'Who sees it.', enum: ['public', 'private'], default: 'public' },
    ...people,
  },
  required: ['name'],
}

export const addChannelMembers: SchemaOf<AddChannelMembersBody> = {
  type: 'object',
  properties: { channelID: id('The channel to add to.'), ...people },
  required: ['channelID'],
  anyOf: [{ required: ['userIDs'] }, { required: ['emails'] }],
}

export const postThread: SchemaOf<PostThreadBody> = {
  type: 'object',
  properties: {
    channel: { type: 'string', format: 'channel-name', description: 'Name of the channel.', maxLength: limits.name },
    channelID: optionalID('Identifier of the channel; where both are given they have to agree.'),
    blocks,
  },
  required: ['blocks'],
  anyOf: [{ required: ['channelID'] }, { required: ['channel'] }],
}

export const postComment: SchemaOf<PostCommentBody> = {
  type: 'object',
  properties: {
    threadID: id('The thread.'),
    parentID: optionalID('The comment, or the thread, that is replied to; the thread where absent.'),
    blocks,
  },
  required: ['threadID', 'blocks'],
}

export const postChatMessage: SchemaOf<PostChatMessageBody> = {
  type: 'object',
  properties: {
    chat: { type: 'string', format: 'name', description: 'Name of the chat.', maxLength: limits.name },
    chatID: optionalID('Identifier of the chat; where both are given they have to agree.'),
    body: {
      type: 'string',
      format: 'markdown',
      description: 'The message, markdown; not blank.',
      minLength: 1,
      maxLength: limits.body,
    },
  },
  required: ['body'],
  anyOf: [{ required: ['chatID'] }, { required: ['chat'] }],
}

export const createChat: SchemaOf<CreateChatBody> = {
  type: 'object',
  properties: { name: name('The name; several chats may share one.', 'name'), ...people },
  required: ['name'],
}

export const channel: SchemaOf<Channel> = {
  type: 'object',
  properties: {
    channelID: given('The channel.'),
    name: given('Its name.'),
    description: given('What it is for.'),
    privacy: { type: 'string', description: 'Who sees it.', enum: ['public', 'private'] },
    memberIDs: { type: 'array', description: 'The users who are members.', items: { type: 'string' } },
  },
  required: ['channelID', 'name', 'description', 'privacy', 'memberIDs'],
}

export const user: SchemaOf<User> = {
  type: 'object',
  properties: {
    userID: given('The user, a person or a bot.'),
    name: given('The name.'),
    email: { type: 'string', format: 'email', description: 'The e-mail address.' },
  },
  required: ['userID', 'name', 'email'],
}

/** A result that is an identifier and, mostly, the address of the page that shows the thing. */
export function created(idField: string, urlField?: string): ObjectSchema {
  const address: Record<string, StringSchema> =
    urlField === undefined
      ? {}
      : { [urlField]: { type: 'string', format: 'uri', description: 'The address of its page.' } }
  return {
    type: 'object',
    properties: { [idField]: given('The new identifier.'), ...address },
    required: urlField === undefined ? [idField] : [idField, urlField],
  }
}
