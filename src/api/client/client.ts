/** The service's client: one method for each endpoint, typed by the contract. */

import type { Source } from '../../index.js'
import type { Channel, EndpointName, ResultOf, User } from '../contract/types.js'
import { type Content, jsonOf, perform, type Transport } from './call.js'
import { inField } from './errors.js'
import { blocksFor, bodyFor } from './message.js'
import {
  type BodyOf,
  type CallOptions,
  type ClientOptions,
  checkBody,
  checkClientOptions,
  checkedOptions,
  checkObject,
  type FieldsOf,
  type SendOptions,
  type UploadOptions,
} from './options.js'
import { type Arriving, type Streamed, sendAll, sendStream, type ToChat, type ToThread } from './send.js'
import { contentOf } from './upload.js'
import { clockOf, machineClock } from './waiting.js'

/**
 * Creates a client, which runs wherever `fetch` does. A call that the client retries posts only once.
 *
 * @param options - the service's URL and the bot's API key
 * @returns the client
 * @throws {TypeError} if an option is not valid or not known
 * @example
 * import { createTestService } from 'blockmark/testing'
 * const service = createTestService({ channels: ['deploys'] })
 * const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })
 * service.lose(1)
 * await bot.postThread({ channel: 'deploys', blocks: '**v7** is out' })
 * service.threads.map((thread) => thread.text) // => ['v7 is out']
 */
export function createClient(options: ClientOptions): Client {
  const transport = transportOf(options)
  // The cast is safe: the response was checked against the result's schema.
  const call = async <Name extends EndpointName>(endpoint: Name, content: Content | null, callOptions: CallOptions) =>
    (await perform(transport, { ...callOptions, endpoint, content })) as ResultOf<Name>
  const get =
    <Name extends 'channels' | 'users' | 'ping'>(endpoint: Name) =>
    async (callOptions?: CallOptions) =>
      call(endpoint, null, checkedOptions(endpoint, callOptions))
  /** `fields` has all fields that the body may have; `prepare` returns the body that is sent. */
  const post =
    <Name extends EndpointName, Body extends BodyOf<Name> & object>(
      endpoint: Name,
      fields: FieldsOf<Name>,
      prepare: (body: Body, method: string) => object = (body) => body,
    ) =>
    async (body: Body, callOptions?: CallOptions) => {
      checkBody(endpoint, body, Object.keys(fields))
      return call(endpoint, jsonOf(endpoint, prepare(body, endpoint)), checkedOptions(endpoint, callOptions))
    }
  return {
    channels: get('channels'),
    createChannel: post('createChannel', { name: true, description: true, privacy: true, userIDs: true, emails: true }),
    addChannelMembers: post('addChannelMembers', { channelID: true, userIDs: true, emails: true }),
    deleteChannel: post('deleteChannel', { channelID: true }),
    postThread: post('postThread', { channel: true, channelID: true, blocks: true }, withBlocks),
    deleteThread: post('deleteThread', { threadID: true }),
    postComment: post('postComment', { threadID: true, parentID: true, blocks: true }, withBlocks),
    deleteComment: post('deleteComment', { commentID: true }),
    postChatMessage: post('postChatMessage', { chat: true, chatID: true, body: true }, ({ body, ...others }) => ({
      ...others,
      body: inField('postChatMessage', 'body', () => bodyFor(body)),
    })),
    deleteChatMessage: post('deleteChatMessage', { messageID: true, chatMessageID: true }, (body) => ({
      messageID: 'messageID' in body ? body.messageID : body.chatMessageID,
    })),
    createChat: post('createChat', { name: true, userIDs: true, emails: true }),
    deleteChat: post('deleteChat', { chatID: true }),
    users: get('users'),
    ping: get('ping'),
    upload: async (file, uploadOptions = {}) => {
      const options = checkedOptions('upload', uploadOptions, ['name'])
      return call('upload', await contentOf(file, uploadOptions), options)
    },
    // The casts declare the overloads: the results are all from chat messages or all from comments, as the target says.
    sendAll: ((...args: [never, never]) => sendAll(transport, ...args)) as Client['sendAll'],
    sendStream: ((...args: [never, never]) => sendStream(transport, ...args)) as Client['sendStream'],
  }
}

function withBlocks({ blocks, ...body }: { readonly blocks: Source }, method: string): object {
  return { ...body, blocks: inField(method, 'blocks', () => blocksFor(blocks)) }
}

const DEFAULT_MILLISECONDS = 30_000

function transportOf(options: ClientOptions): Transport {
  checkObject('createClient', options)
  const clock = clockOf(options.fetch)
  checkClientOptions(options, clock !== machineClock)
  const { baseUrl, apiKey, retryFor = DEFAULT_MILLISECONDS, timeout = DEFAULT_MILLISECONDS, onLimit } = options
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options // Browsers throw if `fetch` is called as a method.
  // The API's path is removed: people copy URLs that contain it from the documentation.
  const url = String(baseUrl)
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/api\/public$/, '')
  return { baseUrl: url, apiKey, retryFor, timeout, clock, fetch, onLimit, startTimes: new Map() }
}

/**
 * The methods of a client: one for each endpoint, and two for messages that need several posts. The examples use the service
 * in memory, `createTestService` of `blockmark/testing`.
 */
export interface Client {
  /**
   * Lists the public channels, and the private ones that the bot is a member of.
   *
   * @param options - a `signal`
   * @returns the channels, in the order of their ids
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const bot = createClient(createTestService({ channels: ['deploys'] }))
   * const channels = await bot.channels()
   * channels.map(({ name, privacy }) => [name, privacy]) // => [['deploys', 'public']]
   */
  channels(options?: CallOptions): Promise<Channel[]>
  /**
   * Creates a channel; the bot becomes a member.
   *
   * @param body - the `name`; optional: `description`, `privacy`, `userIDs`, `emails`
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL of the page
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const bot = createClient(createTestService())
   * const { channelID } = await bot.createChannel({ name: 'deploys', privacy: 'private' })
   * const channels = await bot.channels()
   * channels.map((channel) => channel.channelID === channelID) // => [true]
   */
  createChannel(body: BodyOf<'createChannel'>, options?: CallOptions): Promise<ResultOf<'createChannel'>>
  /**
   * Adds members to a channel; existing members stay members.
   *
   * @param body - the `channelID`, and `userIDs`, `emails` or both
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const bot = createClient(createTestService({ channels: ['deploys'], users: [{ name: 'Ann', userID: '7' }] }))
   * const [channel] = await bot.channels()
   * await bot.addChannelMembers({ channelID: channel?.channelID ?? '', userIDs: ['7'] })
   * const [changed] = await bot.channels()
   * changed?.memberIDs.includes('7') // => true
   */
  addChannelMembers(body: BodyOf<'addChannelMembers'>, options?: CallOptions): Promise<undefined>
  /**
   * Deletes a channel that this bot created, with everything in it.
   *
   * @param body - the `channelID`
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const bot = createClient(createTestService())
   * await bot.deleteChannel({ channelID: (await bot.createChannel({ name: 'old' })).channelID })
   * await bot.channels() // => []
   */
  deleteChannel(body: BodyOf<'deleteChannel'>, options?: CallOptions): Promise<undefined>
  /**
   * Posts a thread in a channel; a long text is split into blocks.
   *
   * @param body - `channel` (its name) or `channelID`, and `blocks`: text in the dialect, a tree, or blocks
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the page's URL, which anyone who has it can open without signing in
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @throws {BlockmarkError} if the message does not fit into one post; nothing is sent then
   * @example
   * import { md } from 'blockmark'
   * const bot = createClient(createTestService({ channels: ['deploys'] }))
   * const { threadURL } = await bot.postThread({ channel: 'deploys', blocks: md`**${'v7'}** is out` })
   * threadURL.startsWith('https://') // => true
   */
  postThread(body: BodyOf<'postThread'>, options?: CallOptions): Promise<ResultOf<'postThread'>>
  /**
   * Deletes a thread that this bot posted, and its comments.
   *
   * @param body - the `threadID`
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'oops' })
   * await bot.deleteThread({ threadID })
   * service.threads // => []
   */
  deleteThread(body: BodyOf<'deleteThread'>, options?: CallOptions): Promise<undefined>
  /**
   * Posts a comment on a thread, or a reply to one of its comments.
   *
   * @param body - the `threadID`, and `blocks` as for a thread; `parentID` is the comment to reply to
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @throws {BlockmarkError} if the message does not fit into one comment; `sendAll` posts several
   * @example
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7 is out' })
   * await bot.postComment({ threadID, blocks: 'and *well*' })
   * service.comments.map((comment) => comment.text) // => ['and well']
   */
  postComment(body: BodyOf<'postComment'>, options?: CallOptions): Promise<ResultOf<'postComment'>>
  /**
   * Deletes a comment of this bot; a comment with replies leaves a placeholder.
   *
   * @param body - the `commentID`
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7 is out' })
   * await bot.deleteComment(await bot.postComment({ threadID, blocks: 'oops' }))
   * service.comments // => []
   */
  deleteComment(body: BodyOf<'deleteComment'>, options?: CallOptions): Promise<undefined>
  /**
   * Posts a message in a chat that the bot is a member of.
   *
   * @param body - `chat` (its name) or `chatID`, and `body`: text in the dialect or a tree
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @throws {BlockmarkError} if the text does not fit into one message; `sendAll` posts several
   * @example
   * const service = createTestService({ chats: ['ops'] })
   * await createClient(service).postChatMessage({ chat: 'ops', body: 'all is **well**' })
   * service.messages.map((message) => message.text) // => ['all is well']
   */
  postChatMessage(body: BodyOf<'postChatMessage'>, options?: CallOptions): Promise<ResultOf<'postChatMessage'>>
  /**
   * Deletes a chat message of this bot.
   *
   * @param body - the `messageID`, or the result of `postChatMessage`
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService({ chats: ['ops'] })
   * const bot = createClient(service)
   * await bot.deleteChatMessage(await bot.postChatMessage({ chat: 'ops', body: 'oops' }))
   * service.messages // => []
   */
  deleteChatMessage(body: BodyOf<'deleteChatMessage'>, options?: CallOptions): Promise<undefined>
  /**
   * Creates a chat; the bot becomes a member. Several chats may have the same name.
   *
   * @param body - the `name`; optional: `userIDs`, `emails`
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL of the page
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService()
   * await createClient(service).createChat({ name: 'ops' })
   * service.chats.map(({ name }) => name) // => ['ops']
   */
  createChat(body: BodyOf<'createChat'>, options?: CallOptions): Promise<ResultOf<'createChat'>>
  /**
   * Deletes a chat that this bot created, with its messages.
   *
   * @param body - the `chatID`
   * @param options - your own `idempotencyKey`, a `signal`
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService()
   * const bot = createClient(service)
   * await bot.deleteChat(await bot.createChat({ name: 'ops' }))
   * service.chats // => []
   */
  deleteChat(body: BodyOf<'deleteChat'>, options?: CallOptions): Promise<undefined>
  /**
   * Lists the people and bots of the organization.
   *
   * @param options - a `signal`
   * @returns the users, in the order of their ids
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const bot = createClient(createTestService({ users: ['Ann Lee'] }))
   * const users = await bot.users()
   * users.map(({ name }) => name) // => ['Bot', 'Ann Lee']
   */
  users(options?: CallOptions): Promise<User[]>
  /**
   * Checks that the service responds and the API key is valid.
   *
   * @param options - a `signal`
   * @returns the names of the bot and its organization
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * await createClient(createTestService()).ping() // => { name: 'Bot', organization: 'Workspace' }
   */
  ping(options?: CallOptions): Promise<ResultOf<'ping'>>
  /**
   * Uploads a file; the block `<!fileID|>` of a message shows it.
   *
   * @param file - a path (Node.js), a Blob, bytes, a stream, or one of these as `{ data }`
   * @param options - the `name`, a `signal`, your own `idempotencyKey`
   * @returns the new file's id
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * const service = createTestService()
   * await createClient(service).upload(new Blob(['all is well']), { name: 'build.log' })
   * service.files.map(({ name, mediaType }) => [name, mediaType]) // => [['build.log', 'text/plain; charset=utf-8']]
   */
  upload(file: BodyOf<'upload'>, options?: UploadOptions): Promise<ResultOf<'upload'>>
  /**
   * Posts a message that may need several chat messages, in order. Call it again with the same `idempotencyKey` to post
   * the rest after a failure.
   *
   * @param message - `chat`, `chatID` or `threadID`, and the `source`
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all chat messages, in order
   * @throws {SendError} if a message was not posted, or may not have been; `delivered` has the results of the posted ones
   * @example
   * const service = createTestService({ chats: ['ops'] })
   * const source = ['# Report', 'all green: '.repeat(4_000)]
   * const bot = createClient(service)
   * const delivered = await bot.sendAll({ chat: 'ops', source }, { idempotencyKey: 'report of today' })
   * delivered.length // => 2
   */
  sendAll(message: ToChat & { source: Source }, options: SendOptions): Promise<ResultOf<'postChatMessage'>[]>
  /** Posts a message that may need several comments on a thread, in order. */
  sendAll(message: ToThread & { source: Source }, options: SendOptions): Promise<ResultOf<'postComment'>[]>

  /**
   * Posts a model's output while it arrives, in chat messages that are split by size alone, never by time. Store the
   * output: after a crash, a second call within 24 hours with the same `idempotencyKey` and the same text posts the rest.
   *
   * @param message - `chat`, `chatID` or `threadID`, the `source`, and a `reader` if the text is not in the dialect
   * @param options - your `idempotencyKey` for the message, a `signal`
   * @returns the results of all chat messages in order, and the diagnostics of the reader
   * @throws {SendError} if a message was not posted, or may not have been; `delivered` has the results of the posted ones
   * @example
   * import { createMarkdownStream } from 'blockmark/markdown'
   * const service = createTestService({ chats: ['ops'] })
   * async function* model() {
   *   yield* ['### All', ' is\n', '1. **wel', 'l**']
   * }
   * const message = { chat: 'ops', source: model(), reader: () => createMarkdownStream({ breaks: true }) }
   * const { diagnostics } = await createClient(service).sendStream(message, { idempotencyKey: 'answer 42' })
   * service.messages.map(({ body }) => body) // => ['**All is**\n\n1. **well**']
   * diagnostics.map(({ ruleId }) => ruleId) // => ['heading-depth', 'ordered-list']
   */
  sendStream(
    message: ToChat & Arriving<ResultOf<'postChatMessage'>>,
    options: SendOptions,
  ): Promise<Streamed<ResultOf<'postChatMessage'>>>
  /** Posts a model's output while it arrives, in comments on a thread. */
  sendStream(
    message: ToThread & Arriving<ResultOf<'postComment'>>,
    options: SendOptions,
  ): Promise<Streamed<ResultOf<'postComment'>>>
}
