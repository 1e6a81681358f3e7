/** Files: the accepted types, their storage, and their readers. */

import { createHash } from 'node:crypto'
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from 's3rver'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { filesOf } from '../../src/server/backend.js'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { createS3Storage } from '../../src/server/files/s3.js'
import type { Arrived } from '../../src/server/files/storage.js'
import { tidy } from '../../src/server/store/tidy.js'
import { freePort, sharedBackend, temporaryFolder } from './support/backends.js'
import { ageFiles, type Bot, createWorld, type DatabaseWorld, SITE } from './support/world.js'

const PNG: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF: Buffer = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\n')
const MP4: Buffer = Buffer.concat([
  Buffer.from([0, 0, 0, 0x18]),
  Buffer.from('ftypmp42\0\0\0\0mp42isom'),
  Buffer.alloc(100),
])
const ZIP: Buffer = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)])
const GZIP: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0])

const { backend, folder } = await sharedBackend()
const contents = await createFolderStorage(folder)

async function open(): Promise<{ here: DatabaseWorld; bot: Bot; organization: string }> {
  const here = await createWorld(backend, folder)
  return { here, bot: await here.bot('First'), organization: here.organization }
}

async function typeOf(here: DatabaseWorld, fileID: string): Promise<string> {
  const { rows } = await here.database.run<{ type: string }>('', 'SELECT media_type AS type FROM files WHERE id = $1', [
    fileID,
  ])
  return rows[0]?.type ?? ''
}

test('the content decides the type, not the name', async () => {
  const { here, bot } = await open()
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('zażółć', 'utf16le')])
  const taken: [string, string | Uint8Array, string][] = [
    ['a.zip', PNG, 'image/png'],
    ['a.png', PDF, 'application/pdf'],
    ['a.txt', MP4, 'video/mp4'],
    ['a.exe', 'plain ütf-8\ttext\r\n\f', 'text/plain; charset=utf-8'],
    ['a.bmp', 'BMW is a car, and its first letters are those of a bitmap', 'text/plain; charset=utf-8'],
    [
      'a.svg',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
      'text/plain; charset=utf-8',
    ],
    ['a.html', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
    ['a', utf16, 'text/plain; charset=utf-16le'],
    ['a', Buffer.from(utf16).swap16(), 'text/plain; charset=utf-16be'],
  ]
  for (const [name, content, type] of taken) {
    const { fileID } = (await bot.upload(content, name)).body.result
    expect([name, await typeOf(here, fileID)]).toEqual([name, type])
  }
})

test('an unknown type is 415 with the accepted types; an empty file, no part or several are 422', async () => {
  const { here, bot } = await open()
  for (const content of [ZIP, GZIP, Buffer.from([0x61, 0xff]), 'a\u0001b', 'a\u0080b']) {
    const reply = await bot.upload(content, 'a.txt')
    expect([reply.status, reply.body.error?.code]).toEqual([415, 'unsupported_media_type'])
    expect(reply.body.error?.details?.[0]?.message).toMatch(/image.*video.*PDF.*text/)
  }
  expect((await bot.upload('')).body.error?.details).toMatchObject([{ path: ['data'], code: 'empty' }])
  const send = async (fill: (form: FormData) => void): Promise<number> => {
    const form = new FormData()
    fill(form)
    const headers = { authorization: `Bearer ${bot.key}` }
    return (await here.fetch(new Request(`${SITE}/api/public/uploadFile`, { method: 'POST', headers, body: form })))
      .status
  }
  const file = new Blob(['x'])
  expect(await send((form) => form.append('other', file, 'a'))).toBe(422)
  expect(await send((form) => form.append('data', 'a field'))).toBe(422)
  expect(await send((form) => [1, 2].map(() => form.append('data', file, 'a')))).toBe(422)
  expect(await send((form) => [form.append('note', 'x'), form.append('data', file, 'a')])).toBe(200)
  expect((await bot.call('upload', {})).status).toBe(415)
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  const empty = { method: 'POST', headers: { authorization: `Bearer ${bot.key}`, ...type } }
  expect((await here.fetch(new Request(`${SITE}/api/public/upload`, empty))).status).toBe(422)
  expect((await bot.call('upload', 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400)
  const broken = '--b\r\ncontent-disposition: form-data; name="data"; filename="a"\r\n\r\ncut of'
  expect((await bot.call('upload', broken, type)).status).toBe(400)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test('a name of more than 255 bytes keeps its extension, and dots alone are not a name', async () => {
  const { here, bot } = await open()
  const named = async (name: string): Promise<unknown> => {
    const sql = 'SELECT name FROM files WHERE id = $1'
    return (await here.database.run<{ name: string }>('', sql, [await bot.file('x', name)])).rows[0]?.name
  }
  expect([await named('.'), await named('..'), await named('a/..'), await named('...')]).toEqual([
    ...['file', 'file', 'file', '...'],
  ])
  expect(await named(`${'x'.repeat(251)}.txt`)).toBe(`${'x'.repeat(251)}.txt`)
  expect(await named(`${'x'.repeat(300)}.txt`)).toBe(`${'x'.repeat(251)}.txt`)
  // Three bytes a character; the 84th does not fit.
  expect(await named(`${'報'.repeat(255)}.txt`)).toBe(`${'報'.repeat(83)}.txt`)
  expect(await named('報'.repeat(86))).toBe('報'.repeat(85))
})

test('a file that comes without a name is called file', async () => {
  const { here, bot } = await open()
  const body =
    '--b\r\ncontent-disposition: form-data; name="data"\r\ncontent-type: application/octet-stream\r\n\r\nx\r\n--b--\r\n'
  const { fileID } = (await bot.call('upload', body, { 'content-type': 'multipart/form-data; boundary=b' })).body.result
  const { rows } = await here.database.run<{ name: string }>('', 'SELECT name FROM files WHERE id = $1', [fileID])
  expect(rows).toEqual([{ name: 'file' }])
})

test('a file is accepted up to the limit; a longer one is 413 as soon as possible, and leaves nothing on the disk', async () => {
  const { bot } = await open()
  expect((await bot.upload('x'.repeat(1_000_000))).status).toBe(200)
  const reply = await bot.upload('x'.repeat(1_000_001))
  expect([reply.status, reply.body.error?.details?.[0]?.limit]).toEqual([413, 1_000_000])
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test('file data is stored once, under its hash, in its organization', async () => {
  const { bot, organization } = await open()
  const [first, second] = [await bot.file('same content'), await bot.file('same content')]
  expect(first).not.toBe(second)
  const hash = createHash('sha256').update('same content').digest('hex')
  expect(await readdir(join(folder, organization))).toEqual([hash.slice(0, 2)])
  expect(await readFile(join(folder, organization, hash.slice(0, 2), hash), 'utf8')).toBe('same content')
})

test('file data can be stored twice, and discarded data is not stored', async () => {
  const { organization } = await open()
  const receive = (text: string): Promise<Arrived> => contents.receive(organization, Readable.from([Buffer.from(text)]))
  const kept = await receive('twice')
  await kept.keep()
  await kept.keep()
  await (await contents.open(organization, kept.hash, null)).cancel()
  const left = await receive('given up')
  await left.discard()
  await expect(left.keep()).rejects.toMatchObject({ reason: 'unavailable' })
})

test('a file is served to readers of a message that shows it, checked at every request', async () => {
  const { here, bot } = await open()
  const other = await here.bot('Second')
  const fileID = await bot.file(PNG as Uint8Array, 'pixel ü.png')
  const get = async (query: string, who: Bot | null = null, headers: Record<string, string> = {}): Promise<Response> =>
    here.fetch(
      new Request(`${SITE}/files/${fileID}${query}`, {
        headers: { ...headers, ...(who === null ? {} : { authorization: `Bearer ${who.key}` }) },
      }),
    )
  await bot.call('createChannel', { name: 'private', privacy: 'private' })
  expect((await get('', bot)).status).toBe(404)
  const { threadURL, threadID } = (await bot.call('postThread', { channel: 'private', blocks: [`<!${fileID}|>`] })).body
    .result
  const query = new URL(threadURL).search
  for (const wrong of ['', '?s=', '?s=wrong', '?s=%00', `${query}%00`]) {
    expect([wrong, (await get(wrong)).status]).toEqual([wrong, 404])
  }
  expect((await get('', other)).status).toBe(404)
  const response = await get(query)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG)
  expect((await get('', bot)).status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename="pixel _.png"; filename*=UTF-8''pixel%20%C3%BC.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': expect.stringContaining('private'),
  })
  expect(await (await here.fetch(new Request(threadURL))).text()).toContain(`<img src="/files/${fileID}${query}"`)
  await bot.call('deleteThread', { threadID })
  expect([(await get(query)).status, (await get('', bot)).status]).toEqual([404, 404])
})

test('a file’s name loses characters that are invisible or reverse the text around it', async () => {
  const { here, bot } = await open()
  const fileID = await bot.file('x', 'invoice\u202etxt.exe\u200b 👩‍💻')
  const { rows } = await here.database.run('', 'SELECT name FROM files WHERE id = $1', [fileID])
  expect(rows).toEqual([{ name: 'invoicetxt.exe 👩‍💻' }])
  const [nameless] = [await bot.file('x', '\u202e')]
  const { rows: others } = await here.database.run('', 'SELECT name FROM files WHERE id = $1', [nameless])
  expect(others).toEqual([{ name: 'file' }])
})

test('a file that a browser would run is served as plain text to save, in a sandbox', async () => {
  const { here, bot } = await open()
  await bot.call('createChannel', { name: 'c' })
  for (const [name, content] of [
    ['a.html', '<!doctype html><script>alert(1)</script>'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a.js', 'alert(1)'],
  ] as const) {
    const fileID = await bot.file(content, name)
    const { threadURL } = (await bot.call('postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })).body.result
    const address = `${SITE}/files/${fileID}${new URL(threadURL).search}`
    const { headers } = await here.fetch(new Request(address))
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`)
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('ranges, ETag and HEAD follow RFC 9110', async () => {
  const { here, bot } = await open()
  const fileID = await bot.file('0123456789')
  await bot.call('createChannel', { name: 'c' })
  const { threadURL } = (await bot.call('postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })).body.result
  const address = `${SITE}/files/${fileID}${new URL(threadURL).search}`
  const get = async (headers: Record<string, string>, method = 'GET'): Promise<[number, string | null, string]> => {
    const response = await here.fetch(new Request(address, { headers, method }))
    return [response.status, response.headers.get('content-range'), await response.text()]
  }
  const etag = (await here.fetch(new Request(address))).headers.get('etag') ?? ''
  expect(await get({ range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get({ range: 'Bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get({ range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789'])
  expect(await get({ range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
  // The last hundred bytes of ten are all of them.
  expect(await get({ range: 'bytes=-100' })).toEqual([206, 'bytes 0-9/10', '0123456789'])
  expect(await get({ range: 'bytes=5-99' })).toEqual([206, 'bytes 5-9/10', '56789'])
  expect(await get({ range: 'bytes=10-' })).toEqual([416, 'bytes */10', ''])
  expect(await get({ range: 'bytes=-0' })).toEqual([416, 'bytes */10', ''])
  for (const range of ['bytes=1-2,4-5', 'bytes=-', 'bytes=5-2'])
    expect([range, await get({ range })]).toEqual([range, [200, null, '0123456789']])
  expect(await get({ range: 'bytes=2-4', 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    expect([tags, await get({ 'if-none-match': tags })]).toEqual([tags, [304, null, '']])
  }
  expect(await get({ 'if-none-match': '"other"' })).toEqual([200, null, '0123456789'])
  expect(await get({}, 'HEAD')).toEqual([200, null, ''])
  expect(await get({ range: 'bytes=2-4' }, 'HEAD')).toEqual([200, null, ''])
  const text = await here.fetch(new Request(address))
  expect(text.headers.get('content-disposition')).toMatch(/^attachment/)
})

test('tidying removes only files that no message shows after a day', async () => {
  const { here, bot, organization } = await open()
  const shown = await bot.file('shown')
  await bot.file('unshown')
  await bot.file('shown')
  await bot.call('createChannel', { name: 'c' })
  await bot.call('postThread', { channel: 'c', blocks: [`<!${shown}|>`] })
  const rows = async (): Promise<string[]> => {
    const { rows } = await here.database.run<{ id: string }>('', 'SELECT id FROM files WHERE organization = $1', [
      organization,
    ])
    return rows.map(({ id }) => id)
  }
  await tidy(here.database, contents)
  expect(await rows()).toHaveLength(3)
  await ageFiles(here)
  await tidy(here.database, contents)
  expect(await rows()).toEqual([shown])
  const hashes = await Promise.all(
    (await readdir(join(folder, organization))).map((name) => readdir(join(folder, organization, name))),
  )
  expect(hashes.flat()).toEqual([createHash('sha256').update('shown').digest('hex')])
})

test('on Amazon’s own S3 a bucket is a host name, unless a dot in it would break the certificate’s', async () => {
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
  const hash = createHash('sha256').update('content').digest('hex')

  async function arrive(): Promise<Arrived> {
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

  test('that does not respond is given up after 30 s', async () => {
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

test('the same story on S3-compatible storage', async () => {
  const port = await freePort()
  const directory = await temporaryFolder()
  const temporary = await temporaryFolder()
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  await server.run()
  try {
    const account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }
    vi.stubEnv('TMPDIR', temporary)
    await leaveFiles(temporary)
    const storage = await createS3Storage({
      ...account,
      bucket: 'files',
      prefix: 'a/ü b',
      endpoint: `http://127.0.0.1:${port}`,
    })
    await storage.ready()
    const here = await createWorld(backend, folder, { files: filesOf(storage, 10_000_000) })
    const bot = await here.bot('First')
    const content = 'x'.repeat(6_000_000)
    const fileID = await bot.file(content)
    await bot.call('createChannel', { name: 'c' })
    const { threadURL } = (await bot.call('postThread', { channel: 'c', blocks: [`<!${fileID}|>`] })).body.result
    const address = `${SITE}/files/${fileID}${new URL(threadURL).search}`
    expect(await (await here.fetch(new Request(address))).text()).toBe(content)
    const part = await here.fetch(new Request(address, { headers: { range: 'bytes=10-19' } }))
    expect([part.status, await part.text()]).toEqual([206, 'x'.repeat(10)])
    await bot.file('unshown')
    const hash = createHash('sha256').update('unshown').digest('hex')
    const read = async (): Promise<string> => new Response(await storage.open(here.organization, hash, null)).text()
    expect(await read()).toBe('unshown')
    await ageFiles(here)
    await tidy(here.database, storage)
    await expect(read()).rejects.toThrow('unavailable')
    expect((await readdir(temporary)).toSorted()).toEqual(['blockmark-incoming-young', 'old'])
    const missing = await createS3Storage({
      ...account,
      bucket: 'none',
      prefix: '',
      endpoint: `http://127.0.0.1:${port}`,
    })
    await expect(missing.ready()).rejects.toThrow('unavailable')
  } finally {
    vi.unstubAllEnvs()
    await server.close()
    await rm(directory, { recursive: true, force: true })
    await rm(temporary, { recursive: true, force: true })
  }
})

/** Leaves the files of a server that was killed during uploads, and one of another program. */
async function leaveFiles(temporary: string): Promise<void> {
  const dayBefore = Date.now() / 1000 - 25 * 60 * 60
  for (const name of ['blockmark-incoming-old', 'blockmark-incoming-young', 'old']) {
    await writeFile(join(temporary, name), 'x')
    if (name.endsWith('old')) await utimes(join(temporary, name), dayBefore, dayBefore)
  }
}
