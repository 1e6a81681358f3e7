/** Admission: every route passes it, and no caller takes the share of the others. */

import { randomBytes, randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpointNames, pathsOf } from '../../src/api/contract/endpoints.js'
import { createKey } from '../../src/api/keys.js'
import { FairQueue, TimeSlices } from '../../src/api/rules/scheduler.js'
import { Connection, createArrivalCheck } from '../../src/server/admission/connection.js'
import { Bytes } from '../../src/server/admission/index.js'
import { type Caller, type Release, Slots } from '../../src/server/admission/slots.js'
import { handlers } from '../../src/server/pages/index.js'
import type { SiteOptions } from '../../src/server/request-context.js'
import { assetPath } from '../../src/server/static.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { sharedBackend } from './support/backends.js'
import { createWorld, SITE, serviceOf } from './support/world.js'

const { backend, folder } = await sharedBackend()
const world = await createWorld(backend, folder)
const key = (await world.bot('First')).key
/** The queries that looked up an API key or a session. */
let lookups = 0

const NOW = new Date()

// Requests are charged for their CPU time. A fake clock makes that zero, however busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

type Service = (request: Request) => Promise<Response>

function open(options: Partial<SiteOptions> = {}): Promise<Service> {
  const store = createPostgresStore(backend.database)
  const counted: typeof store = {
    ...store,
    identify(hash, now) {
      lookups += 1
      return store.identify(hash, now)
    },
  }
  return serviceOf({ store: counted, contents: world.contents, now: () => NOW, ...options })
}

function asking(path: string, headers: Record<string, string> = {}, address = '192.0.2.1'): Request {
  return new Request(SITE + path, { headers: { ...headers, 'x-address': address } })
}

const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status

/** Sends requests until one is rejected; returns the number of requests before it. */
async function admitted(handle: Service, request: () => Request): Promise<number> {
  for (let count = 0; count < 2000; count += 1) if ((await handle(request())).status === 429) return count
  return Number.POSITIVE_INFINITY
}

const anonymous = (): Request => asking('/favicon.ico')
const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` })

describe('a network', () => {
  test('gets only health and readiness when its tokens are used up', async () => {
    const handle = await open()
    expect(await admitted(handle, anonymous)).toBe(500)
    const free = ['/healthz', '/readyz']
    const paths = [
      ...endpointNames.flatMap(pathsOf),
      ...free,
      ...handlers.keys(),
      assetPath('pages.css'),
      ...['/docs', '/1', '/1?s=x', '/messages/1', '/files/1', '/files/1?s=x', '/nothing'],
      '/api/public/nothing',
    ]
    expect(paths.length).toBeGreaterThan(30)
    const statuses = await Promise.all(paths.map(async (path) => [path, await statusOf(handle(asking(path)))]))
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(paths.map((path) => [path, free.includes(path) ? 200 : 429])),
    )
    const refused = await handle(asking('/', { accept: 'text/html' }))
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['1', 'close'])
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    // Neighbors and bots are not affected.
    expect(await statusOf(handle(asking('/', {}, '192.0.2.2')))).toBe(200)
  })

  test('is a /64 of IPv6', async () => {
    const handle = await open()
    expect(await admitted(handle, () => asking('/favicon.ico', {}, '2001:db8::1'))).toBe(500)
    expect(await statusOf(handle(asking('/favicon.ico', {}, '2001:db8::ffff')))).toBe(429)
    expect(await statusOf(handle(asking('/favicon.ico', {}, '2001:db8:0:1::1')))).toBe(200)
  })

  test.each([
    ['API keys', '/api/public/ping', () => bearer(createKey())],
    ['sessions', '/', () => ({ cookie: `blockmark-session=${randomUUID()}.${randomBytes(32).toString('base64url')}` })],
  ])('pays ten tokens for made-up %s, before the query, whatever RATE_LIMIT is', async (_, path, headers) => {
    for (const rateLimit of [100, 0]) {
      lookups = 0
      const handle = await open({ rateLimit })
      expect(await admitted(handle, () => asking(path, headers()))).toBe(rateLimit === 0 || path !== '/' ? 50 : 40)
      expect(lookups).toBeLessThanOrEqual(50)
      expect(await statusOf(handle(asking('/favicon.ico')))).toBe(rateLimit === 0 || path === '/' ? 200 : 429)
    }
  })

  test('pays nothing for a valid API key, which is served when the tokens are used up', async () => {
    const handle = await open({ rateLimit: 0 })
    const pings = Array.from({ length: 100 }, () => handle(asking('/api/public/ping', bearer(key))))
    expect(new Set(await Promise.all(pings.map(statusOf)))).toEqual(new Set([200]))
    expect(await admitted(handle, () => asking('/api/public/ping', bearer(createKey())))).toBe(50)
    expect(await statusOf(handle(asking('/api/public/ping', bearer(key))))).toBe(200)
  })

  test('has no limit without RATE_LIMIT, nor in a program that calls the service as a function', async () => {
    expect(await admitted(await open({ rateLimit: 0 }), anonymous)).toBe(Number.POSITIVE_INFINITY)
    expect(await admitted(await open(), () => new Request(`${SITE}/favicon.ico`))).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a bot', () => {
  test('that has used up its requests is rejected before the query', async () => {
    const handle = await open()
    const ping = (): Request => asking('/api/public/ping', bearer(key))
    expect(await admitted(handle, ping)).toBe(200)
    lookups = 0
    expect(await statusOf(handle(ping()))).toBe(429)
    expect(lookups).toBe(0)
  })
})

test('a body of unknown length that does not fit into the budget gets 503', async () => {
  const handle = await open()
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(8_000_000, ' ')
    await ended
  }
  const send = (): Promise<Response> => {
    const { url, headers } = asking('/api/public/createChat', { ...bearer(key), 'content-type': 'application/json' })
    return handle(new Request(url, { method: 'POST', headers, body: ReadableStream.from(body()), duplex: 'half' }))
  }
  const answers = [send(), send(), send()]
  expect(await statusOf(Promise.race(answers))).toBe(503)
  end()
  expect((await Promise.all(answers.map(statusOf))).toSorted()).toEqual([400, 400, 503])
})

test('a reader can load eight files for each page, fewer if they are expensive', async () => {
  const count = await admitted(await open(), () => asking('/files/1', bearer(key)))
  expect(count).toBeGreaterThan(8)
  // A file costs an eighth of a page at least, and 39 of the 40 pages of the burst can be spent on files.
  expect(count).toBeLessThanOrEqual(39 * 8 + 1)
})

const one: Caller = { name: 'one', isStranger: false }
const other: Caller = { name: 'other', isStranger: false }
const stranger: Caller = { name: 'stranger', isStranger: true }

/** Waits until all promises have settled that can settle now. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('slots', () => {
  /** Takes slots without waiting; returns the slots that were free, and the order of the others. */
  async function take(slots: Slots, callers: readonly Caller[]): Promise<{ given: Release[]; order: string[] }> {
    const [given, order]: [Release[], string[]] = [[], []]
    for (const caller of callers) {
      // Requests that never get a slot are rejected after the end of the test.
      void Promise.resolve(slots.take(caller)).then(
        (release) => {
          order.push(caller.name)
          given.push(release)
        },
        () => undefined,
      )
    }
    await settled()
    return { given, order }
  }

  test('are at most half of all for one organization, and a quarter for all strangers', async () => {
    const many = (caller: Caller): Caller[] => Array(100).fill(caller)
    expect((await take(new Slots(20), many(one))).order).toHaveLength(10)
    expect((await take(new Slots(20), many(stranger))).order).toHaveLength(3)
    const strangers = Array.from({ length: 100 }, (_, index) => ({ ...stranger, name: String(index) }))
    expect((await take(new Slots(20), strangers)).order).toHaveLength(5)
    for (const caller of [one, stranger]) expect((await take(new Slots(1), many(caller))).order).toHaveLength(1)
  })

  test('go to the callers in slices, however many requests of one of them wait', async () => {
    const slots = new Slots(1)
    const { given, order } = await take(slots, [one, one, one, one, other, other])
    for (let count = 0; count < 6; count += 1) {
      given[count]?.()
      await settled()
    }
    expect(order).toEqual(['one', 'one', 'other', 'one', 'other', 'one'])
  })

  test('go to a stranger first if no stranger has one', async () => {
    const slots = new Slots(2)
    const { given, order } = await take(slots, [one, other, one, other, stranger, stranger])
    given[0]?.()
    await settled()
    given[1]?.()
    await settled()
    expect(order).toEqual(['one', 'other', 'stranger', 'one'])
  })

  test('are denied only to the caller whose queue is full', async () => {
    const slots = new Slots(2)
    await take(slots, Array(501).fill(one))
    await expect(async () => slots.take(one)).rejects.toMatchObject({ reason: 'unavailable' })
    expect((await take(slots, [other])).order).toEqual(['other'])
  })

  test('count the time of a caller as its share of all slots taken, while another caller needs one', async () => {
    const slots = new Slots(8)
    const { given } = await take(slots, [one, one, one, other])
    vi.advanceTimersByTime(80)
    expect(given.map((release) => release())).toEqual([20, 20, 20, 20])
    const alone = (await take(slots, [one, one])).given
    vi.advanceTimersByTime(80)
    expect(alone.map((release) => release())).toEqual([0, 0])
  })
})

test('a part of a request costs CPU time, not the time in which other programs have the processor', async () => {
  const slices = new TimeSlices()
  await slices.run(0, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300))
  expect(slices.milliseconds).toBeLessThan(100)
  const started = process.cpuUsage()
  await slices.run(0, () => {
    while (process.cpuUsage(started).user < 120_000);
  })
  expect(slices.milliseconds).toBeGreaterThan(100)
})

describe('time slices', () => {
  test('are a few in each iteration of the event loop, and go to the callers in order', async () => {
    const starts = new FairQueue(2)
    const order: string[] = []
    for (const caller of ['one', 'one', 'one', 'one', 'other', 'one', 'other']) {
      void Promise.resolve(starts.take(caller)).then(() => order.push(caller))
    }
    const seen: number[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      await settled()
      seen.push(order.length)
    }
    expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'one', 'one'])
    expect(seen).toEqual([2, 4, 6, 7])
  })

  test('of an iteration in which a connection arrives are only one', async () => {
    const starts = new FairQueue(2, createArrivalCheck())
    const started: number[] = []
    for (let count = 0; count < 5; count += 1) void starts.take('one').then(() => started.push(count))
    const seen: number[] = []
    for (const isArriving of [true, true, false]) {
      if (isArriving) new Connection(new Socket(), () => undefined)
      await settled()
      seen.push(started.length)
    }
    expect(seen).toEqual([1, 2, 4])
  })

  test('of a large request come after one of each other caller, and end when its client has gone', async () => {
    const order: string[] = []
    const run = async (caller: string, count: number): Promise<void> => {
      const slices = new TimeSlices()
      slices.caller = caller
      slices.check = () => {
        if (order.length > 8) throw new Error('gone')
      }
      for (let turn = 0; turn < count; turn += 1) {
        await slices.yield()
        order.push(caller)
      }
    }
    const many = Array.from({ length: 5 }, () => run('one', 2))
    const ends = await Promise.allSettled([...many, run('other', 3)])
    expect(order.slice(0, 6)).toEqual(['one', 'other', 'one', 'other', 'one', 'other'])
    expect(ends.filter(({ status }) => status === 'rejected')).not.toEqual([])
    expect(order).toHaveLength(9)
  })
})

describe('bytes', () => {
  test('are a quarter of the budget for one caller, and come back', () => {
    const bytes = new Bytes(100)
    const release = bytes.take(one, 20)
    bytes.take(one, 5)
    expect(() => bytes.take(one, 1)).toThrow('unavailable')
    release()
    release()
    expect(() => bytes.take(one, 20)).not.toThrow()
    expect(() => bytes.take(one, 1)).toThrow('unavailable')
  })

  test('that others hold leave an equal part for each caller', () => {
    const bytes = new Bytes(100)
    for (const name of ['a', 'b', 'c', 'd']) bytes.take({ ...one, name }, 25)
    expect(() => bytes.take({ ...one, name: 'a' }, 1)).toThrow('unavailable')
    expect(() => bytes.take({ ...one, name: 'e' }, 20)).not.toThrow()
    expect(() => bytes.take({ ...one, name: 'e' }, 1)).toThrow('unavailable')
  })

  test('are always enough for one large body', () => {
    const bytes = new Bytes(100)
    expect(() => bytes.take(one, 90)).not.toThrow()
    expect(() => bytes.take(other, 90)).toThrow('unavailable')
  })
})
