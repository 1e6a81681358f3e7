/** The table of endpoints: routing, checks, the OpenAPI document and the documentation read it. */

import { ApiError, type ApiErrorCode, notFound } from './errors.js'
import type { SchemaOf } from './schema.js'
import * as schemas from './schemas.js'
import { sentences } from './sentences.js'
import { type BodyOf, type EndpointName, PATH_PREFIX } from './types.js'

export interface Endpoint<Name extends EndpointName> {
  readonly methods: readonly ('GET' | 'POST')[]
  /** Another spelling of the endpoint's name, which is not documented. */
  readonly alias?: string
  /** The page of the documentation that describes the endpoint. */
  readonly tag: 'Channels' | 'Threads' | 'Chats' | 'Uploads' | 'Organization'
  readonly summary: string
  readonly description: string
  /** The schema of the body; null if the endpoint has none. */
  readonly body: SchemaOf<BodyOf<Name>> | null
  readonly bodyType: 'application/json' | 'multipart/form-data'
  /** The field that orders a list and its pages; null if the endpoint does not return a list. */
  readonly listedBy: 'channelID' | 'userID' | null
  /** The errors of this endpoint besides `commonErrors`, `writeErrors` and `repeatErrors`. */
  readonly errors: readonly ApiErrorCode[]
}

/** The errors of every request. */
export const commonErrors: readonly ApiErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'storage_unavailable',
]

/** The errors of every request with a body. */
export const writeErrors: readonly ApiErrorCode[] = ['invalid_json', 'unsupported_media_type', 'validation_failed']

/** The errors of every POST, because a POST may have a body and an Idempotency-Key. */
export const repeatErrors: readonly ApiErrorCode[] = [
  'timeout',
  'too_large',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'storage_full',
]

const write = { methods: ['POST'], bodyType: 'application/json', listedBy: null } as const
const readOnly = { methods: ['GET'], bodyType: 'application/json', body: null, errors: [] } as const

/** The table of endpoints, in an order in which the examples of each tag can be run. */
export const endpoints: { readonly [Name in EndpointName]: Endpoint<Name> } = {
  channels: {
    ...readOnly,
    methods: ['GET', 'POST'],
    tag: 'Channels',
    summary: 'List channels',
    description: 'Returns the public channels and the private channels that the bot is a member of.',
    listedBy: 'channelID',
  },
  createChannel: {
    ...write,
    tag: 'Channels',
    summary: 'Create a channel',
    description: 'The bot becomes a member of the new channel.',
    body: schemas.createChannel,
    errors: ['name_taken', 'user_not_found'],
  },
  addChannelMembers: {
    ...write,
    tag: 'Channels',
    summary: 'Add members to a channel',
    description: 'Any bot can add members to a public channel; only a member can add them to a private one.',
    body: schemas.addChannelMembers,
    errors: ['not_found', 'user_not_found'],
  },
  deleteChannel: {
    ...write,
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'Only the bot that created the channel can delete it. Its threads are deleted too.',
    body: { type: 'object', properties: { channelID: schemas.id('The id of the channel.') }, required: ['channelID'] },
    errors: ['not_found', 'not_owner'],
  },
  postThread: {
    ...write,
    tag: 'Threads',
    summary: 'Post a thread',
    description: 'Posts a thread in a channel that the bot can see.',
    body: schemas.postThread,
    errors: ['not_found', 'target_mismatch'],
  },
  postComment: {
    ...write,
    tag: 'Threads',
    summary: 'Post a comment',
    description: 'Every bot that can see a thread can comment on it.',
    body: schemas.postComment,
    errors: ['not_found'],
  },
  deleteComment: {
    ...write,
    tag: 'Threads',
    summary: 'Delete a comment',
    description:
      'Only the bot that posted the comment can delete it. A comment with replies leaves an empty placeholder until its last reply is deleted.',
    body: { type: 'object', properties: { commentID: schemas.id('The id of the comment.') }, required: ['commentID'] },
    errors: ['not_found', 'not_owner'],
  },
  deleteThread: {
    ...write,
    tag: 'Threads',
    summary: 'Delete a thread',
    description: 'Only the bot that posted the thread can delete it. Its comments are deleted too.',
    body: { type: 'object', properties: { threadID: schemas.id('The id of the thread.') }, required: ['threadID'] },
    errors: ['not_found', 'not_owner'],
  },
  createChat: {
    ...write,
    tag: 'Chats',
    summary: 'Create a chat',
    description: 'The bot becomes a member of the new chat.',
    body: schemas.createChat,
    errors: ['user_not_found'],
  },
  postChatMessage: {
    ...write,
    tag: 'Chats',
    summary: 'Post a chat message',
    description: 'Posts a message in a chat that the bot is a member of.',
    body: schemas.postChatMessage,
    errors: ['not_found', 'target_mismatch', 'ambiguous_name'],
  },
  deleteChatMessage: {
    ...write,
    tag: 'Chats',
    summary: 'Delete a chat message',
    description: 'Only the bot that posted the message can delete it.',
    body: {
      type: 'object',
      properties: { messageID: schemas.id('The `chatMessageID` that postChatMessage returned.') },
      required: ['messageID'],
    },
    errors: ['not_found', 'not_owner'],
  },
  deleteChat: {
    ...write,
    tag: 'Chats',
    summary: 'Delete a chat',
    description: 'Only the bot that created the chat can delete it. Its messages are deleted too.',
    body: { type: 'object', properties: { chatID: schemas.id('The id of the chat.') }, required: ['chatID'] },
    errors: ['not_found', 'not_owner'],
  },
  upload: {
    ...write,
    alias: 'uploadFile',
    tag: 'Uploads',
    summary: 'Upload a file',
    description:
      'Uploads an image, a video, a PDF or a text. Its content decides the type. The block `<!fileID|>` of a message shows the file.',
    body: {
      type: 'object',
      properties: { data: { type: 'string', format: 'binary', description: 'The file.' } },
      required: ['data'],
    },
    bodyType: 'multipart/form-data',
    errors: [],
  },
  users: {
    ...readOnly,
    methods: ['GET', 'POST'],
    alias: 'useres',
    tag: 'Organization',
    summary: 'List users',
    description: 'Returns the people and the bots of the organization.',
    listedBy: 'userID',
  },
  ping: {
    ...readOnly,
    tag: 'Organization',
    summary: 'Check the API key',
    description: 'Returns the names of the bot and its organization.',
    listedBy: null,
  },
}

/** The names of all endpoints, in the table's order. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints) as EndpointName[]

/** Returns the methods that an endpoint accepts. HEAD works wherever GET does (RFC 9110, 9.1). */
export function methodsOf(name: EndpointName): readonly ('GET' | 'HEAD' | 'POST')[] {
  return endpoints[name].methods.flatMap((method) => (method === 'GET' ? (['GET', 'HEAD'] as const) : [method]))
}

/** Returns the paths of an endpoint, the documented one first. */
export function pathsOf(name: EndpointName): readonly [string, ...string[]] {
  const { alias }: { alias?: string } = endpoints[name]
  return [PATH_PREFIX + name, ...(alias === undefined ? [] : [PATH_PREFIX + alias])]
}

const byPath: ReadonlyMap<string, EndpointName> = new Map(
  endpointNames.flatMap((name) => pathsOf(name).map((path) => [path, name])),
)

/** Finds the endpoint of a path. Throws `not_found`, or `method_not_allowed` with the methods that the endpoint accepts. */
export function endpointAt(path: string, method: string): EndpointName {
  const name = byPath.get(path)
  if (name === undefined) throw notFound('endpoint')
  const methods = methodsOf(name)
  if (methods.some((each) => each === method)) return name
  const allow = methods.join(', ')
  throw new ApiError('method_not_allowed', sentences.noMethod(allow), { headers: { allow } })
}
