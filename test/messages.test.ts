/**
 * Errors and their messages: the library, a bot with the service, the command line. All sentences of the service are in
 * `src/api/contract/sentences.ts`.
 */

import { describe, expect, test } from 'vitest'
import { createClient } from '../src/api/client/index.js'
import { fieldSentences, sentences } from '../src/api/contract/sentences.js'
import { createMarkdownStream, fromMarkdown, toMarkdown } from '../src/convert/index.js'
import {
  assertTree,
  createStream,
  heading,
  md,
  mention,
  parse,
  toBlocks,
  toBodies,
  toHtml,
  toText,
  validate,
} from '../src/index.js'
import { explain, fix, lint } from '../src/lint/index.js'
import { fromSlack, toSlack, toTelegram } from '../src/messengers/index.js'
import { createTestService } from '../src/testing/index.js'

/** Arguments of a JavaScript program that the types would reject. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments have wrong types on purpose
type Anything = any

describe('the library', () => {
  const calls: Readonly<Record<string, () => unknown>> = {
    'expected a string, a tree or an array of them, received null': () => toHtml(null as Anything),
    "expected a string, a tree or an array of them, received paragraph: a node goes into root(…), Slack's through fromSlack(…)":
      () => toHtml({ type: 'paragraph', children: [] } as Anything),
    "expected a string, a tree or an array of them, received section: a node goes into root(…), Slack's through fromSlack(…)":
      () => toBlocks([{ type: 'section' }] as Anything),
    'expected a string, a tree or an array of them, received object: pass its `tree`': () =>
      toTelegram(fromMarkdown('a') as Anything),
    'expected a string, a tree or an array of them, received promise': () => toText(Promise.resolve('a') as Anything),
    'a tree or an array of them, received null': () => toMarkdown(null as Anything),
    "expected a string, a tree or an array of them, received divider: a node goes into root(…), Slack's through fromSlack(…)":
      () => toSlack({ type: 'divider' } as Anything),
    'parse: expected a string, received 7': () => parse(7 as Anything),
    'parse: expected a string, received null': () => parse(null as Anything),
    'explain: expected a string, received undefined': () => explain(undefined as Anything, 0),
    'fix: expected a string, received array': () => fix(['a'] as Anything),
    'push: expected a string, received object': () => createStream().push(new Uint8Array(1) as Anything),
    'fromMarkdown: expected a string, received null': () => fromMarkdown(null as Anything),
    'fromSlack: expected a string, an array of blocks, or a message with text, blocks, attachments or files, received null':
      () => fromSlack(null as Anything),
    'mentions: expected \'none\' or an array of ids, received "7"': () =>
      fromMarkdown('<@7>', { mentions: '7' as Anything }),
    'fromSlack: expected a string, an array of blocks, or a message with text, blocks, attachments or files, received object':
      () => fromSlack({ ok: true, message: { text: 'a' } }),
    "mentions: expected 'none' or an array of ids, received 7": () => createMarkdownStream({ mentions: 7 as Anything }),
    'tree/field: expected 1 or 2, received 3 at /depth': () => heading(3 as Anything, 'a'),
    'received undefined at /userID': () => mention(undefined as Anything),
    'md: expected a template, md`…`, received a call, md(…)': () => md('a' as Anything),
    'tree/child: expected block, received image at /children/0': () =>
      assertTree({ type: 'root', children: [{ type: 'image' }] }),
    'blocks/count: expected 1 to 100 blocks, received 0': () => toBlocks(''),
    'bodyLength: expected a number of 1 or more, received 0': () => toBodies('a', { bodyLength: 0 }),
    'tree/child: expected phrasing, received promise at /values/0': () => md`a ${Promise.resolve('b') as Anything}`,
    'expected an object with blocks or body, received null': () => validate(null as Anything),
    'expected an object with blocks or body, received array': () => validate(['a'] as Anything),
    'expected a string, a tree or an array of them, received undefined': () => lint(undefined as Anything),
  }

  test.each(Object.entries(calls))('%s', (message, call) => {
    expect(call).toThrow(message)
  })
})

type Service = ReturnType<typeof createTestService>

/** A service with something in it, and a request as it comes from any program. */
async function open(options: Parameters<typeof createTestService>[0] = {}): Promise<{
  service: Service
  send: (endpoint: string, body?: unknown, headers?: Record<string, string>, method?: string) => Promise<string[]>
}> {
  const service = createTestService({ channels: ['deploys'], chats: ['ops', 'twice', 'twice'], ...options })
  const send = async (endpoint: string, body?: unknown, headers = {}, method = body === undefined ? 'GET' : 'POST') => {
    const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
    const response = await service.fetch(`${service.baseUrl}/api/public/${endpoint}`, {
      method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    })
    const { error }: { error?: { message: string; details?: { message: string }[] } } = JSON.parse(
      await response.text(),
    )
    if (error === undefined) return []
    return [
      error.message,
      ...(error.details ?? []).map(({ message }) => message).filter((each) => each !== error.message),
    ]
  }
  return { service, send }
}

type Send = Awaited<ReturnType<typeof open>>['send']

function form(...parts: readonly [name: string, content: string | Blob, filename?: string][]): FormData {
  const data = new FormData()
  for (const [name, content, filename] of parts) {
    if (typeof content === 'string') data.append(name, content)
    else data.append(name, content, filename)
  }
  return data
}

const post = { channel: 'deploys' }

describe('a bot', () => {
  const requests: readonly (readonly [says: string, ...request: Parameters<Send>])[] = [
    ['`blocks[1]` is blank: leave it out or write something.', 'postThread', { ...post, blocks: ['a', ' '] }],
    ['`blocks` is empty: send at least one block.', 'postThread', { ...post, blocks: [] }],
    ['`blocks` is missing: send it.', 'postThread', post],
    ['`blocks` must be a list of strings, one for each block of the message.', 'postThread', { ...post, blocks: 'a' }],
    [
      "`blocks[0]` is an object, but a block is a string: fromSlack of blockmark/messengers converts Slack's blocks.",
      'postThread',
      { ...post, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a' } }] },
    ],
    ['`blocks[0]` must be a string, not a number.', 'postThread', { ...post, blocks: [7] }],
    [
      '`blocks` is too long: 101 blocks, at most 100 are allowed.',
      'postThread',
      { ...post, blocks: Array(101).fill('a') },
    ],
    [
      '`blocks[0]` is too long: 4,001 characters, at most 4,000 are allowed.',
      'postThread',
      { ...post, blocks: ['a'.repeat(4001)] },
    ],
    ['`blocks[0]` contains U+0000 in line 2, column 1: remove it.', 'postThread', { ...post, blocks: ['a\n\0'] }],
    [
      '`blocks[0]` shows file 9, which this bot did not upload and cannot see: upload it first.',
      'postThread',
      { ...post, blocks: ['<!9|>'] },
    ],
    ['`blocks[0]` must be a string, not null.', 'postThread', { ...post, blocks: [null] }],
    ['`body` is blank: write something.', 'postChatMessage', { chat: 'ops', body: '' }],
    ['`body` contains U+0000 in line 1, column 1: remove it.', 'postChatMessage', { chat: 'ops', body: '\0' }],
    ['`body` must be a string, not a number.', 'postChatMessage', { chat: 'ops', body: 7 }],
    [
      '`body` is too long: 40,001 characters, at most 40,000 are allowed.',
      'postChatMessage',
      { chat: 'ops', body: 'a'.repeat(40_001) },
    ],
    ['`name` is missing: send it.', 'createChannel', {}],
    ['`name` is empty: write something, or leave an optional field out.', 'createChannel', { name: ' ' }],
    ['`name` is too long: 81 characters, at most 80 are allowed.', 'createChannel', { name: 'a'.repeat(81) }],
    ['`name` must be a string, not a number.', 'createChannel', { name: 7 }],
    ['`name` must be a string, not null.', 'createChannel', { name: null }],
    ['`userIDs[0]` contains U+0000 or a lone surrogate: remove it.', 'createChat', { name: 'a', userIDs: ['\ud800'] }],
    [
      '`name` contains an invisible or bidirectional control character: remove it.',
      'createChannel',
      { name: 'a\u202Eb' },
    ],
    ['`name` is taken: choose another one.', 'createChannel', { name: 'Deploys' }],
    ['`privacy` must be `public` or `private`.', 'createChannel', { name: 'a', privacy: 'secret' }],
    ['`userIDs` must be a list.', 'createChannel', { name: 'a', userIDs: '7' }],
    [
      '`userIDs` and `emails` name too many people: 1,001, at most 1,000 are allowed.',
      'createChannel',
      { name: 'a', userIDs: Array(500).fill('1'), emails: Array(501).fill('a@b.c') },
    ],
    ['`userIDs` is missing: send it, or `emails`.', 'addChannelMembers', { channelID: '1' }],
    ['`channelID` is missing: send it, or `channel`.', 'postThread', { blocks: ['a'] }],
    ['The request has 2 problems: see details.', 'createChannel', { name: '', privacy: 'x' }],
    ['Some of these people are not in the organization: see details.', 'createChat', { name: 'a', userIDs: ['9'] }],

    [
      '`channel` is not known: it does not exist, or this bot cannot see it.',
      'postThread',
      { channel: 'nope', blocks: ['a'] },
    ],
    ['`channelID` is not known: it does not exist, or this bot cannot see it.', 'deleteChannel', { channelID: '9' }],
    [
      '`threadID` is not known: it does not exist, or this bot cannot see it.',
      'postComment',
      { threadID: '9', blocks: ['a'] },
    ],
    ['`commentID` is not known: it does not exist, or this bot cannot see it.', 'deleteComment', { commentID: '9' }],
    [
      '`chat` is not known: it does not exist, or this bot cannot see it.',
      'postChatMessage',
      { chat: 'nope', body: 'a' },
    ],
    ['`chatID` is not known: it does not exist, or this bot cannot see it.', 'deleteChat', { chatID: '9' }],
    [
      '`messageID` is not known: it does not exist, or this bot cannot see it.',
      'deleteChatMessage',
      { messageID: '9' },
    ],
    ['Several chats have this name: send `chatID` instead.', 'postChatMessage', { chat: 'twice', body: 'a' }],
    ['This endpoint does not exist: /openapi.json lists all endpoints.', 'postMessage', {}],
    ['This endpoint accepts POST.', 'postThread'],

    ['Send a valid API key: Authorization: Bearer <key>.', 'ping', undefined, { authorization: 'Bearer x' }],
    ['The body must be JSON in UTF-8.', 'createChannel', '{'],
    ['The body must be a JSON object: { … }.', 'createChannel', '[]'],
    ['Send the body as application/json.', 'createChannel', '{}', { 'content-type': 'text/plain' }],
    ['Send the body as it is, without a Content-Encoding.', 'createChannel', '{}', { 'content-encoding': 'gzip' }],
    [
      'The body is too large: at most 8,388,608 bytes are allowed. Send several requests.',
      'createChannel',
      `"${'a'.repeat(8 * 2 ** 20)}"`,
    ],
    ['The body is nested too deeply: at most 64 levels are allowed.', 'createChannel', '['.repeat(65)],
    [
      'An object in the body has too many fields: at most 1,000 are allowed.',
      'createChannel',
      Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, 0])),
    ],
    ['The body has too many values: at most 20,000 are allowed.', 'createChannel', { name: Array(20_001).fill(0) }],
    [
      'An Idempotency-Key has 1 to 255 characters.',
      'createChannel',
      { name: 'a' },
      { 'idempotency-key': 'a'.repeat(256) },
    ],
    ['`limit` must be a number from 1 to 1,000.', 'channels?limit=x'],
    ['`cursor` must be the `nextCursor` of the previous page.', 'channels?cursor=x'],

    ['`data` must be one file: send exactly one part of this name, with a filename.', 'upload', form(['data', 'a'])],
    ['`data` is an empty file: send one with content.', 'upload', form(['data', new Blob([]), 'a.txt'])],
    [
      '`data` has an unsupported type: send an image, a video, a PDF, or text in UTF-8 or UTF-16.',
      'upload',
      form(['data', new Blob(['PK\x03\x04\0\0']), 'a.zip']),
    ],
    ['Send the file as multipart/form-data, in a part named `data`.', 'upload', {}],
    [
      'The multipart body is incomplete or malformed, or its content type has no boundary: let your HTTP library write both.',
      'upload',
      '--x\r\n',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
  ]

  for (const [says, ...request] of requests) {
    test(says, async () => {
      const { send } = await open()
      expect((await send(...request))[0]).toBe(says)
    })
  }

  test('`parentID` is neither the thread nor one of its comments.', async () => {
    const { service, send } = await open()
    const { apiKey, baseUrl, fetch } = service
    const bot = createClient({ apiKey, baseUrl, fetch })
    const { threadID } = await bot.postThread({ channel: 'deploys', blocks: ['a'] })
    expect(await send('postComment', { threadID, parentID: '9', blocks: ['a'] })).toEqual([
      fieldSentences.notInThread('`parentID`'),
    ])
    const [channel] = await bot.channels()
    expect(await send('postThread', { channelID: channel?.channelID, channel: 'ops', blocks: ['a'] })).toEqual([
      '`channel` and `channelID` name different things: send one of them.',
    ])
    const other = createClient({ apiKey: service.addBot('Other'), baseUrl, fetch })
    await expect(other.deleteThread({ threadID })).rejects.toThrow(sentences.notOwner)
  })

  test('This Idempotency-Key was used for another request: choose a new one.', async () => {
    const { send } = await open()
    const key = { 'idempotency-key': 'k' }
    expect(await send('createChannel', { name: 'a' }, key)).toEqual([])
    expect(await send('createChannel', { name: 'b' }, key)).toEqual([sentences.otherRequest])
  })

  test('Too many requests, at most 1 a second: try again in 1 s, as Retry-After says.', async () => {
    const { send } = await open({ rateLimit: 1 })
    await send('ping')
    await send('ping')
    expect(await send('ping')).toEqual([
      'Too many requests, at most 1 a second: try again in 1 s, as Retry-After says.',
    ])
  })

  test('every sentence is complete, names its field, and occurs in a test', () => {
    const all = [
      ...Object.values(fieldSentences).map((sentence) =>
        sentence('`field`', 'other' as never, 'more' as never, 2 as never),
      ),
      ...Object.values(sentences).map((sentence) =>
        typeof sentence === 'string' ? sentence : sentence(2 as never, 'x', 2),
      ),
    ]
    for (const sentence of all) expect(sentence).toMatch(/^[A-Z`\d][^\n]{10,140}\.$/)
    for (const sentence of all.slice(0, Object.keys(fieldSentences).length)) expect(sentence).toMatch(/^`field`/)
    expect(new Set(all).size).toBe(all.length)
  })
})
