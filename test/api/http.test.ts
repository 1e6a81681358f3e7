/** The service on Fastify: reports about requests, forms in any chunks, and responses that wait for their reader. */

import { hash } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Page, StoreError } from '../../src/api/store/store.js'
import { readConfig } from '../../src/server/config.js'
import type { ContentStorage } from '../../src/server/files/storage.js'
import { addSite, createApp } from '../../src/server/http/app.js'
import { listen } from '../../src/server/http/listen.js'
import type { ReceivedRequest } from '../../src/server/request-context.js'
import type { SiteRows, SiteStore } from '../../src/server/site-store.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { sharedBackend } from './support/backends.js'
import { portOf } from './support/programs.js'
import { createWorld, SITE, serviceOf } from './support/world.js'

const { backend, folder } = await sharedBackend()
const here = await createWorld(backend, folder)
const bot = await here.bot('First')

test('the report about a request has its endpoint, bot, status and path, and the cause of a failure, which is not sent', async () => {
  const reports: (ReceivedRequest & { status: number })[] = []
  const cause = new StoreError('unavailable', new Error('a secret'))
  const store = { ...createPostgresStore(backend.database), write: () => Promise.reject(cause) }
  const world = await createWorld(backend, folder, {
    store,
    onResponse: (context, status) => reports.push({ ...context, status }),
  })
  const first = await world.bot('First')
  const botID = first.userID
  const failed = await first.call('createChat', { name: 'c' })
  expect([failed.status, JSON.stringify(failed.body).includes('secret')]).toEqual([503, false])
  await world.get('/api/public/nothing', null, { 'x-address': '192.0.2.1' })
  await world.get('/api/public/ping')
  expect(await (await world.get('/1', first)).text()).toContain('<span class="viewer" dir="auto">First</span>')
  const none = { organization: null, botID: null }
  expect(reports).toMatchObject([
    {
      ...{ requestID: failed.headers.get('x-request-id'), endpoint: 'createChat', status: 503, error: cause },
      ...{ url: { pathname: '/api/public/createChat' }, organization: world.organization, botID },
    },
    { ...none, endpoint: null, status: 404, request: { address: '192.0.2.1' } },
    { ...none, endpoint: 'ping', status: 401, error: { code: 'unauthorized' } },
    { endpoint: 'page', status: 404, botID, error: { code: 'not_found' } },
  ])
})

test('a program that posts to a wrong path gets the error as JSON, with the path of the endpoints', async () => {
  const { status, headers, body } = await bot.send('../postThread', { body: '{}' })
  expect([status, headers.get('allow'), body.error?.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed'])
  expect(body.error?.message).toBe(
    'This path accepts only GET, HEAD. The endpoints of the API start with /api/public/.',
  )
})

test('a list is not read further for a reader that goes away', async () => {
  const all = Array.from({ length: 2000 }, (_, index) => ({
    ...{ id: String(index + 1), name: 'x'.repeat(4000), email: 'e', emailKey: 'e' },
  }))
  let reads = 0
  const users = async ({ after, count }: Page): Promise<typeof all> => {
    reads += 1
    return all.slice(Number(after)).slice(0, count ?? 0)
  }
  const store: SiteStore = {
    ...createPostgresStore(backend.database),
    // A list of users calls only `users` of the store's rows.
    rows: () => ({ users }) as unknown as SiteRows,
  }
  const service = await serviceOf({ contents: here.contents, rateLimit: 0, store })
  const headers = { authorization: `Bearer ${bot.key}` }
  const list = (method: string): Promise<Response> =>
    service(new Request(`${SITE}/api/public/users`, { method, headers }))
  const whole: { result: unknown[] } = JSON.parse(await (await list('GET')).text())
  expect([whole.result.length, reads]).toEqual([2000, 10])
  reads = 0
  await (await list('GET')).body?.cancel()
  await sleep(100)
  expect(reads).toBeLessThan(5)
  reads = 0
  expect([(await list('HEAD')).status, reads]).toEqual([200, 1])
})

test('responses to clients that have gone away take no bytes from the budget', async () => {
  const app = createApp()
  const store = createPostgresStore(backend.database)
  addSite(app, { ...readConfig({}), siteUrl: SITE, store, contents: here.contents, rateLimit: 0 })
  await app.ready()
  let isPatient = true
  const server = await listen({ host: '127.0.0.1', port: 0 }, async (incoming, outgoing) => {
    app.routing(incoming, outgoing)
    if (!isPatient) incoming.socket.destroy()
  })
  onTestFinished(() => void server.close().closeAllConnections())
  const get = (): Promise<Response> => fetch(`http://127.0.0.1:${portOf(server)}/docs/search.json`)
  const { length } = await (await get()).text()
  isPatient = false
  // One caller gets at most 64 MiB.
  for (let bytes = 0; bytes < 2 ** 26; bytes += 20 * length) {
    const all = await Promise.allSettled(Array.from({ length: 20 }, get))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['rejected']))
  }
  isPatient = true
  await expect.poll(async () => (await get()).status).toBe(200)
})

test('a file is closed if the budget of bytes is used up, or if its reader stops before the first byte', async () => {
  // Linux lists the open files of a process.
  const countOpen = (fileHash: string): number =>
    readdirSync('/proc/self/fd').filter((name) => {
      const path = `/proc/self/fd/${name}`
      return existsSync(path) && readlinkSync(path).includes(fileHash)
    }).length
  const content = 'x'.repeat(900_000)
  const { fileID } = (await bot.upload(content, 'a.txt')).body.result
  const { channelID } = (await bot.call('createChannel', { name: 'files' })).body.result
  await bot.call('postThread', { channelID, blocks: [`<!${fileID}|>`] })
  const responses = [await here.get(`/files/${fileID}`, bot)]
  while (responses.at(-1)?.status === 200) responses.push(await here.get(`/files/${fileID}`, bot))
  expect(responses.at(-1)?.status).toBe(503)
  const fileHash = hash('sha256', content)
  await expect.poll(() => countOpen(fileHash)).toBe(responses.length - 1)
  for (const { body } of responses) await body?.cancel()
  await expect.poll(() => countOpen(fileHash)).toBe(0)
})

test('the received part of an upload is released after every result', async () => {
  let discarded = 0
  const contents: ContentStorage = {
    ...here.contents,
    async receive(organization, source) {
      const arrived = await here.contents.receive(organization, source)
      const discard = async (): Promise<void> => {
        discarded += 1
      }
      return { ...arrived, discard }
    },
  }
  const { upload } = await (await createWorld(backend, folder, { contents })).bot('First')
  const key = { 'idempotency-key': 'k' }
  const results: [status: number, discarded: number][] = []
  for (const name of ['kept.txt', 'kept.txt', 'other.txt']) {
    results.push([(await upload('x', name, key)).status, discarded])
  }
  expect(results).toEqual([
    [200, 1],
    [200, 2],
    [422, 3],
  ])
})

const TYPE = 'multipart/form-data; boundary=b'

function part(disposition: string, text: string, more = ''): string {
  return `--b\r\ncontent-disposition: form-data; ${disposition}\r\n${more}\r\n${text}\r\n`
}

async function* chunksOf(body: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Uploads a body in chunks of a size; returns the file's name and data, or the status and code of the error. */
async function uploaded(body: string | Buffer, size = 65_536, type = TYPE): Promise<unknown> {
  const sending = { headers: { 'content-type': type }, body: ReadableStream.from(chunksOf(body, size)) }
  const { status, body: answer } = await bot.send('upload', sending)
  if (answer.error !== undefined) return [status, answer.error.code]
  const [file] = await createPostgresStore(backend.database).rows(here.organization).files([answer.result.fileID])
  if (file === undefined) throw new Error('the file has no row')
  return [file.name, await new Response(await here.contents.open(here.organization, file.hash, null)).text()]
}

describe('a form', () => {
  test('has the same result in any chunks, with each name as browsers write it', async () => {
    const file = fc.record({
      text: fc.string({ minLength: 1, maxLength: 300 }),
      name: fc.constantFrom('a.txt', 'é "x".png'),
    })
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 90 }), async ({ text, name }, size) => {
        const form = new FormData()
        form.append('other', 'a field')
        form.append('data', new Blob([`text ${text.replace(/[\0-\x1f\x7f]/g, '')}`]), name)
        const written = new Response(form)
        const type = written.headers.get('content-type') ?? ''
        const found = await uploaded(Buffer.from(await written.arrayBuffer()), size, type)
        expect(found).toEqual([name, `text ${text.replace(/[\0-\x1f\x7f]/g, '')}`])
      }),
      { numRuns: 30 },
    )
  })

  const file = part('name="data"; filename="a"', 'x')
  test.each([
    ['preamble and epilogue', `before\r\n${file}--b--\r\nafter`, ['a', 'x']],
    ['a quoted name', `${part('name="data"; filename="a \\"b\\".txt"', 'x')}--b--`, ['a "b".txt', 'x']],
    [
      'bytes without a name',
      `${part('name="data"', 'x', 'Content-Type: application/octet-stream\r\n')}--b--`,
      ['file', 'x'],
    ],
    ['a field named data', `${part('name="data"', 'x')}--b--`, [422, 'validation_failed']],
    ['no part named data', `${part('name="a"; filename="a"', 'x')}--b--`, [422, 'validation_failed']],
    ['two files', `${file}${file}--b--`, [422, 'validation_failed']],
    ['a file and a field', `${file}${part('name="data"', 'x')}--b--`, [422, 'validation_failed']],
    ['an empty file', `${part('name="data"; filename="a"', '')}--b--`, [422, 'validation_failed']],
    ['no parts', '--b--', [422, 'validation_failed']],
    ['no form', 'x', [400, 'invalid_request']],
    ['no end', file, [400, 'invalid_request']],
    ['half of a head', file.slice(0, 20), [400, 'invalid_request']],
    ['many parts', `${part('name="a"', 'x').repeat(101)}${file}--b--`, [400, 'invalid_request']],
    ['a large field', `${part('name="a"', 'x'.repeat(300_000))}${file}--b--`, ['a', 'x']],
  ])('with %s', async (_, body, expected) => {
    for (const size of [7, 65_536]) expect([size, await uploaded(body, size)]).toEqual([size, expected])
  })

  test.each([
    ['a large epilogue', `${file}--b--${'x'.repeat(1_100_000)}`, 'body'],
    ['a large other file', `${part('name="a"; filename="a"', 'x'.repeat(1_100_000))}${file}--b--`, 'body'],
    ['a large file', `${part('name="data"; filename="a"', 'x'.repeat(1_100_000))}--b--`, 'data'],
  ])('with %s is too large, and the error names what is', async (_, body, subject) => {
    const path = subject === 'body' ? [] : [subject]
    for (const size of [700, 65_536]) {
      const sending = { headers: { 'content-type': TYPE }, body: ReadableStream.from(chunksOf(body, size)) }
      const reply = await bot.send('upload', sending)
      expect([size, reply.status, reply.body.error?.details]).toMatchObject([size, 413, [{ path, code: 'too_large' }]])
    }
  })

  test.each(['multipart/form-data', 'multipart/form-data; boundary=""'])('without a boundary: %s', async (type) => {
    expect(await uploaded('--b--', 100, type)).toEqual([400, 'invalid_request'])
  })
})
