/** A client and the service that it talks to, in memory. */

import { type Client, type ClientOptions, createClient } from '../../src/api/client/index.js'
import { createTestService, type TestService, type TestServiceOptions } from '../../src/testing/index.js'

export interface Pair {
  readonly service: TestService
  readonly bot: Client
}

/** A bot with a channel and a chat, whose retries do not wait for long. */
export function createPair(client: Partial<ClientOptions> = {}, options: TestServiceOptions = {}): Pair {
  const service = createTestService({ channels: ['c'], chats: ['talk'], ...options })
  const { apiKey, baseUrl, fetch } = service
  return { service, bot: createClient({ apiKey, baseUrl, fetch, ...client }) }
}

/** What a promise is rejected with. */
export async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`expected a rejection, received ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}
