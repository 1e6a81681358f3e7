/** A client and the service that it talks to, in memory. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'vitest'
import { type Client, type ClientOptions, createClient } from '../../src/api/client/index.js'
import { createTestService, type TestService, type TestServiceOptions } from '../../src/testing/index.js'
import { portOf } from '../api/support/programs.js'

export interface Pair {
  readonly service: TestService
  readonly bot: Client
}

/** Creates a bot with a channel and a chat; its waits pass at once. */
export function createPair(client: Partial<ClientOptions> = {}, options: TestServiceOptions = {}): Pair {
  const service = createTestService({ channels: ['c'], chats: ['talk'], ...options })
  const { apiKey, baseUrl, fetch } = service
  return { service, bot: createClient({ apiKey, baseUrl, fetch, ...client }) }
}

/** Creates the same pair, but the bot waits by the machine's clock. */
export function createWaitingPair(client: Partial<ClientOptions> = {}, options: TestServiceOptions = {}): Pair {
  const pair = createPair(client, options)
  const { apiKey, baseUrl, fetch } = pair.service
  return { ...pair, bot: createClient({ apiKey, baseUrl, fetch: (...given) => fetch(...given), ...client }) }
}

/** Returns the reason of a rejection. */
export async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error(`expected a rejection, received ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}

export interface Listening {
  readonly baseUrl: string
  close(): Promise<void>
}

/** Serves a service on a port; a dropped connection undoes no work. */
export async function listen(
  service: TestService,
  decide: (response: Response, method: string) => 'send' | 'drop' = () => 'send',
): Promise<Listening> {
  const server = createServer(async (incoming, outgoing) => {
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      name === 'content-length' ? [] : values.map((value): [string, string] => [name, value]),
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '' } = incoming
    const body = method === 'POST' ? Buffer.concat(chunks) : null
    // A fault of the service breaks the connection.
    const response = await service.fetch(service.baseUrl + incoming.url, { method, headers, body }).catch(() => null)
    if (response === null || decide(response, method) === 'drop') incoming.socket.destroy()
    else outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Serves a service on a port, and drops the connection after every n-th commit. */
export function listenDropping(service: TestService, n: number): Promise<Listening> {
  let commits = 0
  return listen(service, (response, method) => {
    const isCommit = method === 'POST' && response.ok && response.headers.get('idempotent-replayed') === null
    if (isCommit) commits += 1
    return isCommit && commits % n === 0 ? 'drop' : 'send'
  })
}

/** Serves a service on a port, drops the connection after every second commit, and checks the posts of a story. */
export async function listenBreaking(): Promise<Listening & { service: TestService; expectStory(): void }> {
  const service = createTestService({ channels: ['deploys'] })
  return {
    ...(await listenDropping(service, 2)),
    service,
    expectStory() {
      expect(service.threads.map(({ text }) => text.split('\n', 1)[0])).toEqual(['from Bot'])
      expect(service.comments.map(({ blocks }) => blocks.length)).toEqual([100, 50])
      expect(service.files.map(({ name, size }) => [name, size])).toEqual([
        ['log.txt', 12],
        ['stream.txt', 14],
      ])
      expect(service.requests.filter(({ isReplayed }) => isReplayed).length).toBeGreaterThanOrEqual(2)
    },
  }
}

export interface Running {
  readonly child: ChildProcess
  readonly texts: { stdout: string; stderr: string }
  write(text: string | Buffer): void
  /** Ends standard input, waits for the process, and returns its exit code. */
  end(): Promise<number | null>
}

/** Starts a program of Node.js, with only these variables in its environment. */
export function start(words: readonly string[], variables: Readonly<Record<string, string>>, cwd?: string): Running {
  const env = { PATH: process.env['PATH'] ?? '', ...variables }
  const child = spawn(process.execPath, words, { env, cwd })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    texts.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    texts.stderr += chunk
  })
  const closed = once(child, 'close')
  return {
    ...{ child, texts },
    write: (text) => child.stdin.write(text),
    async end() {
      child.stdin.end()
      await closed
      return child.exitCode
    },
  }
}
