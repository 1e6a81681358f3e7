/** The client's methods: one for each endpoint. */

import type { Channel, ResultOf, User } from '../contract/types.js'
import type { BodyOf, CallOptions, UploadOptions } from './options.js'
import type { Deliveries } from './send.js'

export interface Client extends Deliveries {
  /**
   * Lists the public channels, and the private ones that the bot is a member of.
   *
   * @param options - a `signal`
   * @returns the channels, in the order of their ids
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService({ channels: ['deploys'] }))
   * const channels = await bot.channels()
   * channels.map(({ name, privacy }) => [name, privacy]) // => [['deploys', 'public']]
   */
  channels(options?: CallOptions): Promise<Channel[]>
  /**
   * Creates a channel; the bot becomes its first member.
   *
   * @param body - the `name`; optional: `description`, `privacy`, `userIDs`, `emails`
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL of the page
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * @returns the new id and the page's URL, which every reader can open without signing in
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @throws {BlockmarkError} if the message does not fit into one post; nothing is sent then
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * const bot = createClient(service)
   * await bot.deleteChatMessage(await bot.postChatMessage({ chat: 'ops', body: 'oops' }))
   * service.messages // => []
   */
  deleteChatMessage(body: BodyOf<'deleteChatMessage'>, options?: CallOptions): Promise<undefined>
  /**
   * Creates a chat; the bot becomes its first member. Several chats may have the same name.
   *
   * @param body - the `name`; optional: `userIDs`, `emails`
   * @param options - your own `idempotencyKey`, a `signal`
   * @returns the new id and the URL of the page
   * @throws {BlockmarkApiError} if the service rejects the call or cannot be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
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
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService()
   * await createClient(service).upload(new Blob(['all is well']), { name: 'build.log' })
   * service.files.map(({ name, mediaType }) => [name, mediaType]) // => [['build.log', 'text/plain; charset=utf-8']]
   */
  upload(file: BodyOf<'upload'>, options?: UploadOptions): Promise<ResultOf<'upload'>>
}
