/** Pages as answers: who sees what, what may be kept where, how lists go on, and how large images are. */

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageSize } from '../../src/api/files/image-size.js'
import { assetPaths } from '../../src/api/pages/assets.js'
import { describeFile } from '../../src/api/pages/file-description.js'
import { Markup } from '../../src/api/pages/markup.js'
import { candidates, fill } from '../../src/api/pages/paging.js'
import type { From } from '../../src/api/store/store.js'
import { type OpenBackend, openEmbedded, temporaryFolder } from '../api/support/backends.js'
import { type Bot, createWorld, type DatabaseWorld, SITE } from '../api/support/world.js'
import { png } from './support/images.js'

let backend: OpenBackend
let folder = ''

beforeAll(async () => {
  backend = await openEmbedded()
  folder = await temporaryFolder()
})

afterAll(async () => {
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

interface Place {
  readonly here: DatabaseWorld
  readonly bot: Bot
  readonly other: Bot
  /** The paths of a private channel, a thread in it, a chat and its message; and what opens the thread. */
  readonly paths: Readonly<Record<'channel' | 'thread' | 'comment' | 'chat' | 'message', string>>
  readonly query: string
}

async function furnished(): Promise<Place> {
  const here = await createWorld(backend, folder)
  const [bot, other] = [await here.bot('First'), await here.bot('Second')]
  const call = async (name: string, body: object): Promise<Record<string, string>> =>
    (await bot.call(name, body)).body.result
  const { channelID = '' } = await call('createChannel', { name: 'inner circle', privacy: 'private' })
  const { threadID = '', threadURL = '' } = await call('postThread', {
    channelID,
    blocks: ['# Nobody knows', 'but **you**'],
  })
  const { commentID } = await call('postComment', { threadID, blocks: ['a comment'] })
  const { chatID } = await call('createChat', { name: 'two' })
  const { chatMessageID } = await call('postChatMessage', { chatID, body: 'hello' })
  const paths = {
    ...{ channel: `/${channelID}`, thread: `/${threadID}`, comment: `/${commentID}` },
    ...{ chat: `/${chatID}`, message: `/${chatID}/${chatMessageID}` },
  }
  return { here, bot, other, paths, query: new URL(threadURL).search }
}

async function look(
  { here }: Place,
  path: string,
  key?: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await here.fetch(new Request(SITE + path, { headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('what one may not see is the same page as what is not there, for members, strangers and guests', async () => {
  const place = await furnished()
  const stranger = await (await createWorld(backend, folder)).bot('First')
  const { channel, thread, comment, chat, message } = place.paths
  const hidden = [
    channel,
    thread,
    comment,
    chat,
    message,
    `/messages${chat}`,
    `${thread}?s=wrong`,
    `${comment}?s=`,
    `${thread}?s=${'A'.repeat(22)}`,
  ]
  const absent = [
    '/999999999',
    '/019a0000-0000-7000-8000-000000000000',
    '/x',
    '/a/b/c',
    `${channel}${thread}`,
    `${chat}/x`,
    `${thread}${comment}${place.query}`,
  ]
  for (const key of [undefined, place.other.key, stranger.key]) {
    const seen = new Set<string>()
    for (const path of [...hidden, ...absent]) {
      const { status, headers, text } = await look(place, path, key)
      expect([path, status]).toEqual([path, 404])
      const request = headers.get('x-request-id') ?? ''
      seen.add(
        text.replaceAll(encodeURIComponent(path), 'PATH').replaceAll(request, 'REQUEST') +
          [...headers].filter(([name]) => name !== 'x-request-id'),
      )
    }
    expect(seen.size).toBe(1)
  }
  for (const path of [channel, thread, comment, chat, message, `/messages${chat}`, `/messages${message}`]) {
    expect([path, (await look(place, path, place.bot.key)).status]).toEqual([path, 200])
  }
})

test('a thread opens with its token for everybody, and says nothing of its channel', async () => {
  const place = await furnished()
  for (const key of [undefined, place.other.key]) {
    const { status, text } = await look(place, place.paths.thread + place.query, key)
    expect(status).toBe(200)
    expect(text).toContain('but <strong>you</strong>')
    expect(text).not.toContain('inner circle')
  }
  const own = await look(place, place.paths.thread, place.bot.key)
  expect(own.text).toContain('#inner circle')
  expect(own.text).not.toContain('og:title')
  const shared = await look(place, place.paths.comment + place.query)
  expect(shared.text).toContain('<meta property="og:title" content="Nobody knows">')
  expect(shared.text).toContain('<meta property="og:description" content="Nobody knows but you">')
  // Every address on a shared page carries the token, or leads out of it.
  const addresses = [...shared.text.matchAll(/href="(\/\d[^"]*)"/g)].map(([, address]) => address)
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.filter((address) => !address?.endsWith(place.query))).toEqual([])
})

test('every kind of page says who may keep it, and lets nothing run that is not its own', async () => {
  const place = await furnished()
  const policy = (headers: Headers): string => headers.get('content-security-policy') ?? ''
  const cached: readonly (readonly [string, string | undefined, string])[] = [
    [place.paths.thread + place.query, undefined, 'private, no-cache'],
    [place.paths.thread, place.bot.key, 'private, no-store'],
    [place.paths.chat, place.bot.key, 'private, no-store'],
    ['/', undefined, 'public, no-cache'],
    ['/', place.bot.key, 'private, no-store'],
    ['/docs', undefined, 'public, no-cache'],
    ['/sign-in', undefined, 'private, no-store'],
    ['/1', undefined, 'private, no-store'],
    [assetPaths.style, undefined, 'public, max-age=31536000, immutable'],
  ]
  for (const [path, key, rule] of cached) {
    const { headers } = await look(place, path, key)
    expect([path, headers.get('cache-control')]).toEqual([path, rule])
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect([path, policy(headers)]).toEqual([path, expect.stringMatching(/^default-src 'none'/)])
    expect([path, policy(headers)]).toEqual([path, expect.not.stringMatching(/unsafe|https?:|\*/)])
    if (!path.startsWith('/assets')) expect(policy(headers)).toContain("frame-ancestors 'none'")
  }
  const { headers } = await look(place, place.paths.thread + place.query)
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  const icon = await look(place, '/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('an error has a page with the request’s id, where somebody looks, and JSON where a program does', async () => {
  const place = await furnished()
  const wrong = await look(place, place.paths.channel, 'wsk_wrong')
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
  expect(wrong.text).toContain(wrong.headers.get('x-request-id'))
  const file = (accept: string): Promise<Response> =>
    place.here.fetch(new Request(`${SITE}/files/1`, { headers: { accept } }))
  expect((await file('text/html,*/*')).headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect((await file('*/*')).headers.get('content-type')).toBe('application/json')
})

test('the room of an image is kept in the page, and a file is there for whoever sees its message', async () => {
  const place = await furnished()
  const id = await place.bot.file(png(320, 200), 'a.png')
  const { threadURL } = (await place.bot.call('postThread', { channel: 'inner circle', blocks: [`<!${id}|>`] })).body
    .result
  const { text } = await look(place, new URL(threadURL).pathname + new URL(threadURL).search)
  expect(text).toContain('alt="a.png" width="320" height="200" loading="lazy"')
  const address = /<img src="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await look(place, address)).status).toBe(200)
  expect((await look(place, address.replace(/\?.*/, ''))).status).toBe(404)
})

test('the size of an image is read from its first bytes, turned as it is shown; what breaks off is unknown', () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
  const exif = (orientation: number): number[] => [
    ...[0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1],
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
  ]
  const frame = [0xff, 0xc2, 0, 11, 8, 0, 200, 1, 64, 1, 0, 0, 0]
  const box = (tag: string, content: Uint8Array): Uint8Array =>
    bytes([0, 0, 0, 8 + content.byteLength], tag, [...content])
  const ispe = (width: number, height: number): Uint8Array =>
    box('ispe', bytes([0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height]))
  const avif = (...parts: Uint8Array[]): Uint8Array =>
    bytes(
      [...box('ftyp', bytes('avif'))],
      [...box('meta', bytes([0, 0, 0, 0], [...box('iprp', box('ipco', Buffer.concat(parts)))]))],
    )
  const samples: readonly (readonly [string, Uint8Array, number, number])[] = [
    ['image/png', png(320, 200), 320, 200],
    ['image/gif', bytes('GIF89a', [64, 1, 200, 0]), 320, 200],
    ['image/bmp', bytes('BM', Array(16).fill(0), [64, 1, 0, 0], [56, 255, 255, 255]), 320, 200],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8X', Array(8).fill(0), [63, 1, 0, 199, 0, 0]), 320, 200],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 ', Array(10).fill(0), [64, 1, 200, 0]), 320, 200],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x31, 0]), 320, 200],
    ['image/jpeg', bytes([0xff, 0xd8], frame), 320, 200],
    ['image/jpeg', bytes([0xff, 0xd8], exif(1), frame), 320, 200],
    ['image/jpeg', bytes([0xff, 0xd8], exif(6), frame), 200, 320],
    ['image/avif', avif(ispe(32, 20), ispe(64, 40)), 64, 40],
    ['image/avif', avif(ispe(64, 40), box('irot', bytes([1]))), 40, 64],
  ]
  for (const [type, head, width, height] of samples) {
    expect([type, imageSize(head, type)]).toEqual([type, { width, height }])
    expect([type, imageSize(head.subarray(0, 8), type)]).toEqual([type, null])
  }
  for (const type of ['image/svg+xml', 'video/mp4', 'constructor']) expect(imageSize(png(1, 1), type)).toBeNull()
  expect(imageSize(bytes([0xff, 0xd8], Array(10_000).fill(0xff)), 'image/jpeg')).toBeNull()
  expect(imageSize(png(0, 5), 'image/png')).toBeNull()
})

test('a page of a list is full, ends where its bytes do, and the next begins behind it', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => ({ id: String(index + 1), bytes: 10 }))
  const list = async (from: From | null, count: number): Promise<typeof rows> => {
    if (from?.towards === 'newer') return rows.filter(({ id }) => Number(id) >= Number(from.id)).slice(0, count)
    return rows
      .toReversed()
      .filter(({ id }) => from === null || Number(id) <= Number(from.id))
      .slice(0, count)
  }
  const draw = ({ bytes }: { bytes: number }): Markup => new Markup('x'.repeat(bytes))
  const page = async (start: Parameters<typeof candidates>[1]): Promise<[number[], string | null, string | null]> => {
    const { items, newer, older } = fill(await candidates(list, start), draw)
    return [items.map(({ row }) => Number(row.id)), newer, older]
  }
  const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first - index)
  expect(await page(null)).toEqual([from(120, 50), null, '70'])
  expect(await page({ id: '70', towards: 'older' })).toEqual([from(70, 50), '71', '20'])
  expect(await page({ id: '20', towards: 'older' })).toEqual([from(20, 20), '21', null])
  expect(await page({ id: '21', towards: 'newer' })).toEqual([from(70, 50), '71', '20'])
  expect(await page({ id: '100', towards: 'newer' })).toEqual([from(120, 21), null, '99'])
  expect(await page({ id: '60', towards: 'both' })).toEqual([from(85, 50), '86', '35'])
  expect(await page({ id: '1', towards: 'both' })).toEqual([from(50, 50), '51', null])
  expect(await page({ id: '120', towards: 'both' })).toEqual([from(120, 50), null, '70'])
  expect(await page({ id: '999', towards: 'newer' })).toEqual([[], null, '120'])
  for (const row of rows) row.bytes = row.id === '100' ? 400_000 : 40_000
  expect(await page(null)).toEqual([from(120, 3), null, '117'])
  expect(await page({ id: '101', towards: 'older' })).toEqual([[101], '102', '100'])
  expect(await page({ id: '100', towards: 'older' })).toEqual([[100], '101', '99'])
  expect(await page({ id: '100', towards: 'both' })).toEqual([[100], '101', '99'])
})

test('a file is described by its type and size', () => {
  const file = { id: '1', hash: '', uploaderID: '1', createdAt: new Date(), width: null, height: null }
  const described = (name: string, mediaType: string, size: number): string =>
    describeFile({ ...file, name, mediaType, size })
  expect(described('a.pdf', 'application/pdf', 1)).toBe('PDF · 1 byte')
  expect(described('a', 'text/plain; charset=utf-8', 999)).toBe('Text · 999 bytes')
  expect(described('a.png', 'image/png', 999_499)).toBe('a.png · PNG image · 999 kB')
  expect(described('a.mov', 'video/quicktime', 999_500)).toBe('a.mov · QuickTime video · 1.0 MB')
  expect(described('a.mp4', 'video/mp4', 536_870_912)).toBe('a.mp4 · MP4 video · 537 MB')
})
