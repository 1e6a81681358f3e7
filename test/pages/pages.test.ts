/** Pages as responses: permissions, caching, paging of lists, and sizes of images. */

import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { imageSize } from '../../src/server/files/receive.js'
import { readList } from '../../src/server/pages/paging.js'
import type { ListedPost, Part } from '../../src/server/site-store.js'
import { assetPath } from '../../src/server/static.js'
import { sharedBackend } from '../api/support/backends.js'
import { type Bot, createWorld, type DatabaseWorld, SITE } from '../api/support/world.js'
import { png } from './support/images.js'

const { backend, folder } = await sharedBackend()

interface Place {
  readonly here: DatabaseWorld
  readonly bot: Bot
  readonly other: Bot
  /** The paths of a private channel, a thread in it, a chat and its message; and the token that opens the thread. */
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

test('a page that the reader may not see is the same as a missing one, for members, strangers and guests', async () => {
  const place = await furnished()
  const stranger = await (await createWorld(backend, folder)).bot('First')
  const { channel, thread, comment, chat, message } = place.paths
  const opened = [channel, thread, comment, chat, message, `/messages${chat}`, `/messages${message}`]
  const wrong = [`${thread}?s=wrong`, `${comment}?s=`, `${thread}?s=${'A'.repeat(22)}`]
  const ids = ['/999999999', '/019a0000-0000-7000-8000-000000000000', `${channel}${thread}`, `${chat}/x`]
  const absent = ['/x', '/a/b/c', `${thread}${comment}${place.query}`]
  for (const key of [undefined, place.other.key, stranger.key]) {
    const seen = new Set<string>()
    for (const path of [...opened, ...wrong, ...ids, ...absent]) {
      const { status, headers, text } = await look(place, path, key)
      if (key === undefined && [...opened, ...ids, `${comment}?s=`].includes(path)) {
        const location = `/sign-in?return=${encodeURIComponent(path)}`
        expect([path, status, headers.get('location')]).toEqual([path, 303, location])
        continue
      }
      expect([path, status]).toEqual([path, 404])
      const request = headers.get('x-request-id') ?? ''
      const others = [...headers].filter(([name]) => !/^(?:x-request-id|content-length|date)$/.test(name))
      seen.add(text.replaceAll(encodeURIComponent(path), 'PATH').replaceAll(request, 'REQUEST') + others)
    }
    expect(seen.size).toBe(1)
  }
  for (const path of opened) expect([path, (await look(place, path, place.bot.key)).status]).toEqual([path, 200])
  // A message has a URL only in its own chat.
  const { chatURL } = (await place.bot.call('createChat', { name: 'three' })).body.result
  const elsewhere = `${new URL(chatURL).pathname}/${message.split('/').at(-1)}`
  for (const path of [elsewhere, `${chat}/x`]) expect((await look(place, path, place.bot.key)).status).toBe(404)
})

test('a thread opens for everyone with its token, without its channel', async () => {
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
  expect(shared.text).toContain('<meta property="og:description" content="but you">')
  // Every URL on a shared page contains the token, or leads away from the thread.
  const addresses = [...shared.text.matchAll(/href="(\/\d[^"]*)"/g)].map(([, address]) => address)
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.filter((address) => !address?.endsWith(place.query))).toEqual([])
})

test('every page has its caching rule, and its policy allows only its own files', async () => {
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
    ['/1?s=x', undefined, 'private, no-store'],
    [assetPath('pages.css'), undefined, 'public, max-age=31536000, immutable'],
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
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  const icon = await look(place, '/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('an error is a page for a browser, with the request’s id, and JSON for a program', async () => {
  const place = await furnished()
  const wrong = await look(place, place.paths.channel, 'wsk_wrong')
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
  expect(wrong.text).toContain(wrong.headers.get('x-request-id'))
  const typeOf = async (path: string, method: string, accept: string): Promise<string | null> =>
    (await place.here.fetch(new Request(SITE + path, { method, headers: { accept } }))).headers.get('content-type')
  for (const [path, method] of [
    ['/files/1', 'GET'],
    ['/docs/limits', 'DELETE'],
    ['/openapi.json', 'DELETE'],
  ] as const) {
    expect([path, await typeOf(path, method, 'text/html,*/*')]).toEqual([path, 'text/html; charset=utf-8'])
    expect([path, await typeOf(path, method, '*/*')]).toEqual([path, 'application/json'])
  }
})

test('an image has its size, its label as text and a download, and can be read by readers of its message', async () => {
  const place = await furnished()
  const shown = async (
    width: number,
    height: number,
    label: string,
  ): Promise<readonly [text: string, query: string]> => {
    const id = await place.bot.file(png(width, height), 'a.png')
    const blocks = [`<!${id}|${label}>`]
    const { threadURL } = (await place.bot.call('postThread', { channel: 'inner circle', blocks })).body.result
    const { pathname, search } = new URL(threadURL)
    return [(await look(place, pathname + search)).text, search]
  }
  const [text, query] = await shown(320, 200, '')
  expect(text).toContain('alt="a.png" width="320" height="200" loading="lazy"')
  const address = /<img src="([^"]+)"/.exec(text)?.[1] ?? ''
  expect(address.endsWith(query)).toBe(true)
  expect(text).toContain(`<a class="picture" href="${address}" title="Open in full size">`)
  expect(text).toContain(`<a href="${address}" download="a.png">Download</a>`)
  expect((await look(place, address)).status).toBe(200)
  expect((await look(place, address.replace(/\?.*/, ''))).status).toBe(404)
  // A picture that is too high is scaled down in both directions.
  const [tall] = await shown(500, 3000, 'How it "went"')
  expect(tall).toContain('alt="How it &quot;went&quot;" width="91" height="544" loading="lazy"')
})

test('the size of an image is read from its first bytes; a cut image and other files have none', async () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([64, 1, 200, 0])])
  for (const [type, head] of Object.entries({ 'image/png': png(320, 200), 'image/gif': gif })) {
    expect([type, await imageSize(head, type)]).toEqual([type, { width: 320, height: 200 }])
    expect([type, await imageSize(head.subarray(0, 8), type)]).toEqual([type, null])
  }
  for (const type of ['video/mp4', 'text/plain']) expect(await imageSize(png(1, 1), type)).toBeNull()
  expect(await imageSize(png(0, 5), 'image/png')).toBeNull()
})

test('a page of a list is full or at its byte limit, and the next starts after it', async () => {
  let bytes = 10
  const ids = Array.from({ length: 120 }, (_, index) => index + 1)
  const list = async ({ from, towards, count, bytes: most }: Part): Promise<ListedPost[]> => {
    const start = Number(from ?? 120)
    const found = towards === 'newer' ? ids.filter((id) => id >= start) : ids.filter((id) => id <= start).toReversed()
    const row = { authorID: '1', createdAt: new Date(0), blocks: null }
    return found.slice(0, count).map((id, index) => ({ ...row, id: String(id), isRead: index * bytes <= most }))
  }
  const page = async (query: string, markedID: string | null = null): Promise<unknown> => {
    const part = await readList(list, { query: new URLSearchParams(query), markedID })
    return typeof part === 'string' ? part : [part.rows.map(({ id }) => Number(id)), part.newer, part.older]
  }
  const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first - index)
  expect(await page('')).toEqual([from(120, 50), null, '70'])
  expect(await page('from=70')).toEqual([from(70, 50), '71', '20'])
  expect(await page('from=20')).toEqual([from(20, 20), '21', null])
  expect(await page('to=21')).toEqual([from(70, 50), '71', '20'])
  expect(await page('to=100')).toEqual([from(120, 21), null, '99'])
  expect(await page('', '60')).toEqual([from(85, 50), '86', '35'])
  expect(await page('', '1')).toEqual([from(26, 26), '27', null])
  expect(await page('', '120')).toEqual([from(120, 25), null, '95'])
  expect(await page('to=999')).toEqual([[], null, '120'])
  bytes = 60_000
  expect(await page('')).toEqual([from(120, 3), null, '117'])
  expect(await page('from=101')).toEqual([from(101, 3), '102', '98'])
})

test('a thread of files alone is named by their labels, and a file that it may not show has no name', async () => {
  const place = await furnished()
  const { bot, here } = place
  const id = await bot.file(png(2, 2), 'chart.png')
  const title = async (...blocks: string[]): Promise<readonly string[]> => {
    const { threadURL } = (await bot.call('postThread', { channel: 'inner circle', blocks })).body.result
    const { pathname, search } = new URL(threadURL)
    const { text } = await look(place, pathname + search)
    const listed = new RegExp(`<a href="${pathname}">(.*?)</a>`).exec(
      (await look(place, place.paths.channel, bot.key)).text,
    )
    return [/<title>(.*?)</.exec(text)?.[1] ?? '', listed?.[1] ?? '']
  }
  expect(await title(`<!${id}|>`)).toEqual(Array(2).fill('chart.png'))
  expect(await title(`<@${id}|>`)).toEqual(Array(2).fill('chart.png'))
  expect(await title(`<!${id}|Latency>`)).toEqual(Array(2).fill('Latency'))
  expect(await title(`<!${id}|>`, 'What it **says**')).toEqual(Array(2).fill('What it says'))
  expect(await title('```\n```')).toEqual(Array(2).fill('Untitled'))
  await here.database.run('DELETE FROM shown_files WHERE organization = $1', [here.organization])
  const { text } = await look(place, place.paths.channel, bot.key)
  expect([text.includes('>A file</a>'), text.includes('chart.png')]).toEqual([true, false])
})

test('a poll of a chat, thread or channel is a few bytes, which change if something is posted or deleted', async () => {
  const place = await furnished()
  const { bot, other, paths, query } = place
  const versionOf = async (path: string): Promise<string> => {
    const [, address = '', version] =
      /data-poll="([^"]+)" data-version="([^"]+)"/.exec((await look(place, path, bot.key)).text) ?? []
    const { text, headers } = await look(place, address.replaceAll('&amp;', '&'), bot.key)
    expect([path, text, headers.get('content-type')]).toEqual([path, version, 'text/plain; charset=utf-8'])
    expect(text.length).toBeLessThan(20)
    return text
  }
  const [chatID, threadID, channelID] = [paths.chat.slice(1), paths.thread.slice(1), paths.channel.slice(1)]
  const posts: readonly (readonly [path: string, name: string, body: object, remove: string])[] = [
    [paths.chat, 'postChatMessage', { chatID, body: 'x' }, 'deleteChatMessage'],
    [paths.thread, 'postComment', { threadID, blocks: ['x'] }, 'deleteComment'],
    [paths.channel, 'postThread', { channelID, blocks: ['x'] }, 'deleteThread'],
  ]
  for (const [path, name, body, remove] of posts) {
    const before = await versionOf(path)
    const { result } = (await bot.call(name, body)).body
    expect([path, await versionOf(path)]).not.toEqual([path, before])
    const id = result.chatMessageID ?? result.commentID ?? result.threadID
    await bot.call(remove, { messageID: id, commentID: id, threadID: id })
    expect([path, await versionOf(path)]).toEqual([path, before])
    expect((await look(place, `${path}?poll=`, other.key)).status).toBe(404)
  }
  expect((await look(place, `${paths.thread}${query}&poll=`)).text).toBe(await versionOf(paths.thread))
})

test('a second visit to a public page costs 304, and private pages have no ETag', async () => {
  const world = await createWorld(backend, folder)
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    world.fetch(new Request(SITE + path, { headers }))
  for (const path of ['/', '/playground', '/openapi.json']) {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const again = await get(path, { 'if-none-match': `"x", ${etag}` })
    expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
  }
  const { key } = await world.bot('One')
  expect((await get('/', { authorization: `Bearer ${key}` })).headers.get('etag')).toBeNull()
})

test('a page and its files have at most 20 KB compressed, without messages', async () => {
  const place = await furnished()
  const size = async (path: string, key?: string): Promise<number> =>
    brotliCompressSync((await look(place, path, key)).text).byteLength
  let loaded = 0
  for (const name of ['pages.css', 'pages.js', 'icon.svg']) loaded += await size(assetPath(name))
  for (const path of ['/', '/sign-in', '/nothing']) expect(loaded + (await size(path))).toBeLessThan(20_000)
  for (const path of Object.values(place.paths)) expect(loaded + (await size(path, place.bot.key))).toBeLessThan(20_000)
})
