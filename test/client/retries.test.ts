/** Faults between client and service: lost responses, limits, slowness, and calls that give up. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { inspect } from 'node:util'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BlockmarkApiError, type Client, type ClientOptions, createClient } from '../../src/api/client/index.js'
import { portOf } from '../api/support/programs.js'
import { createWaitingPair as createPair, thrownBy } from './support.js'

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  vi.useRealTimers()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

const post = (bot: Client): Promise<unknown> => bot.postThread({ channel: 'c', blocks: ['once'] })

describe('a call that is tried again', () => {
  test('has the same Idempotency-Key and does nothing twice, no matter how its response is lost', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair()
    service.lose(2)
    service.lose(1, { of: 'request' })
    service.fail(502)
    const posted = post(bot)
    await vi.runAllTimersAsync()
    await posted
    expect(service.threads).toHaveLength(1)
    expect(service.requests.map(({ status }) => status)).toEqual(['lost', 'lost', 'lost', 502, 200])
    const keys = new Set(service.requests.map(({ idempotencyKey }) => idempotencyKey))
    expect([keys.size, [...keys][0]?.length]).toEqual([1, 32])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('may have any string as idempotency key; different strings are different keys', async () => {
    const { bot, service } = createPair()
    const keys = [
      'release v7',
      'día 1',
      'd%C3%ADa 1',
      ' day',
      'day',
      '日'.repeat(255),
      'x'.repeat(255),
      '\ud800',
      '\ud801',
      'a\nb',
    ]
    for (const idempotencyKey of [...keys, ...keys]) {
      await bot.postThread({ channel: 'c', blocks: [JSON.stringify(idempotencyKey)] }, { idempotencyKey })
    }
    expect(service.threads).toHaveLength(keys.length)
    expect(service.requests.filter(({ isReplayed }) => isReplayed)).toHaveLength(keys.length)
    const { idempotencyKey } = (await thrownBy(
      bot.deleteThread({ threadID: '1' }, { idempotencyKey: 'día 1' }),
    )) as BlockmarkApiError
    expect(idempotencyKey).toBe('día 1')
  })

  test('gives up after `retryFor`, and says why', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair({ retryFor: 1000 })
    service.lose(99)
    const started = Date.now()
    const error = thrownBy(post(bot))
    await vi.runAllTimersAsync()
    expect(await error).toMatchObject({ status: 0, code: 'connection_failed', requestID: null })
    expect(String(await error)).toContain('POST postThread: connection_failed: fetch failed: read ECONNRESET')
    // The waits are at most 200, 400 and 800 ms, and at least half of that.
    expect(service.requests.length).toBeGreaterThanOrEqual(3)
    expect(service.requests.length).toBeLessThanOrEqual(4)
    expect(Date.now() - started).toBeLessThan(1000)
    expect(service.threads).toHaveLength(1)
  })

  test('reports the reason of a rejected fetch, also if it is not an Error', async () => {
    const fetch = (): Promise<Response> => Promise.reject('no way there')
    const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch, retryFor: 0 })
    expect(String(await thrownBy(bot.ping()))).toContain('GET ping: connection_failed: no way there')
  })

  test.each([400, 401, 403, 404, 413, 415, 422])('is not one that was rejected with %i', async (status) => {
    const { bot, service } = createPair()
    service.fail(status, 2)
    expect(await thrownBy(post(bot))).toMatchObject({ status })
    expect(service.requests).toHaveLength(1)
  })

  test('waits while its first attempt is still running', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair()
    service.fail('idempotency_in_progress', 1, { retryAfter: 1 })
    const posted = post(bot)
    await vi.runAllTimersAsync()
    await posted
    expect(service.requests.map(({ status }) => status)).toEqual([409, 200])
  })

  test('waits longer each time, never as long as another client', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair()
    const times: number[] = []
    const waiting = createClient({
      ...{ apiKey: service.apiKey, baseUrl: service.baseUrl, retryFor: 60_000 },
      fetch: async () => {
        times.push(Date.now())
        throw new TypeError('fetch failed')
      },
    })
    const error = thrownBy(waiting.ping())
    await vi.runAllTimersAsync()
    await error
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    waits.forEach((wait, index) => {
      const most = Math.min(5_000, 200 * 2 ** index)
      expect(wait).toBeGreaterThanOrEqual(Math.floor(most / 2))
      expect(wait).toBeLessThanOrEqual(most + 1)
    })
    expect(new Set(waits).size).toBeGreaterThan(4)
    expect(await bot.ping()).toBeTruthy()
  })
})

describe('limits', () => {
  test('the client waits as long as Retry-After says, in seconds or as a date', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair()
    service.fail(429, 1, { retryAfter: 3 })
    const started = Date.now()
    const pinged = bot.ping()
    await vi.advanceTimersByTimeAsync(2_999)
    expect(service.requests).toHaveLength(1)
    await vi.runAllTimersAsync()
    await pinged
    expect(Date.now() - started).toBeLessThan(3_500)
    const responses = [
      new Response('{}', {
        status: 503,
        headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' },
      }),
      Response.json({ ok: true, result: [] }),
    ]
    let count = 0
    const fetch = async (): Promise<Response> => responses[count++] ?? Response.error()
    const listed = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch }).users()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(count).toBe(1)
    await vi.runAllTimersAsync()
    expect(await listed).toEqual([])
  })

  test('a 429 without a time is repeated like other failures', async () => {
    vi.useFakeTimers()
    const responses = [new Response(null, { status: 429 }), Response.json({ ok: true, result: [] })]
    const fetch = async (): Promise<Response> => responses.shift() ?? Response.error()
    const limits: unknown[] = []
    const onLimit: ClientOptions['onLimit'] = (limit) => limits.push(limit)
    const listed = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch, onLimit }).users()
    await vi.runAllTimersAsync()
    expect(await listed).toEqual([])
    expect(limits).toEqual([{ wait: expect.any(Number) }])
  })

  test('a date is compared with the local clock if the server sends no Date header', async () => {
    vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }
    const responses = [new Response(null, { status: 503, headers }), Response.json({ ok: true, result: [] })]
    const fetch = async (): Promise<Response> => responses.shift() ?? Response.error()
    const listed = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch }).users()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(responses).toHaveLength(1)
    await vi.runAllTimersAsync()
    expect(await listed).toEqual([])
  })

  test('a Retry-After longer than `retryFor` ends the call at once', async () => {
    const { bot, service } = createPair()
    service.fail(503, 1, { retryAfter: 3600 })
    expect(await thrownBy(bot.ping())).toMatchObject({ status: 503, code: 'storage_unavailable' })
  })

  test('hundreds of calls at once all arrive, after the pauses that the service asks for, and onLimit is called', async () => {
    vi.useFakeTimers()
    const waits: number[] = []
    const { bot, service } = createPair({ onLimit: ({ wait }) => waits.push(wait) }, { rateLimit: 25 })
    const started = Date.now()
    const posted = Promise.all(Array.from({ length: 250 }, () => post(bot)))
    await vi.runAllTimersAsync()
    await posted
    expect(service.threads).toHaveLength(250)
    expect((Date.now() - started) / 1000).toBeLessThan(12)
    expect(waits.length).toBeGreaterThan(0)
    expect(waits.every((wait) => wait >= 1000)).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('errors that onLimit throws are ignored', async () => {
    vi.useFakeTimers()
    let count = 0
    const throwing = (): never => {
      count += 1
      throw new Error('no')
    }
    const { bot, service } = createPair({ onLimit: throwing })
    service.fail(429)
    const pinged = bot.ping()
    await vi.runAllTimersAsync()
    await pinged
    const rejecting = createPair({ onLimit: (async () => throwing()) as never })
    rejecting.service.fail(429)
    const again = rejecting.bot.ping()
    await vi.runAllTimersAsync()
    await again
    expect(count).toBe(2)
  })
})

describe('giving up', () => {
  test('a slow response is a timeout; the call is repeated, and its work is done once', async () => {
    vi.useFakeTimers()
    const { bot, service } = createPair({ timeout: 1000, retryFor: 1001 })
    service.delay(5000)
    const error = thrownBy(post(bot))
    await vi.runAllTimersAsync()
    expect(await error).toMatchObject({ status: 0, code: 'timeout' })
    expect(String(await error)).toContain('no response came within 1000 ms')
    expect(service.threads).toHaveLength(1)
    expect(service.requests.length).toBeGreaterThanOrEqual(2)
    service.recover()
    await post(bot)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('after a timeout, the error says that the post may exist, and its key repeats the call safely', async () => {
    const { bot, service } = createPair({ timeout: 20, retryFor: 0 })
    service.delay(60_000)
    const error = await thrownBy(post(bot))
    const { idempotencyKey = '' } = error as BlockmarkApiError
    expect(error).toMatchObject({ code: 'timeout', isUnknown: true, idempotencyKey: expect.stringMatching(/^\w{32}$/) })
    expect(String(error)).toContain(
      `\nThe service may have done it: repeat the call with idempotencyKey "${idempotencyKey}".`,
    )
    expect(service.threads).toHaveLength(1)
    service.recover()
    await bot.postThread({ channel: 'c', blocks: ['once'] }, { idempotencyKey })
    expect(service.threads).toHaveLength(1)
  })

  test('isUnknown is true if any attempt may have been done, and false if the service rejected the call', async () => {
    const { bot, service } = createPair({ retryFor: 0 })
    service.fail(503)
    expect(await thrownBy(post(bot))).toMatchObject({ status: 503, isUnknown: true })
    const rejected = await thrownBy(bot.deleteThread({ threadID: '1' }, { idempotencyKey: 'k' }))
    expect(rejected).toMatchObject({ status: 404, isUnknown: false, idempotencyKey: 'k' })
    expect(String(rejected)).not.toContain('repeat')
    service.lose(1)
    expect(await thrownBy(bot.ping())).toMatchObject({ status: 0, isUnknown: false, idempotencyKey: undefined })
    const { apiKey, baseUrl, fetch } = service
    const patient = createClient({ apiKey, baseUrl, fetch, retryFor: 5_000 })
    service.lose(1)
    service.fail('not_owner')
    expect(await thrownBy(post(patient))).toMatchObject({ status: 403, isUnknown: true })
    service.fail(429)
    expect(await thrownBy(post(bot))).toMatchObject({ status: 429, isUnknown: false })
  })

  /** Returns the URL of a port that was closed. */
  async function closedUrl(): Promise<string> {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const baseUrl = `http://127.0.0.1:${portOf(closed)}`
    await new Promise((resolve) => closed.close(resolve))
    return baseUrl
  }

  test('isUnknown is false if no attempt was connected, and the error names baseUrl', async () => {
    const baseUrl = await closedUrl()
    const error = await thrownBy(post(createClient({ baseUrl, apiKey: 'wsk_secret', retryFor: 300 })))
    expect(error).toMatchObject({ status: 0, code: 'connection_failed', isUnknown: false })
    expect(String(error)).toMatch(new RegExp(`: nothing answers at ${baseUrl}: check baseUrl$`))
  })

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'UND_ERR_SOCKET'])(
    'isUnknown is false only if no attempt was connected: %s',
    async (code) => {
      const { service } = createPair()
      const { apiKey, baseUrl } = service
      const failed = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })
      const isConnected = !['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)
      const fetch = async (): Promise<Response> => Promise.reject(failed)
      expect(await thrownBy(post(createClient({ apiKey, baseUrl, fetch, retryFor: 0 })))).toMatchObject({
        isUnknown: isConnected,
      })
      // The service does the first attempt, and is not there any more for the others.
      service.lose(1)
      let attempts = 0
      const answeringOnce: ClientOptions['fetch'] = async (url, init) => {
        attempts += 1
        return attempts === 1 ? service.fetch(url, init) : Promise.reject(failed)
      }
      const error = await thrownBy(post(createClient({ apiKey, baseUrl, fetch: answeringOnce, retryFor: 500 })))
      expect(attempts).toBeGreaterThan(1)
      expect(error).toMatchObject({ isUnknown: true })
      expect(String(error)).toContain('\nThe service may have done it: repeat the call with idempotencyKey')
    },
  )

  test('the cause of a failed connection keeps its code, and no API key', async () => {
    const baseUrl = await closedUrl()
    const bot = createClient({ baseUrl, apiKey: 'wsk_secret', retryFor: 0 })
    const { cause } = (await thrownBy(bot.ping())) as BlockmarkApiError
    expect(cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
  })

  test.each(['before', 'while it is sent', 'during a backoff'])(
    'an AbortSignal ends a call %s, with its reason',
    async (moment) => {
      vi.useFakeTimers()
      const { bot, service } = createPair()
      const reason = new Error('enough')
      const controller = new AbortController()
      if (moment === 'before') controller.abort(reason)
      if (moment === 'while it is sent') service.delay(10_000)
      if (moment === 'during a backoff') service.fail(503, 1, { retryAfter: 20 })
      const error = thrownBy(bot.ping({ signal: controller.signal }))
      await vi.advanceTimersByTimeAsync(5)
      controller.abort(reason)
      expect(await error).toBe(reason)
      expect(vi.getTimerCount()).toBe(0)
      expect(service.requests.length).toBeLessThanOrEqual(1)
    },
  )

  test('also if a fetch ignores its signal', async () => {
    vi.useFakeTimers()
    const fetch = (): Promise<Response> =>
      new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 90_000))
    const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch, timeout: 100, retryFor: 0 })
    const timedOut = thrownBy(bot.ping())
    const aborted = thrownBy(bot.ping({ signal: AbortSignal.abort(new Error('no')) }))
    await vi.advanceTimersByTimeAsync(200)
    expect(await timedOut).toMatchObject({ code: 'timeout' })
    expect(await aborted).toMatchObject({ message: 'no' })
    await vi.runAllTimersAsync()
  })

  test('also from within a fetch, and from within onLimit', async () => {
    const never = new AbortController()
    const fetch = (): Promise<Response> => {
      never.abort(new Error('not asked'))
      return new Promise(() => undefined)
    }
    const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch })
    expect(await thrownBy(bot.ping({ signal: never.signal }))).toMatchObject({ message: 'not asked' })
    const limited = new AbortController()
    const refusing = createClient({
      ...{ baseUrl: 'https://x.test', apiKey: 'k', onLimit: () => limited.abort(new Error('not again')) },
      fetch: async () => new Response(null, { status: 429, headers: { 'retry-after': '60' } }),
    })
    expect(await thrownBy(refusing.ping({ signal: limited.signal }))).toMatchObject({ message: 'not again' })
  })

  test('a signal that is used for many calls keeps no listener', async () => {
    const { bot } = createPair()
    const controller = new AbortController()
    const counts = { add: 0, remove: 0 }
    const { addEventListener, removeEventListener } = controller.signal
    controller.signal.addEventListener = (...given: unknown[]) => {
      counts.add += 1
      Reflect.apply(addEventListener, controller.signal, given)
    }
    controller.signal.removeEventListener = (...given: unknown[]) => {
      counts.remove += 1
      Reflect.apply(removeEventListener, controller.signal, given)
    }
    for (let count = 0; count < 20; count += 1) await bot.ping({ signal: controller.signal })
    expect(counts.add).toBeGreaterThan(0)
    expect(counts.remove).toBe(counts.add)
  })
})

describe('over a socket', () => {
  let server: Server
  const seen: { url: string; key: string | undefined; length: number }[] = []
  let faultOf: (count: number) => 'drop' | 'redirect' | 'page' | 'cut' | 'ok'
  beforeEach(async () => {
    seen.length = 0
    server = createServer((request, response) => {
      let length = 0
      request.on('data', (chunk: Buffer) => {
        length += chunk.byteLength
      })
      request.on('end', () => {
        seen.push({ url: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined, length })
        const what = faultOf(seen.length)
        if (what === 'drop') return void request.socket.destroy()
        if (what === 'redirect') return void response.writeHead(307, { location: 'http://127.0.0.2/' }).end()
        if (what === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
        if (what === 'ok') return void response.end('{"ok":true,"result":{"fileID":"1"}}')
        response.writeHead(200, { 'content-length': 100 })
        response.write('{"ok":')
        setTimeout(() => response.destroy(), 10)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  const botOf = (options = {}): Client => {
    return createClient({ baseUrl: `http://127.0.0.1:${portOf(server)}`, apiKey: 'wsk_secret_of_the_bot', ...options })
  }

  test('a call whose connection breaks, before or within the response, is repeated with the same idempotency key', async () => {
    faultOf = (count) => (['drop', 'cut', 'ok'] as const)[count - 1] ?? 'ok'
    await botOf().deleteThread({ threadID: '1' })
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
  })

  test('a redirect is not followed, because it would get the API key', async () => {
    faultOf = () => 'redirect'
    expect(await thrownBy(botOf().ping())).toMatchObject({ status: 307, code: 'invalid_response' })
    expect(seen).toHaveLength(1)
  })

  test('a response of another server is reported as invalid', async () => {
    faultOf = () => 'page'
    expect(await thrownBy(botOf({ retryFor: 300 }).ping())).toMatchObject({ status: 200, code: 'invalid_response' })
    expect(seen.length).toBeGreaterThanOrEqual(2)
  })

  test('a file and a stream are sent again with the same bytes', async () => {
    faultOf = (count) => (count % 2 === 1 ? 'drop' : 'ok')
    await botOf().upload('package.json')
    expect(seen[0]?.length).toBe(seen[1]?.length)
    const stream = new Blob([new Uint8Array(12 * 1024 * 1024)]).stream()
    expect(await botOf().upload(stream)).toEqual({ fileID: '1' })
    expect(seen[2]?.length).toBeGreaterThan(12 * 1024 * 1024)
    expect(seen[2]?.length).toBe(seen[3]?.length)
  })

  test('no error shows the API key: not as a string, not inspected, not as JSON', async () => {
    const key = 'wsk_secret_of_the_bot'
    const errors: unknown[] = []
    faultOf = () => 'redirect'
    errors.push(await thrownBy(botOf().ping()))
    const echoing = [
      async (_: unknown, init?: RequestInit) => {
        throw new Error('bad header', { cause: new Error(JSON.stringify(init?.headers)) })
      },
      async (_: unknown, init?: RequestInit) =>
        Response.json(
          {
            ok: false,
            error: {
              code: 'unauthorized',
              message: `no ${JSON.stringify(init?.headers)}`,
              requestID: key,
              details: [{ path: [key], code: 'x', message: key }],
            },
          },
          { status: 401 },
        ),
    ]
    for (const fetch of echoing) errors.push(await thrownBy(botOf({ fetch, retryFor: 0 }).ping()))
    errors.push(
      await thrownBy(
        botOf({ fetch: echoing[0], retryFor: 0 }).sendAll({ chat: 'x', source: 'y' }, { idempotencyKey: 'z' }),
      ),
    )
    const client = botOf()
    for (const value of [...errors, client]) {
      const shown = [String(value), inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value)]
      if (value instanceof Error) shown.push(String(value.stack), value.message)
      for (const text of shown) expect(text).not.toContain('secret')
    }
    expect(errors.every((error) => error instanceof Error)).toBe(true)
    expect(JSON.parse(JSON.stringify(errors[2]))).toMatchObject({ name: 'BlockmarkApiError', status: 401 })
    expect(errors[0]).toBeInstanceOf(BlockmarkApiError)
  })
})

test('a process with a client ends by itself when its calls have', async () => {
  const contents = `
    import { createClient } from './src/api/client/index.js'
    const bot = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', retryFor: 300 })
    console.log((await bot.ping().catch((error) => error)).code)
    console.log(process.getActiveResourcesInfo().includes('Timeout'))
  `
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: process.cwd() }, bundle: true, format: 'esm', platform: 'node', write: false },
  })
  const program = outputFiles[0]?.text ?? ''
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-'], { input: program, encoding: 'utf8' })
  expect(stdout).toBe('connection_failed\nfalse\n')
})
