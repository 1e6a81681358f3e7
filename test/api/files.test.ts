/** Files: the accepted types, their storage, and their readers. */

import { createHash } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from 's3rver'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { createS3Storage } from '../../src/server/files/s3.js'
import type { ReceivedData } from '../../src/server/files/storage.js'
import { tidy } from '../../src/server/store/tidy.js'
import { freePort, sharedBackend, testFolder } from './support/backends.js'
import { ageFiles, type Bot, createWorld, SITE } from './support/world.js'

const PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF: Buffer = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\n')
const MP4: Buffer = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(100)])
const ZIP: Buffer = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)])
const GZIP: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0])
const UTF16: Buffer = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('zażółć', 'utf16le')])
const TEXT = 'text/plain; charset=utf-8'

const { backend, folder } = await sharedBackend()
const contents = await createFolderStorage(folder)
const here = await createWorld(backend, folder)
const { database, organization } = here
const bot = await here.bot('First')
await bot.make('createChannel', { name: 'c' })

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The stored name and type of a file. */
async function stored(fileID: string): Promise<readonly [name: string, type: string]> {
  const sql = 'SELECT name, media_type AS type FROM files WHERE id = $1'
  const [{ name, type } = { name: '', type: '' }] = (await database.run<{ name: string; type: string }>(sql, [fileID]))
    .rows
  return [name, type]
}

/** Posts a thread that shows a file, and returns the file's path for everyone with the thread's token. */
async function posted(fileID: string): Promise<string> {
  const { threadURL } = await bot.make('postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })
  return `/files/${fileID}${new URL(threadURL).search}`
}

test.each<[name: string, content: string | Uint8Array, type: string]>([
  ['a.zip', PNG, 'image/png'],
  ['a.png', PDF, 'application/pdf'],
  ['a.txt', MP4, 'video/mp4'],
  ['a.exe', 'plain ütf-8\ttext\r\n\f', TEXT],
  ['a.bmp', 'BMW is a car, and its first letters are those of a bitmap', TEXT],
  ['a.svg', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', TEXT],
  ['a.html', '<!doctype html><script>alert(1)</script>', TEXT],
  ['little', UTF16, 'text/plain; charset=utf-16le'],
  ['big', Buffer.from(UTF16).swap16(), 'text/plain; charset=utf-16be'],
])('the content decides the type, not the name: %s', async (name, content, type) => {
  expect(await stored(await bot.file(content, name))).toEqual([name, type])
})

test.each([
  ['ZIP', ZIP],
  ['GZIP', GZIP],
  ['invalid UTF-8', Buffer.from([0x61, 0xff])],
  ['a control character', 'a\u0001b'],
  ['a C1 control character', 'a\u0080b'],
])('%s is 415 with the accepted types, and leaves nothing', async (_, content) => {
  const { status, body } = await bot.upload(content, 'a.txt')
  expect([status, body.error]).toMatchObject([
    415,
    { code: 'unsupported_media_type', details: [{ message: expect.stringMatching(/image.*video.*PDF.*text/) }] },
  ])
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test.each([
  ['.', 'file'],
  ['..', 'file'],
  ['a/..', 'file'],
  ['...', '...'],
  [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
  // A name has at most 255 bytes, and each of these characters has three.
  [`${'報'.repeat(255)}.txt`, `${'報'.repeat(83)}.txt`],
  // Characters that are invisible or reverse the text around them.
  ['invoice\u202etxt.exe\u200b 👩‍💻', 'invoicetxt.exe 👩‍💻'],
  ['\u202e', 'file'],
])('a file’s name %j is stored as %j', async (given, name) => {
  expect((await stored(await bot.file('x', given)))[0]).toBe(name)
})

test('file data is stored once, under its hash, in its organization', async () => {
  const [first, second] = [await bot.file('same content'), await bot.file('same content')]
  expect(first).not.toBe(second)
  const hash = hashOf('same content')
  expect(await readdir(join(folder, organization, hash.slice(0, 2)))).toEqual([hash])
  expect(await readFile(join(folder, organization, hash.slice(0, 2), hash), 'utf8')).toBe('same content')
})

test('a file is served to readers of a message that shows it, checked at every request', async () => {
  const other = await here.bot('Second')
  await bot.make('createChannel', { name: 'private', privacy: 'private' })
  const fileID = await bot.file(PNG as Uint8Array, 'pixel ü.png')
  const path = `/files/${fileID}`
  const status = async (query: string, who: Bot | null = null): Promise<number> =>
    (await here.get(path + query, who)).status
  expect(await status('', bot)).toBe(404)
  const { threadURL, threadID } = await bot.make('postThread', { channel: 'private', blocks: [`<!${fileID}|>`] })
  const query = new URL(threadURL).search
  for (const wrong of ['', '?s=', '?s=wrong', '?s=%00', `${query}%00`]) {
    expect([wrong, await status(wrong)]).toEqual([wrong, 404])
  }
  expect([await status('', other), await status('', bot)]).toEqual([404, 200])
  const response = await here.get(path + query)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="pixel _.png"; filename*=UTF-8''pixel%20%C3%BC.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': expect.stringContaining('private'),
  })
  expect(await (await here.get(threadURL)).text()).toContain(`<img src="${path}${query}"`)
  await bot.make('deleteThread', { threadID })
  expect([await status(query), await status('', bot)]).toEqual([404, 404])
})

test.each([
  ['a.html', '<!doctype html><script>alert(1)</script>'],
  ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a.js', 'alert(1)'],
])('a file that a browser would run is served as plain text to save, in a sandbox: %s', async (name, content) => {
  const { headers } = await here.get(await posted(await bot.file(content, name)))
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': TEXT,
    'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  })
})

test('ranges, ETag and HEAD follow RFC 9110', async () => {
  const path = await posted(await bot.file('0123456789'))
  const etag = (await here.get(path)).headers.get('etag') ?? ''
  const [whole, none] = [
    [200, null, '0123456789'],
    [416, 'bytes */10', ''],
  ]
  const cases: readonly (readonly [headers: Record<string, string>, expected: unknown])[] = [
    [{ range: 'bytes=2-4' }, [206, 'bytes 2-4/10', '234']],
    [{ range: 'Bytes=2-4' }, [206, 'bytes 2-4/10', '234']],
    [{ range: 'bytes=7-' }, [206, 'bytes 7-9/10', '789']],
    [{ range: 'bytes=-3' }, [206, 'bytes 7-9/10', '789']],
    // The file has ten bytes, so the last hundred bytes are the whole file.
    [{ range: 'bytes=-100' }, [206, 'bytes 0-9/10', '0123456789']],
    [{ range: 'bytes=5-99' }, [206, 'bytes 5-9/10', '56789']],
    [{ range: 'bytes=10-' }, none],
    [{ range: 'bytes=-0' }, none],
    ...['bytes=1-2,4-5', 'bytes=-', 'bytes=5-2'].map((range) => [{ range }, whole] as const),
    [{ range: 'bytes=2-4', 'if-range': '"other"' }, whole],
    ...[etag, `W/${etag}`, `"other", ${etag}`, '*'].map(
      (tags) => [{ 'if-none-match': tags }, [304, null, '']] as const,
    ),
    [{ 'if-none-match': '"other"' }, whole],
  ]
  for (const [headers, expected] of cases) {
    const response = await here.get(path, null, headers)
    const found = [response.status, response.headers.get('content-range'), await response.text()]
    expect([headers, found]).toEqual([headers, expected])
  }
  const request = new Request(SITE + path, { method: 'HEAD', headers: { range: 'bytes=2-4' } })
  const head = await here.fetch(request)
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('tidying removes only files that no message shows after a day', async () => {
  const own = await createWorld(backend, folder)
  const { file, make } = await own.bot('First')
  const [shown] = [await file('shown'), await file('unshown'), await file('shown')]
  await make('createChannel', { name: 'c' })
  await make('postThread', { channel: 'c', blocks: [`<!${shown}|>`] })
  const rows = async (): Promise<string[]> => {
    const sql = 'SELECT id FROM files WHERE organization = $1'
    return (await database.run<{ id: string }>(sql, [own.organization])).rows.map(({ id }) => id)
  }
  await tidy(database, contents)
  expect(await rows()).toHaveLength(3)
  await ageFiles(own)
  await tidy(database, contents)
  expect(await rows()).toEqual([shown])
  const names = await readdir(join(folder, own.organization), { recursive: true })
  expect(names.filter((name) => name.includes('/'))).toEqual([expect.stringContaining(hashOf('shown'))])
})

test('on Amazon’s own S3 the bucket is in the host name, unless the bucket’s name has a dot', async () => {
  const asked: Request[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request)
    return new Response(null)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const account = { accessKeyId: 'a', secretAccessKey: 'b', region: 'eu-central-1', prefix: '' }
  for (const bucket of ['files', 'files.example'])
    await (await createS3Storage({ ...account, bucket, sessionToken: 'for hours' })).ready()
  expect(asked.map(({ method, url, headers }) => [method, url, headers.get('x-amz-security-token')])).toEqual([
    ['HEAD', 'https://files.s3.eu-central-1.amazonaws.com/', 'for hours'],
    ['HEAD', 'https://s3.eu-central-1.amazonaws.com/files.example', 'for hours'],
  ])
})

describe('S3', () => {
  const account = { accessKeyId: 'a', secretAccessKey: 'b', region: 'r', bucket: 'files', prefix: '' }
  const hash = hashOf('content')

  async function arrive(): Promise<ReceivedData> {
    const storage = await createS3Storage({ ...account, endpoint: 'http://s3.test' })
    return storage.receive('one', Readable.from([Buffer.from('content')]))
  }

  test('gets file data with its hash, and again only if it is gone', async () => {
    const asked: string[] = []
    let isGone = false
    vi.stubGlobal('fetch', async ({ method, url, headers }: Request) => {
      asked.push(`${method} ${url} ${method === 'PUT' ? headers.get('x-amz-content-sha256') : ''}`)
      return new Response(null, { status: isGone && method === 'HEAD' ? 404 : 200 })
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { keep, discard } = await arrive()
    const [put, head] = [`PUT http://s3.test/files/one/${hash} ${hash}`, `HEAD http://s3.test/files/one/${hash} `]
    await keep()
    expect(asked).toEqual([put])
    await keep()
    expect(asked).toEqual([put, head])
    isGone = true
    await keep()
    expect(asked).toEqual([put, head, head, put])
    await discard()
  })

  test('gets 30 s to respond', async () => {
    const { keep, discard } = await arrive()
    let isAsked = false
    vi.stubGlobal('fetch', ({ signal }: Request) => {
      isAsked = true
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void [vi.unstubAllGlobals(), vi.useRealTimers()])
    let outcome = ''
    const keeping = keep().catch((error: Error) => {
      outcome = error.message
    })
    while (!isAsked) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(29_900)
    expect(outcome).toBe('')
    await vi.advanceTimersByTimeAsync(200)
    await keeping
    expect(outcome).toBe('storage: unavailable')
    await discard()
  })
})

test('file data in S3-compatible storage is read, whole and in part, and tidied', async () => {
  const [directory, temporary] = [await testFolder(), await testFolder()]
  const port = await freePort()
  const server = new S3rver({
    ...{ port, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'files', configs: [] }] },
  })
  await server.run()
  onTestFinished(() => server.close())
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  // The files of a server that was killed during uploads, and one of another program.
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60
  for (const name of ['blockmark-incoming-old', 'blockmark-incoming-young', 'old']) {
    await writeFile(join(temporary, name), 'x')
    if (name.endsWith('old')) await utimes(join(temporary, name), dayBefore, dayBefore)
  }
  const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }
  const open = (bucket: string): ReturnType<typeof createS3Storage> =>
    createS3Storage({ ...account, bucket, prefix: 'a/ü b', endpoint: `http://127.0.0.1:${port}` })
  const storage = await open('files')
  await storage.ready()
  const world = await createWorld(backend, folder, { contents: storage, uploadBytesMax: 10_000_000 })
  const { file, make } = await world.bot('First')
  const content = 'x'.repeat(6_000_000)
  const fileID = await file(content)
  await make('createChannel', { name: 'c' })
  const { threadURL } = await make('postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })
  const path = `/files/${fileID}${new URL(threadURL).search}`
  expect(await (await world.get(path)).text()).toBe(content)
  const part = await world.get(path, null, { range: 'bytes=10-19' })
  expect([part.status, await part.text()]).toEqual([206, 'x'.repeat(10)])
  await file('unshown')
  const read = async (): Promise<string> =>
    new Response(await storage.open(world.organization, hashOf('unshown'), null)).text()
  expect(await read()).toBe('unshown')
  await ageFiles(world)
  await tidy(database, storage)
  await expect(read()).rejects.toThrow('unavailable')
  expect((await readdir(temporary)).toSorted()).toEqual(['blockmark-incoming-young', 'old'])
  await expect((await open('none')).ready()).rejects.toThrow('unavailable')
})
