/** What a client offers: one method for each endpoint. */

import type {
  AddChannelMembersBody,
  BodyOf,
  Channel,
  CreateChannelBody,
  CreateChatBody,
  ResultOf,
  User,
} from '../contract/types.js'
import type { Deliveries } from './deliveries.js'
import type { CallOptions, PostChatMessage, PostComment, PostOptions, PostThread, UploadOptions } from './options.js'
import type { UploadSource } from './upload.js'

export interface Client extends Deliveries {
  /**
   * Lists the channels that the bot sees: public ones, and those that it is a member of.
   *
   * @param options - a `signal`, a `timeout`
   * @returns them, in the order of their ids
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService({ channels: ['deploys'] }))
   * const channels = await bot.channels()
   * channels.map(({ name, privacy }) => [name, privacy]) // => [['deploys', 'public']]
   */
  channels(options?: CallOptions): Promise<Channel[]>
  /**
   * Makes a channel; the bot is its first member.
   *
   * @param body - its `name`, and if need be `description`, `privacy`, `userIDs` and `emails`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @returns its id and the address of its page
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService())
   * const { channelID } = await bot.createChannel({ name: 'deploys', privacy: 'private' })
   * const channels = await bot.channels()
   * channels.map((channel) => channel.channelID === channelID) // => [true]
   */
  createChannel(body: CreateChannelBody, options?: PostOptions): Promise<ResultOf<'createChannel'>>
  /**
   * Adds members to a channel; who is one already stays one.
   *
   * @param body - the `channelID`, and `userIDs`, `emails` or both
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService({ channels: ['deploys'], users: [{ name: 'Ann', userID: '7' }] }))
   * const [channel] = await bot.channels()
   * await bot.addChannelMembers({ channelID: channel?.channelID ?? '', userIDs: ['7'] })
   * const [changed] = await bot.channels()
   * changed?.memberIDs.includes('7') // => true
   */
  addChannelMembers(body: AddChannelMembersBody, options?: PostOptions): Promise<undefined>
  /**
   * Deletes a channel that this bot made, and everything in it.
   *
   * @param body - the `channelID`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService())
   * await bot.deleteChannel({ channelID: (await bot.createChannel({ name: 'old' })).channelID })
   * await bot.channels() // => []
   */
  deleteChannel(body: BodyOf<'deleteChannel'>, options?: PostOptions): Promise<undefined>
  /**
   * Posts a thread in a channel; a long message is split into blocks.
   *
   * @param body - `channel` (its name) or `channelID`, and `blocks`: markdown, a tree, or blocks as they are
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @returns its id, and the address of its page, which opens for whoever has it
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @throws {BlockmarkError} where no post can hold the message, before anything is sent
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * import { md } from 'blockmark'
   * const bot = createClient(createTestService({ channels: ['deploys'] }))
   * const { threadURL } = await bot.postThread({ channel: 'deploys', blocks: md`**${'v7'}** is out` })
   * threadURL.startsWith('https://') // => true
   */
  postThread(body: PostThread, options?: PostOptions): Promise<ResultOf<'postThread'>>
  /**
   * Deletes a thread that this bot posted, and its comments.
   *
   * @param body - the `threadID`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'oops' })
   * await bot.deleteThread({ threadID })
   * service.threads // => []
   */
  deleteThread(body: BodyOf<'deleteThread'>, options?: PostOptions): Promise<undefined>
  /**
   * Comments on a thread, or replies to one of its comments.
   *
   * @param body - the `threadID`, `blocks` as for a thread, and if need be the `parentID` that is replied to
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @returns its id, and its address
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @throws {BlockmarkError} where no comment can hold the message; `sendAll` posts several
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7 is out' })
   * await bot.postComment({ threadID, blocks: 'and *well*' })
   * service.comments.map((comment) => comment.text) // => ['and well']
   */
  postComment(body: PostComment, options?: PostOptions): Promise<ResultOf<'postComment'>>
  /**
   * Deletes a comment of this bot; one with replies leaves an empty place.
   *
   * @param body - the `commentID`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ channels: ['deploys'] })
   * const bot = createClient(service)
   * const { threadID } = await bot.postThread({ channel: 'deploys', blocks: 'v7 is out' })
   * await bot.deleteComment(await bot.postComment({ threadID, blocks: 'oops' }))
   * service.comments // => []
   */
  deleteComment(body: BodyOf<'deleteComment'>, options?: PostOptions): Promise<undefined>
  /**
   * Posts a message in a chat that the bot is a member of.
   *
   * @param body - `chat` (its name) or `chatID`, and `body`: markdown or a tree
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @returns its id, and its address
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @throws {BlockmarkError} where one message can not hold it; `sendAll` posts several
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * await createClient(service).postChatMessage({ chat: 'ops', body: 'all is **well**' })
   * service.messages.map((message) => message.text) // => ['all is well']
   */
  postChatMessage(body: PostChatMessage, options?: PostOptions): Promise<ResultOf<'postChatMessage'>>
  /**
   * Deletes a chat message of this bot.
   *
   * @param body - the `messageID`, which is a `chatMessageID`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService({ chats: ['ops'] })
   * const bot = createClient(service)
   * const { chatMessageID } = await bot.postChatMessage({ chat: 'ops', body: 'oops' })
   * await bot.deleteChatMessage({ messageID: chatMessageID })
   * service.messages // => []
   */
  deleteChatMessage(body: BodyOf<'deleteChatMessage'>, options?: PostOptions): Promise<undefined>
  /**
   * Makes a chat; the bot is its first member. Several may have one name.
   *
   * @param body - its `name`, and if need be `userIDs` and `emails`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @returns its id and the address of its page
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService()
   * await createClient(service).createChat({ name: 'ops' })
   * service.chats.map(({ name }) => name) // => ['ops']
   */
  createChat(body: CreateChatBody, options?: PostOptions): Promise<ResultOf<'createChat'>>
  /**
   * Deletes a chat that this bot made, and its messages.
   *
   * @param body - the `chatID`
   * @param options - a `signal`, a `timeout`, an `idempotencyKey` of your own
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService()
   * const bot = createClient(service)
   * await bot.deleteChat(await bot.createChat({ name: 'ops' }))
   * service.chats // => []
   */
  deleteChat(body: BodyOf<'deleteChat'>, options?: PostOptions): Promise<undefined>
  /**
   * Lists the people and bots of the organization.
   *
   * @param options - a `signal`, a `timeout`
   * @returns them, in the order of their ids
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const bot = createClient(createTestService({ users: ['Ann Lee'] }))
   * const users = await bot.users()
   * users.map(({ name }) => name) // => ['Bot', 'Ann Lee']
   */
  users(options?: CallOptions): Promise<User[]>
  /**
   * Asks whether the service is there and the key works.
   *
   * @param options - a `signal`, a `timeout`
   * @returns the names of the bot and of its organization
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * await createClient(createTestService()).ping() // => { name: 'Bot', organization: 'Workspace' }
   */
  ping(options?: CallOptions): Promise<ResultOf<'ping'>>
  /**
   * Uploads a file; a block `<!fileID|>` of a message shows it.
   *
   * @param file - a path (Node.js), a Blob, bytes, a stream, or `{ data }` as the endpoint has it
   * @param options - its `name`, and who is told `onProgress`; a `signal`, an `idempotencyKey`
   * @returns its id
   * @throws {BlockmarkApiError} where the service refuses it or can not be reached
   * @example
   * import { createClient } from 'blockmark/client'
   * import { createTestService } from 'blockmark/testing'
   * const service = createTestService()
   * await createClient(service).upload(new Blob(['all is well']), { name: 'build.log' })
   * service.files.map(({ name, mediaType }) => [name, mediaType]) // => [['build.log', 'text/plain; charset=utf-8']]
   */
  upload(file: UploadSource | { data: UploadSource }, options?: UploadOptions): Promise<ResultOf<'upload'>>
}
