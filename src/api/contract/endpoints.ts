/** The one table of endpoints: routing, checks, the OpenAPI document and the documentation are read from it. */

import type { ApiErrorCode } from './errors.js'
import type { ArraySchema, ObjectSchema, SchemaOf, StringSchema } from './schema.js'
import type {
  AddChannelMembersBody,
  BodyOf,
  Channel,
  CreateChannelBody,
  CreateChatBody,
  EndpointName,
  People,
  PostChatMessageBody,
  PostCommentBody,
  PostThreadBody,
  User,
} from './types.js'

/** What is written down about an endpoint. */
export interface Endpoint<Name extends EndpointName> {
  readonly methods: readonly ('GET' | 'POST')[]
  /** Its spellings, the first of which is documented first. */
  readonly paths: readonly string[]
  readonly tag: 'Channels' | 'Threads' | 'Comments' | 'Chats' | 'Organization' | 'Files'
  readonly summary: string
  readonly description?: string
  /** What the body has to be; null where there is none. */
  readonly body: SchemaOf<BodyOf<Name>> | null
  readonly bodyType: 'application/json' | 'multipart/form-data'
  /** The field that a list is in order of, and can be asked for in pages by; null where it is no list. */
  readonly listedBy: 'channelID' | 'userID' | null
  readonly result: ObjectSchema | ArraySchema | null
  /** The errors that only some endpoints give; the rest is in `commonErrors`. */
  readonly errors: readonly ApiErrorCode[]
}

/** What any request can be answered with. */
export const commonErrors: readonly ApiErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'storage_unavailable',
]

/** What any request that carries a body and changes something can be answered with. */
export const writeErrors: readonly ApiErrorCode[] = [
  'invalid_json',
  'too_large',
  'unsupported_media_type',
  'validation_failed',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'storage_full',
]

/** Limits with the reasons that the decisions give: what people name, list and write at once. */
export const limits: Readonly<Record<'name' | 'description' | 'people' | 'blocks' | 'block' | 'body' | 'id', number>> =
  {
    name: 80,
    description: 1000,
    people: 1000,
    blocks: 100,
    block: 4000,
    body: 40_000,
    id: 128,
  }

const id = (description: string): StringSchema => ({
  type: ['string', 'integer'],
  format: 'id',
  description,
  minLength: 1,
  maxLength: limits.id,
})

const given = (description: string): StringSchema => ({ type: 'string', description })

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

const createChannel: SchemaOf<CreateChannelBody> = {
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

const addChannelMembers: SchemaOf<AddChannelMembersBody> = {
  type: 'object',
  properties: { channelID: id('The channel to add to.'), ...people },
  required: ['channelID'],
  anyOf: [{ required: ['userIDs'] }, { required: ['emails'] }],
}

const postThread: SchemaOf<PostThreadBody> = {
  type: 'object',
  properties: {
    channel: { type: 'string', format: 'channel-name', description: 'Name of the channel.', maxLength: limits.name },
    channelID: id('Identifier of the channel; where both are given they have to agree.'),
    blocks,
  },
  required: ['blocks'],
  anyOf: [{ required: ['channelID'] }, { required: ['channel'] }],
}

const postComment: SchemaOf<PostCommentBody> = {
  type: 'object',
  properties: {
    threadID: id('The thread.'),
    parentID: id('The comment, or the thread, that is replied to; the thread where absent.'),
    blocks,
  },
  required: ['threadID', 'blocks'],
}

const postChatMessage: SchemaOf<PostChatMessageBody> = {
  type: 'object',
  properties: {
    chat: { type: 'string', format: 'name', description: 'Name of the chat.', maxLength: limits.name },
    chatID: id('Identifier of the chat; where both are given they have to agree.'),
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

const createChat: SchemaOf<CreateChatBody> = {
  type: 'object',
  properties: { name: name('The name; several chats may share one.', 'name'), ...people },
  required: ['name'],
}

const channel: SchemaOf<Channel> = {
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

const user: SchemaOf<User> = {
  type: 'object',
  properties: {
    userID: given('The user, a person or a bot.'),
    name: given('The name.'),
    email: { type: 'string', format: 'email', description: 'The e-mail address.' },
  },
  required: ['userID', 'name', 'email'],
}

/** A result that is an identifier and, mostly, the address of the page that shows the thing. */
function created(idField: string, urlField?: string): ObjectSchema {
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

const write = { methods: ['POST'], bodyType: 'application/json', listedBy: null } as const
const readOnly = { methods: ['GET'], bodyType: 'application/json', body: null, errors: [] } as const

export const endpoints: { readonly [Name in EndpointName]: Endpoint<Name> } = {
  channels: {
    ...readOnly,
    methods: ['GET', 'POST'],
    paths: ['channels'],
    tag: 'Channels',
    summary: 'List channels',
    description: 'The channels visible to the bot: the public ones and those it is a member of.',
    listedBy: 'channelID',
    result: { type: 'array', items: channel },
  },
  createChannel: {
    ...write,
    paths: ['createChannel'],
    tag: 'Channels',
    summary: 'Create a channel',
    description: 'The bot is always a member of what it creates.',
    body: createChannel,
    result: created('channelID', 'channelURL'),
    errors: ['name_taken', 'user_not_found'],
  },
  addChannelMembers: {
    ...write,
    paths: ['addChannelMembers'],
    tag: 'Channels',
    summary: 'Add members to a channel',
    description: 'Any bot may add to a public channel, a member to a private one.',
    body: addChannelMembers,
    result: null,
    errors: ['not_found', 'not_member', 'user_not_found'],
  },
  deleteChannel: {
    ...write,
    paths: ['deleteChannel'],
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'Only by the bot that created it; everything in it goes.',
    body: { type: 'object', properties: { channelID: id('The channel to delete.') }, required: ['channelID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postThread: {
    ...write,
    paths: ['postThread'],
    tag: 'Threads',
    summary: 'Post a thread',
    body: postThread,
    result: created('threadID', 'threadURL'),
    errors: ['not_found', 'not_member', 'target_mismatch'],
  },
  deleteThread: {
    ...write,
    paths: ['deleteThread'],
    tag: 'Threads',
    summary: 'Delete a thread',
    description: 'Only a thread of this bot; its comments go along.',
    body: { type: 'object', properties: { threadID: id('The thread to delete.') }, required: ['threadID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postComment: {
    ...write,
    paths: ['postComment'],
    tag: 'Comments',
    summary: 'Post a comment',
    description: 'Whoever can see a thread may comment on it.',
    body: postComment,
    result: created('commentID', 'commentURL'),
    errors: ['not_found'],
  },
  deleteComment: {
    ...write,
    paths: ['deleteComment'],
    tag: 'Comments',
    summary: 'Delete a comment',
    description: 'Only a comment of this bot; one with replies stays as an empty place until its last reply goes.',
    body: { type: 'object', properties: { commentID: id('The comment to delete.') }, required: ['commentID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postChatMessage: {
    ...write,
    paths: ['postChatMessage'],
    tag: 'Chats',
    summary: 'Post a chat message',
    body: postChatMessage,
    result: created('chatMessageID', 'chatMessageURL'),
    errors: ['not_found', 'not_member', 'target_mismatch', 'ambiguous_name'],
  },
  deleteChatMessage: {
    ...write,
    paths: ['deleteChatMessage'],
    tag: 'Chats',
    summary: 'Delete a chat message',
    description: 'Only a message of this bot.',
    body: {
      type: 'object',
      properties: { messageID: id('The chatMessageID that posting gave.') },
      required: ['messageID'],
    },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  createChat: {
    ...write,
    paths: ['createChat'],
    tag: 'Chats',
    summary: 'Create a chat',
    description: 'The bot is always a member of what it creates.',
    body: createChat,
    result: created('chatID', 'chatURL'),
    errors: ['user_not_found'],
  },
  deleteChat: {
    ...write,
    paths: ['deleteChat'],
    tag: 'Chats',
    summary: 'Delete a chat',
    description: 'Only by the bot that created it; everything in it goes.',
    body: { type: 'object', properties: { chatID: id('The chat to delete.') }, required: ['chatID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  users: {
    ...readOnly,
    methods: ['GET', 'POST'],
    paths: ['users', 'useres'],
    tag: 'Organization',
    summary: 'List users',
    description: 'The members of the organization, people and bots.',
    listedBy: 'userID',
    result: { type: 'array', items: user },
  },
  ping: {
    ...readOnly,
    paths: ['ping'],
    tag: 'Organization',
    summary: 'Check the key',
    listedBy: null,
    result: {
      type: 'object',
      properties: { name: given('The name of the bot.'), organization: given('The name of the organization.') },
      required: ['name', 'organization'],
    },
  },
  upload: {
    ...write,
    paths: ['upload', 'uploadFile'],
    tag: 'Files',
    summary: 'Upload a file',
    description: 'An image, a video, a pdf or a text, found by its content. A line `<!fileID|>` of a message shows it.',
    body: {
      type: 'object',
      properties: { data: { type: 'string', format: 'binary', description: 'The file.' } },
      required: ['data'],
    },
    bodyType: 'multipart/form-data',
    result: created('fileID'),
    errors: [],
  },
}

/** All names of endpoints, in the table's order. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints) as EndpointName[]
