/** The service's client: one method for each endpoint, typed by the contract. */

import type { Source } from '../../index.js'
import type { EndpointName, ResultOf } from '../contract/types.js'
import { checkBody, checkClientOptions, checkedOptions, checkObject } from './arguments.js'
import { type Content, perform, type Transport } from './call.js'
import { inField } from './errors.js'
import { blocksFor, bodyFor } from './message.js'
import type { Client } from './methods.js'
import type { CallOptions, ClientOptions } from './options.js'
import { type Deliveries, type Sender, sendAll, sendStream } from './send.js'
import { contentOf } from './upload.js'
import { clockOf, machineClock } from './waiting.js'

/**
 * Creates a client. It runs wherever `fetch` does, and posts nothing twice.
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
  const call = async <Name extends EndpointName>(
    endpoint: Name,
    content: Content | null,
    given: CallOptions & { readonly isPart?: boolean },
  ): Promise<ResultOf<Name>> => {
    // The response was checked against the result's schema.
    return (await perform(transport, { ...given, endpoint, content })) as ResultOf<Name>
  }
  const list =
    <Name extends 'channels' | 'users' | 'ping'>(endpoint: Name) =>
    async (given?: CallOptions) =>
      call(endpoint, null, checkedOptions(endpoint, given))
  /** `prepare` makes the body that is sent. */
  const post =
    <Name extends Parameters<typeof checkBody>[0], Body extends object>(
      endpoint: Name,
      prepare: (body: Body) => object = (body) => body,
    ) =>
    async (body: Body, given?: CallOptions) => {
      checkBody(endpoint, body)
      return call(endpoint, json(endpoint, prepare(body)), checkedOptions(endpoint, given))
    }
  const sender: Sender = {
    started: new Map(),
    now: transport.clock.now,
    post: (body, endpoint, given) => call(endpoint, json(endpoint, body), { ...given, isPart: true }),
  }
  // The cast declares the overloads: the results are all from chat messages or all from comments, as the target says.
  const deliveries = {
    sendAll: (...given: [never, never]) => sendAll(sender, ...given),
    sendStream: (...given: [never, never]) => sendStream(sender, ...given),
  } as Deliveries
  return {
    channels: list('channels'),
    createChannel: post('createChannel'),
    addChannelMembers: post('addChannelMembers'),
    deleteChannel: post('deleteChannel'),
    postThread: post('postThread', (body) => withBlocks('postThread', body)),
    deleteThread: post('deleteThread'),
    postComment: post('postComment', (body) => withBlocks('postComment', body)),
    deleteComment: post('deleteComment'),
    postChatMessage: post('postChatMessage', ({ body, ...others }) => ({
      ...others,
      body: inField('postChatMessage', 'body', () => bodyFor(body)),
    })),
    deleteChatMessage: post('deleteChatMessage', (body) => ({
      messageID: 'messageID' in body ? body.messageID : body.chatMessageID,
    })),
    createChat: post('createChat'),
    deleteChat: post('deleteChat'),
    users: list('users'),
    ping: list('ping'),
    upload: async (file, given = {}) => {
      const options = checkedOptions('upload', given, ['name'])
      return call('upload', await contentOf(file, given.name), options)
    },
    ...deliveries,
  }
}

function withBlocks(method: string, { blocks, ...body }: { readonly blocks: Source }): object {
  return { ...body, blocks: inField(method, 'blocks', () => blocksFor(blocks)) }
}

const MILLISECONDS = 30_000

function transportOf(options: ClientOptions): Transport {
  checkObject('createClient', options)
  const clock = clockOf(options.fetch)
  checkClientOptions(options, clock !== machineClock)
  const { baseUrl, apiKey, retryFor = MILLISECONDS, timeout = MILLISECONDS, onLimit } = options
  const { fetch = (url, init) => globalThis.fetch(url, init) } = options // browsers throw if it is called as a method
  // The API's path is removed: people copy URLs that contain it from the documentation.
  const url = String(baseUrl)
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/api\/public$/, '')
  return { baseUrl: url, apiKey, retryFor, timeout, clock, fetch, onLimit }
}

/** Writes the body once: the service recognizes a repeated request by its bytes. */
function json(method: string, body: object): Content {
  const text = inField(method, 'body', () => JSON.stringify(body))
  return { type: 'application/json', open: () => text }
}
