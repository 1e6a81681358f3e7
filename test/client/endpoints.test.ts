/** Every endpoint as a method: typed, unwrapped, checked before anything is sent. */

import { expect, test, vi } from 'vitest'
import { BlockmarkApiError, createClient } from '../../src/api/client/index.js'
import { endpointNames } from '../../src/api/contract/endpoints.js'
import { BlockmarkError } from '../../src/index.js'
import { createPair, thrownBy } from './support.js'

test('there is one method for each endpoint, by its name', () => {
  const { bot } = createPair()
  expect(Object.keys(bot).sort()).toEqual([...endpointNames, 'sendAll', 'sendStream'].sort())
})

test('every method returns its result', async () => {
  const { bot, service } = createPair({}, { channels: [], chats: [], users: [{ name: 'Ann', userID: '7' }] })
  expect(await bot.ping()).toEqual({ name: 'Bot', organization: 'Workspace' })
  expect((await bot.users()).map(({ userID, name }) => [userID, name])).toContainEqual(['7', 'Ann'])
  const { channelID, channelURL } = await bot.createChannel({ name: '#deploys', description: 'what is out' })
  expect(channelURL).toBe(`${service.baseUrl}/${channelID}`)
  expect(await bot.addChannelMembers({ channelID, userIDs: ['7'] })).toBeUndefined()
  expect(await bot.channels()).toMatchObject([
    { channelID, name: 'deploys', description: 'what is out', memberIDs: ['7', expect.any(String)] },
  ])
  const { fileID } = await bot.upload(new Blob(['a log']), { name: 'build.log' })
  const { threadID } = await bot.postThread({ channel: 'deploys', blocks: ['# v7', `<!${fileID}|>`] })
  const { commentID } = await bot.postComment({ threadID, blocks: ['done'] })
  const reply = await bot.postComment({ threadID, parentID: commentID, blocks: ['really'] })
  expect(service.threads[0]?.comments.map((comment) => comment.text)).toEqual(['done', 'really'])
  expect(await bot.deleteComment({ commentID: reply.commentID })).toBeUndefined()
  const { chatID } = await bot.createChat({ name: 'ops' })
  const { chatMessageID } = await bot.postChatMessage({ chatID, body: 'hello' })
  expect(await bot.deleteChatMessage({ messageID: chatMessageID })).toBeUndefined()
  expect(await bot.deleteChat({ chatID })).toBeUndefined()
  expect(await bot.deleteThread({ threadID })).toBeUndefined()
  expect(await bot.deleteChannel({ channelID })).toBeUndefined()
  expect([await bot.channels(), service.chats, service.threads]).toEqual([[], [], []])
})

test('an upload accepts every kind of source', async () => {
  const { bot, service } = createPair()
  const bytes = new TextEncoder().encode('content')
  const stream = (): ReadableStream<Uint8Array> => new Blob([bytes]).stream()
  await bot.upload(bytes)
  await bot.upload(bytes.buffer)
  await bot.upload({ data: new File([bytes], 'named.txt') })
  await bot.upload(stream(), { name: 'a "b"\r\n.txt' })
  await bot.upload(stream().values())
  await bot.upload(new URL('../../LICENSE', import.meta.url))
  await bot.upload('LICENSE')
  expect(service.files.map(({ name, size }) => [name, size])).toEqual([
    ['file', 7],
    ['file', 7],
    ['named.txt', 7],
    ['a "b".txt', 7],
    ['file', 7],
    ['LICENSE', service.files[5]?.size],
    ['LICENSE', service.files[5]?.size],
  ])
  expect(service.files[5]?.size).toBeGreaterThan(500)
})

test('an AbortSignal ends an upload whose stream never ends', async () => {
  const { bot, service } = createPair()
  const [controller, reason] = [new AbortController(), new Error('enough')]
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    start: (chunks) => chunks.enqueue(new Uint8Array(7)),
    pull: () => controller.abort(reason),
    cancel() {
      isCancelled = true
    },
  })
  expect(await thrownBy(bot.upload(stream, { signal: controller.signal }))).toBe(reason)
  expect([isCancelled, service.requests]).toEqual([true, []])
})

test('an unsupported upload throws an error with the reason', async () => {
  const { bot, service } = createPair()
  expect(await thrownBy(bot.upload('no/such/file'))).toMatchObject({
    code: 'ENOENT',
    message: 'upload: no/such/file: no such file',
  })
  expect(await thrownBy(bot.upload('LICENSE/part'))).toMatchObject({
    code: 'ENOTDIR',
    message: expect.stringContaining('upload: LICENSE/part: ENOTDIR'),
  })
  const folder = new URL('../', import.meta.url)
  for (const path of ['src', 'src/', folder])
    expect(await thrownBy(bot.upload(path))).toEqual(new TypeError(`upload: ${path}: is not a file`))
  for (const wrong of [7, null, {}, { data: [] }, new Blob(['a']).stream().pipeThrough(new TextDecoderStream())])
    expect(await thrownBy(bot.upload(wrong as never))).toMatchObject({
      name: 'TypeError',
      message: expect.stringMatching(/^upload: data: expected .*, received [\w ]+$/),
    })
  expect(service.requests).toEqual([])
})

test('a path throws without a file system, for example in a browser', async () => {
  const { bot } = createPair()
  const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  const error = await thrownBy(bot.upload('LICENSE'))
  builtin.mockRestore()
  expect(error).toEqual(new TypeError('upload: a path needs Node.js: pass a Blob instead'))
})

test('an invalid post throws before anything is sent', async () => {
  const { bot, service } = createPair()
  for (const blocks of ['', ' ', [], [' ', '']]) {
    const error = await thrownBy(bot.postThread({ channel: 'c', blocks }))
    expect([blocks, error]).toEqual([blocks, expect.any(BlockmarkError)])
  }
  for (const body of ['', ' \n']) {
    expect(await thrownBy(bot.postChatMessage({ chat: 'talk', body }))).toBeInstanceOf(BlockmarkError)
  }
  expect(await thrownBy(bot.postThread(undefined as never))).toBeInstanceOf(TypeError)
  expect(await thrownBy(bot.deleteThread('7' as never))).toBeInstanceOf(TypeError)
  expect(await thrownBy(bot.deleteThread({ threadID: '7' }, { idempotencyKey: '' }))).toBeInstanceOf(TypeError)
  expect(service.requests).toEqual([])
})

test('an error of the service names the problem, the field and the request, and is not repeated', async () => {
  const { bot, service } = createPair()
  const error = await thrownBy(bot.createChannel({ name: '', privacy: 'secret' as never }))
  expect(error).toBeInstanceOf(BlockmarkApiError)
  expect(error).toMatchObject({ status: 422, code: 'validation_failed', endpoint: 'createChannel', method: 'POST' })
  const { message, requestID, details } = error as BlockmarkApiError
  expect(details.map((detail) => detail.path)).toEqual([['name'], ['privacy']])
  expect(message).toContain(`POST createChannel: 422 validation_failed: `)
  expect(message).toContain(`(request ${requestID})`)
  expect(message).toContain('\n  `privacy` must be `public` or `private`.')
  expect(await thrownBy(bot.deleteThread({ threadID: '1' }))).toMatchObject({
    status: 404,
    code: 'not_found',
    details: [],
  })
  expect(service.requests).toHaveLength(2)
})

test.each([
  [
    { baseUrl: 'messages.example.com' },
    'createClient: baseUrl: expected a URL such as https://messages.example.com, received "messages.example.com"',
  ],
  [{ baseUrl: undefined as never }, /^createClient: baseUrl: .*, received undefined$/],
  [{ baseUrl: 'ftp://x' }, /baseUrl/],
  [{ apiKey: '' }, `createClient: apiKey: expected the bot's API key, without white space, received ""`],
  [{ apiKey: undefined as never }, /^createClient: apiKey: .*, received undefined$/],
  [{ apiKey: 7 as never }, /^createClient: apiKey: .*, received 7$/],
  [{ apiKey: 'wsk_secret\n' }, /^createClient: apiKey: .*, received "…"$/],
  [{ retryFor: -1 }, 'createClient: retryFor: expected milliseconds, received -1'],
  [{ timeout: 0 }, /timeout/],
  [{ baseUrl: 'https://ann:pw@x.test' }, /baseUrl/],
  [{ fetch: 7 as never }, 'createClient: fetch: expected a function, received 7'],
  [{ onLimit: {} as never }, 'createClient: onLimit: expected a function, received object'],
])('invalid options throw: %j', (options, message) => {
  const create = (): unknown => createClient({ baseUrl: 'https://x.test', apiKey: 'k', ...options })
  expect(create).toThrow(message)
  expect(create).not.toThrow('wsk_secret')
})

test('baseUrl may have a path, a slash at its end, and the path of the API', async () => {
  const asked: string[] = []
  const fetch = async (input: unknown): Promise<Response> => {
    asked.push(String(input))
    return Response.json({ ok: true, result: [] })
  }
  for (const baseUrl of ['https://x.test/', 'https://x.test/team//', new URL('https://x.test/team')]) {
    await createClient({ baseUrl, apiKey: 'k', fetch }).users()
  }
  for (const baseUrl of ['https://x.test/api/public', 'https://x.test/team/api/public/?a#b']) {
    await createClient({ baseUrl, apiKey: 'k', fetch }).users()
  }
  expect(asked).toEqual([
    'https://x.test/api/public/users',
    'https://x.test/team/api/public/users',
    'https://x.test/team/api/public/users',
    'https://x.test/api/public/users',
    'https://x.test/team/api/public/users',
  ])
})

test('another server of the same API may use any 2xx status, for errors too', async () => {
  const responses = [
    new Response('{"ok":true,"result":[],"new":1}', { status: 201 }),
    Response.json({ ok: false, error: { code: 'not_found', message: 'no', requestID: 'r' } }),
  ]
  let count = 0
  const fetch = async (): Promise<Response> => responses[count++] ?? Response.error()
  const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch })
  expect(await bot.users()).toEqual([])
  expect(await thrownBy(bot.users())).toMatchObject({ status: 200, code: 'not_found', requestID: 'r' })
  expect(count).toBe(2)
})

test('a detail with the message of the error is not repeated', async () => {
  const error = { code: 'validation_failed', message: 'no such name', requestID: 'r' }
  const details = [
    { path: ['name'], code: 'x', message: 'no such name' },
    { path: ['id'], code: 'x', message: 'no such id' },
    { path: 'id', message: 'not a detail' },
    null,
  ]
  const fetch = async (): Promise<Response> =>
    Response.json({ ok: false, error: { ...error, details } }, { status: 422 })
  const bot = createClient({ baseUrl: 'https://x.test', apiKey: 'k', fetch })
  expect(await thrownBy(bot.deleteChannel({ channelID: '7' }))).toMatchObject({
    message: 'POST deleteChannel: 422 validation_failed: no such name (request r)\n  no such id',
  })
})

test('a field or an option that a method does not know is an error that names the right place', async () => {
  const { bot, service } = createPair()
  const blocks = 'text'
  for (const [work, message] of [
    [
      () => bot.postThread({ channel: 'c', blocks, ...{ idempotencyKey: 'k' } }),
      'postThread: idempotencyKey goes into the second argument',
    ],
    [
      () =>
        bot.sendStream({ chat: 'talk', source: new ReadableStream(), ...{ signal: null } }, { idempotencyKey: 'k' }),
      'sendStream: signal goes into the second argument',
    ],
    [
      () => bot.postThread({ channel: 'c', blocks }, { idempotencykey: 'k' } as never),
      'postThread: "idempotencykey" is not known: expected idempotencyKey, signal',
    ],
    [() => bot.users({ query: 'Ann' } as never), /^users: "query" is not known/],
    [() => bot.upload('LICENSE', { fileName: 'a' } as never), /^upload: "fileName" is not known: .*, name$/],
    [
      () => bot.sendAll({ chat: 'talk', source: 'x', ...{ size: 9 } }, { idempotencyKey: 'k' }),
      /^sendAll: "size" is not known/,
    ],
    [
      async () => createClient({ baseUrl: 'https://x.test', apiKey: 'k', ...{ retries: 1 } }),
      /^createClient: "retries" is not known: expected baseUrl, apiKey, fetch, retryFor, timeout, onLimit$/,
    ],
  ] as const) {
    const error = await thrownBy(work())
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: typeof message === 'string' ? message : expect.stringMatching(message) })
  }
  expect(service.requests).toEqual([])
})

test('the result of one method may be the body of another', async () => {
  const { bot, service } = createPair()
  const thread = await bot.postThread({ channel: 'c', blocks: 'text' })
  await bot.deleteComment(await bot.postComment({ ...thread, blocks: 'reply' }))
  await bot.deleteThread(thread)
  await bot.deleteChatMessage(await bot.postChatMessage({ chat: 'talk', body: 'text' }))
  await bot.deleteChannel(await bot.createChannel({ name: 'new' }))
  await bot.deleteChat(await bot.createChat({ name: 'new' }))
  expect([service.threads, service.comments, service.messages]).toEqual([[], [], []])
})
