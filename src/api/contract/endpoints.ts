/** The one table of endpoints: routing, checks, the OpenAPI document and the documentation are read from it. */

import type { ApiErrorCode } from './errors.js'
import type { ArraySchema, ObjectSchema, SchemaOf } from './schema.js'
import * as schemas from './schemas.js'
import type { BodyOf, EndpointName } from './types.js'

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

/** What any request whose body is read can be answered with. */
export const writeErrors: readonly ApiErrorCode[] = ['invalid_json', 'unsupported_media_type', 'validation_failed']

/** What any POST can be answered with: it has room for a body, and may carry an Idempotency-Key. */
export const repeatErrors: readonly ApiErrorCode[] = [
  'timeout',
  'too_large',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'storage_full',
]

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
    result: { type: 'array', items: schemas.channel },
  },
  createChannel: {
    ...write,
    paths: ['createChannel'],
    tag: 'Channels',
    summary: 'Create a channel',
    description: 'The bot is always a member of what it creates.',
    body: schemas.createChannel,
    result: schemas.created('channelID', 'channelURL'),
    errors: ['name_taken', 'user_not_found'],
  },
  addChannelMembers: {
    ...write,
    paths: ['addChannelMembers'],
    tag: 'Channels',
    summary: 'Add members to a channel',
    description: 'Any bot may add to a public channel, a member to a private one.',
    body: schemas.addChannelMembers,
    result: null,
    errors: ['not_found', 'not_member', 'user_not_found'],
  },
  deleteChannel: {
    ...write,
    paths: ['deleteChannel'],
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'Only by the bot that created it; everything in it goes.',
    body: { type: 'object', properties: { channelID: schemas.id('The channel to delete.') }, required: ['channelID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postThread: {
    ...write,
    paths: ['postThread'],
    tag: 'Threads',
    summary: 'Post a thread',
    body: schemas.postThread,
    result: schemas.created('threadID', 'threadURL'),
    errors: ['not_found', 'not_member', 'target_mismatch'],
  },
  deleteThread: {
    ...write,
    paths: ['deleteThread'],
    tag: 'Threads',
    summary: 'Delete a thread',
    description: 'Only a thread of this bot; its comments go along.',
    body: { type: 'object', properties: { threadID: schemas.id('The thread to delete.') }, required: ['threadID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postComment: {
    ...write,
    paths: ['postComment'],
    tag: 'Comments',
    summary: 'Post a comment',
    description: 'Whoever can see a thread may comment on it.',
    body: schemas.postComment,
    result: schemas.created('commentID', 'commentURL'),
    errors: ['not_found'],
  },
  deleteComment: {
    ...write,
    paths: ['deleteComment'],
    tag: 'Comments',
    summary: 'Delete a comment',
    description: 'Only a comment of this bot; one with replies stays as an empty place until its last reply goes.',
    body: { type: 'object', properties: { commentID: schemas.id('The comment to delete.') }, required: ['commentID'] },
    result: null,
    errors: ['not_found', 'not_owner'],
  },
  postChatMessage: {
    ...write,
    paths: ['postChatMessage'],
    tag: 'Chats',
    summary: 'Post a chat message',
    body: schemas.postChatMessage,
    result: schemas.created('chatMessageID', 'chatMessageURL'),
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
      properties: { messageID: schemas.id('The chatMessageID that posting gave.') },
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
    body: schemas.createChat,
    result: schemas.created('chatID', 'chatURL'),
    errors: ['user_not_found'],
  },
  deleteChat: {
    ...write,
    paths: ['deleteChat'],
    tag: 'Chats',
    summary: 'Delete a chat',
    description: 'Only by the bot that created it; everything in it goes.',
    body: { type: 'object', properties: { chatID: schemas.id('The chat to delete.') }, required: ['chatID'] },
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
    result: { type: 'array', items: schemas.user },
  },
  ping: {
    ...readOnly,
    paths: ['ping'],
    tag: 'Organization',
    summary: 'Check the key',
    listedBy: null,
    result: {
      type: 'object',
      properties: {
        name: schemas.given('The name of the bot.'),
        organization: schemas.given('The name of the organization.'),
      },
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
    result: schemas.created('fileID'),
    errors: [],
  },
}

/** All names of endpoints, in the table's order. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints) as EndpointName[]
