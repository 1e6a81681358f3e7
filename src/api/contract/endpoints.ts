/**
 * The table of endpoints: routing, checks, the OpenAPI document and the documentation read it. The schemas of the results
 * are in `results.ts`, because the client needs only these schemas.
 */

import { ApiError, type ApiErrorCode } from './errors.js'
import { type ArraySchema, type ObjectSchemaOf, objectOf, type SchemaOf, type StringSchema } from './schema.js'
import { sentences } from './sentences.js'
import { type BodyOf, type EndpointName, limits, PATH_PREFIX, type People } from './types.js'

export interface Endpoint<Name extends EndpointName> {
  readonly methods: readonly ('GET' | 'POST')[]
  /** Another spelling of the endpoint's name, which is not documented. */
  readonly alias?: string
  /** The page of the documentation that describes the endpoint. */
  readonly tag: 'Channels' | 'Threads' | 'Chats' | 'Uploads' | 'Organization'
  readonly summary: string
  readonly description: string
  readonly bodyType: 'application/json' | 'multipart/form-data'
  /** The schema of the body; null if the endpoint only reads. */
  readonly body: [keyof BodyOf<Name>] extends [never] ? null : ObjectSchemaOf<BodyOf<Name>>
  /** The field that orders a list and its pages; null if the endpoint does not return a list. */
  readonly listedBy: 'channelID' | 'userID' | null
  /** The errors of this endpoint besides `commonErrors` and `writeErrors`. */
  readonly errors: readonly ApiErrorCode[]
}

/** The errors that every endpoint may return. */
const commonErrors: readonly ApiErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'method_not_allowed',
  'timeout',
  'too_large',
  'rate_limited',
  'internal',
  'storage_unavailable',
]

/** The errors that every endpoint that writes may return. */
const writeErrors: readonly ApiErrorCode[] = [
  'invalid_json',
  'unsupported_media_type',
  'validation_failed',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'storage_full',
]

const writeDefaults = { methods: ['POST'], bodyType: 'application/json', listedBy: null } as const
const deleteDefaults = { ...writeDefaults, errors: ['not_found', 'not_owner'] } as const
const readDefaults = { bodyType: 'application/json', body: null, errors: [] } as const

/** Returns the schema of an id, which clients may also send as an integer. */
const id = (description: string): StringSchema => ({
  type: ['string', 'integer'],
  format: 'id',
  description,
  minLength: 1,
  maxLength: limits.id,
})

const name = (format: 'name' | 'channel-name', description: string): StringSchema => ({
  type: 'string',
  format,
  description,
  minLength: 1,
  maxLength: limits.name,
})

/** Allows an empty string in an optional field. `read` treats it as absent, because forms send empty fields. */
const optional = (schema: StringSchema): StringSchema => ({ ...schema, minLength: 0 })

const blocks: SchemaOf<readonly string[]> = {
  type: 'array',
  format: 'markdown',
  description: 'The blocks of the message. Each block is a string in the dialect and must not be blank.',
  items: { type: 'string', minLength: 1, maxLength: limits.blockLength },
  minItems: 1,
  maxItems: limits.blocks,
}

const list = (items: StringSchema, description: string): ArraySchema => ({
  type: 'array',
  description,
  items,
  maxItems: limits.people,
})

const people: ObjectSchemaOf<People>['properties'] = {
  userIDs: list(id('The id of a user.'), 'The ids of the users to add.'),
  emails: list(
    { type: 'string', minLength: 1, maxLength: limits.email },
    'The e-mail addresses of the users to add. Together with `userIDs`, at most 1,000.',
  ),
}

/** The table of endpoints, in an order in which the documented calls of each tag can be made. */
export const endpoints: { readonly [Name in EndpointName]: Endpoint<Name> } = {
  channels: {
    ...readDefaults,
    methods: ['GET', 'POST'],
    tag: 'Channels',
    summary: 'List channels',
    description: 'Returns the public channels and the private channels that the bot is a member of.',
    listedBy: 'channelID',
  },
  createChannel: {
    ...writeDefaults,
    tag: 'Channels',
    summary: 'Create a channel',
    description: 'The bot becomes a member of the new channel.',
    body: {
      type: 'object',
      properties: {
        name: name('channel-name', 'The name of the channel, unique in the organization. One leading `#` is dropped.'),
        description: {
          type: 'string',
          description: 'The purpose of the channel.',
          maxLength: limits.description,
          default: '',
        },
        privacy: {
          type: 'string',
          description:
            'A private channel is visible to its members only. If the name of this field is misspelled, the channel is public.',
          enum: ['public', 'private'],
          default: 'public',
        },
        ...people,
      },
      required: ['name'],
    },
    errors: ['name_taken', 'user_not_found'],
  },
  addChannelMembers: {
    ...writeDefaults,
    tag: 'Channels',
    summary: 'Add members to a channel',
    description: 'Any bot can add members to a public channel; only a member can add them to a private one.',
    body: {
      type: 'object',
      properties: { channelID: id('The id of the channel.'), ...people },
      required: ['channelID'],
      anyOf: [{ required: ['userIDs'] }, { required: ['emails'] }],
    },
    errors: ['not_found', 'user_not_found'],
  },
  deleteChannel: {
    ...deleteDefaults,
    tag: 'Channels',
    summary: 'Delete a channel',
    description: 'Only the bot that created the channel can delete it. Its threads are deleted too.',
    body: objectOf<BodyOf<'deleteChannel'>>({ channelID: id('The id of the channel.') }),
  },
  postThread: {
    ...writeDefaults,
    tag: 'Threads',
    summary: 'Post a thread',
    description: 'Posts a thread in a channel that the bot can see.',
    body: {
      type: 'object',
      properties: {
        channel: optional(name('channel-name', 'The name of the channel.')),
        channelID: optional(id('The id of the channel. If you send the name too, both must name the same channel.')),
        blocks,
      },
      required: ['blocks'],
      anyOf: [{ required: ['channelID'] }, { required: ['channel'] }],
    },
    errors: ['not_found', 'target_mismatch'],
  },
  postComment: {
    ...writeDefaults,
    tag: 'Threads',
    summary: 'Post a comment',
    description: 'Every bot that can see a thread can comment on it.',
    body: {
      type: 'object',
      properties: {
        threadID: id('The id of the thread.'),
        parentID: optional(id('The id of the comment to reply to. By default, the comment replies to the thread.')),
        blocks,
      },
      required: ['threadID', 'blocks'],
    },
    errors: ['not_found'],
  },
  deleteComment: {
    ...deleteDefaults,
    tag: 'Threads',
    summary: 'Delete a comment',
    description:
      'Only the bot that posted the comment can delete it. A comment with replies leaves an empty placeholder until its last reply is deleted.',
    body: objectOf<BodyOf<'deleteComment'>>({ commentID: id('The id of the comment.') }),
  },
  deleteThread: {
    ...deleteDefaults,
    tag: 'Threads',
    summary: 'Delete a thread',
    description: 'Only the bot that posted the thread can delete it. Its comments are deleted too.',
    body: objectOf<BodyOf<'deleteThread'>>({ threadID: id('The id of the thread.') }),
  },
  createChat: {
    ...writeDefaults,
    tag: 'Chats',
    summary: 'Create a chat',
    description: 'The bot becomes a member of the new chat.',
    body: {
      type: 'object',
      properties: { name: name('name', 'The name of the chat. Several chats may have the same name.'), ...people },
      required: ['name'],
    },
    errors: ['user_not_found'],
  },
  postChatMessage: {
    ...writeDefaults,
    tag: 'Chats',
    summary: 'Post a chat message',
    description: 'Posts a message in a chat that the bot is a member of.',
    body: {
      type: 'object',
      properties: {
        chat: optional(name('name', 'The name of the chat.')),
        chatID: optional(id('The id of the chat. If you send the name too, both must name the same chat.')),
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
    },
    errors: ['not_found', 'target_mismatch', 'ambiguous_name'],
  },
  deleteChatMessage: {
    ...deleteDefaults,
    tag: 'Chats',
    summary: 'Delete a chat message',
    description: 'Only the bot that posted the message can delete it.',
    body: objectOf<BodyOf<'deleteChatMessage'>>({
      messageID: id('The `chatMessageID` that postChatMessage returned.'),
    }),
  },
  deleteChat: {
    ...deleteDefaults,
    tag: 'Chats',
    summary: 'Delete a chat',
    description: 'Only the bot that created the chat can delete it. Its messages are deleted too.',
    body: objectOf<BodyOf<'deleteChat'>>({ chatID: id('The id of the chat.') }),
  },
  upload: {
    ...writeDefaults,
    alias: 'uploadFile',
    tag: 'Uploads',
    summary: 'Upload a file',
    description:
      'Uploads an image, a video, a PDF or a text. Its content decides the type. The block `<!fileID|>` of a message shows the file.',
    bodyType: 'multipart/form-data',
    body: objectOf<BodyOf<'upload'>>({ data: { type: 'string', format: 'binary', description: 'The file.' } }),
    errors: [],
  },
  users: {
    ...readDefaults,
    methods: ['GET', 'POST'],
    alias: 'useres',
    tag: 'Organization',
    summary: 'List users',
    description: 'Returns the people and the bots of the organization.',
    listedBy: 'userID',
  },
  ping: {
    ...readDefaults,
    methods: ['GET'],
    tag: 'Organization',
    summary: 'Check the API key',
    description: 'Returns the names of the bot and its organization.',
    listedBy: null,
  },
}

/** The names of all endpoints, in the table's order. */
export const endpointNames: readonly EndpointName[] = Object.keys(endpoints) as EndpointName[]

/** Returns the errors of an endpoint. */
export function errorsOf(name: EndpointName): ApiErrorCode[] {
  const { body, errors } = endpoints[name]
  return [...commonErrors, ...(body === null ? [] : writeErrors), ...errors]
}

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
  if (name === undefined) throw new ApiError('not_found', sentences.noEndpoint)
  const methods = methodsOf(name)
  if (methods.some((each) => each === method)) return name
  const allow = methods.join(', ')
  throw new ApiError('method_not_allowed', sentences.wrongMethod(allow), { headers: { allow } })
}
