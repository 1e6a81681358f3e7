/** Messages that are delivered while they are written: the same messages, once, however the text is cut and the connection breaks. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClient, SendError } from '../../src/api/client/index.js'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import { createStream, parse, type Root, stringify, toText } from '../../src/index.js'
import type { TestService } from '../../src/testing/index.js'
import { seeded } from '../properties/property.js'
import { createPair, thrownBy } from './support.js'

/** Eight blocks, and five messages of 20 characters. */
const text = '# Plan\nfirst of all\n\nthen some more of it\n\n* one\n* two\n\n# Code\n```js\nlet a = 1\n```\nthe end'
const messages = [
  '# Plan\n\nfirst of all',
  'then some more of it',
  '* one\n* two',
  '# Code',
  '```js\nlet a = 1\n```',
  'the end',
]

async function* arriving(all: string, length = 4): AsyncGenerator<string, undefined> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length)
}

const stream = (all: string = text, length = 4) => ({
  ...{ chat: 'talk', source: arriving(all, length), size: 20 },
})

const key = { idempotencyKey: 'answer 42 ✓' }

function bodiesOf({ messages: posted }: TestService): string[] {
  return posted.map(({ body }) => body)
}

describe('messages', () => {
  test('consist of whole blocks, and a heading is with the next block if both fit', async () => {
    const { bot, service } = createPair()
    const { delivered } = await bot.sendStream(stream(), key)
    expect(bodiesOf(service)).toEqual(messages)
    expect(delivered.map(({ chatMessageID }) => chatMessageID)).toEqual(
      service.messages.map(({ chatMessageID }) => chatMessageID),
    )
  })

  test('begin with the bold line that a heading of depth 3 becomes', async () => {
    const { bot, service } = createPair()
    await bot.sendStream(
      { ...stream('some words\n\n### Next\n\nmore words'), reader: () => createMarkdownStream() },
      key,
    )
    expect(bodiesOf(service)).toEqual(['some words', '**Next**\n\nmore words'])
  })

  test('are comments in a thread, each with its own blocks', async () => {
    const { bot, service } = createPair()
    const { threadID } = await bot.postThread({ channel: 'c', blocks: ['thread'] })
    const { commentID: parentID } = await bot.postComment({ threadID, blocks: ['a comment'] })
    await bot.sendStream({ threadID, parentID, source: arriving(text), size: 45 }, { idempotencyKey: 'x' })
    const [, ...comments] = service.comments
    expect(comments.map(({ blocks, parentID: replied }) => [replied, blocks])).toEqual([
      [parentID, ['# Plan', 'first of all', 'then some more of it']],
      [parentID, ['* one\n* two', '# Code', '```js\nlet a = 1\n```']],
      [parentID, ['the end']],
    ])
  })

  test('have 1,500 characters by default, and never more blocks than a comment may have', async () => {
    const { bot, service } = createPair()
    const { threadID } = await bot.postThread({ channel: 'c', blocks: ['thread'] })
    await bot.sendStream({ threadID, source: arriving(`${'a'.repeat(700)}\n\n`.repeat(5)) }, { idempotencyKey: '1' })
    expect(service.comments.map(({ blocks }) => blocks.length)).toEqual([2, 2, 1])
    await bot.sendStream({ threadID, source: arriving('a\n\n'.repeat(202)), size: 10_000 }, { idempotencyKey: '2' })
    expect(service.comments.slice(3).map(({ blocks }) => blocks.length)).toEqual([100, 100, 2])
  })

  test('can contain a longer block, cut at the service’s limits', async () => {
    const { bot, service } = createPair()
    const { threadID } = await bot.postThread({ channel: 'c', blocks: ['thread'] })
    const long = `${'word '.repeat(1_800)}end`
    await bot.sendStream({ threadID, source: arriving(`a\n\n${long}\n\nb`, 97), size: 20 }, { idempotencyKey: '1' })
    expect(service.comments.map(({ blocks }) => blocks.map(({ length }) => length > 20))).toEqual([
      ...[[false], [true], [true], [true], [false]],
    ])
    await bot.sendStream({ chat: 'talk', source: arriving(`a\n\n${long}\n\nb`, 97), size: 20 }, { idempotencyKey: '1' })
    expect(bodiesOf(service)).toEqual(['a', long, 'b'])
  })

  test.each([
    [1_499, 1],
    [1_500, 1],
    [1_501, 2],
  ])('of two blocks with %i characters in all are %i', async (length, count) => {
    const { bot, service } = createPair()
    await bot.sendStream({ chat: 'talk', source: arriving(`a\n\n${'🎉'.repeat(length - 3)}`) }, { idempotencyKey: 'x' })
    expect(service.messages).toHaveLength(count)
  })

  test('do not exist for an empty text', async () => {
    const { bot, service } = createPair()
    expect(await bot.sendStream(stream('\n \n'), key)).toEqual({ delivered: [], diagnostics: [] })
    const { delivered } = await bot.sendStream(
      { ...stream('- \n\n<!-- a -->\n'), reader: () => createMarkdownStream() },
      { idempotencyKey: 'y' },
    )
    expect(delivered).toEqual([])
    expect(service.messages).toEqual([])
  })

  test('leave invisible blocks out', async () => {
    const { bot, service } = createPair()
    await bot.sendStream({ chat: 'talk', source: arriving('one\n\n\u2003\n\ntwo') }, { idempotencyKey: 'x' })
    expect(bodiesOf(service)).toEqual(['one\n\ntwo'])
  })

  test('are the converted CommonMark of a model', async () => {
    const { bot, service } = createPair()
    const output = '### Plan\n\n1. **Ask** <@7|Ann>\n2. Wait\n\n| a | b |\n|---|---|\n| c | d |\n'
    await bot.sendStream(
      { ...stream(output), size: 1_000, reader: () => createMarkdownStream({ mentions: ['7'] }) },
      key,
    )
    expect(bodiesOf(service)).toEqual([stringify(fromMarkdown(output, { mentions: ['7'] }).tree)])
  })
})

test('the same text makes the same messages, however it is cut', async () => {
  const block = fc.constantFrom(
    '# Heading\n',
    'Some words.\n\n',
    '- one\n- two\n\n',
    '```\ncode\n```\n',
    `${'long '.repeat(40)}\n\n`,
  )
  const given = fc.record({
    blocks: fc.array(block, { maxLength: 20 }),
    lengths: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500 })),
    size: fc.integer({ min: 1, max: 300 }),
    reader: fc.constantFrom(createStream, createMarkdownStream),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ blocks, lengths, size, reader }) => {
      const { bot, service } = createPair()
      const all = blocks.join('')
      for (const length of lengths) await bot.sendStream({ ...stream(all, length), size, reader }, key)
      // The second call repeats the request of every message.
      const replayed = service.requests.filter(({ isReplayed }) => isReplayed).length
      expect(replayed).toBe(service.messages.length)
      const whole = reader === createStream ? parse(all, { position: false }) : fromMarkdown(all).tree
      expect(
        bodiesOf(service)
          .map((body) => toText(body))
          .join('\n\n'),
      ).toBe(toText(whole))
      for (const body of bodiesOf(service)) {
        const isOne = parse(body).children.length === 1
        expect([...body].length <= size || isOne).toBe(true)
      }
    }),
    { numRuns: 60, ...seeded },
  )
})

for (const of of ['response', 'request'] as const) {
  test.each(messages.map((_, index) => index + 1))(
    `if the ${of} of message %i is lost, the next call delivers the rest and nothing twice`,
    async (n) => {
      const { bot, service } = createPair({ retryFor: 0 })
      service.lose(1, { after: n - 1, of })
      const error = await thrownBy(bot.sendStream(stream(), key))
      expect(error).toBeInstanceOf(SendError)
      expect(error).toMatchObject({ ...key, cause: { code: 'connection_failed', isUnknown: true } })
      const { delivered, message } = error as SendError<{ chatMessageID: string }>
      expect(delivered.map(({ chatMessageID }) => chatMessageID)).toEqual(
        service.messages.slice(0, n - 1).map(({ chatMessageID }) => chatMessageID),
      )
      expect(message).toContain('posted for certain; then: POST ')
      // Another process gets other chunks of the same text.
      const { apiKey, baseUrl, fetch } = service
      expect((await createClient({ apiKey, baseUrl, fetch }).sendStream(stream(text, 7), key)).delivered).toHaveLength(
        messages.length,
      )
      expect(bodiesOf(service)).toEqual(messages)
    },
  )
}

describe('another text under the same id', () => {
  test.each([
    ['first', 1, text.replace('# Plan', '# Idea')],
    ['third', 3, text.replace('two', 'three')],
    ['last', 6, text.replace('the end', 'the very end')],
  ])('stops with the %s message that differs', async (_, number, other) => {
    const { bot, service } = createPair()
    await bot.sendStream(stream(), key)
    const error = await thrownBy(bot.sendStream(stream(other), key))
    expect(error).toMatchObject({ cause: { code: 'idempotency_mismatch', isUnknown: false } })
    expect((error as SendError).delivered).toHaveLength(number - 1)
    expect(String(error)).toContain(
      `SendError: sendStream: ${number - 1} messages were posted for certain; then: POST `,
    )
    expect(bodiesOf(service)).toEqual(messages)
  })
})

describe('a source', () => {
  test('is read further only when all full messages have been posted', async () => {
    const { bot, service } = createPair()
    let pulls = 0
    const pullsAtPost: number[] = []
    async function* counted(): AsyncGenerator<string> {
      for (const chunk of ['a\n\n', 'b\n\n', 'c\n\n']) {
        pulls += 1
        yield chunk
      }
    }
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const before = pulls
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      expect(pulls).toBe(before)
      pullsAtPost.push(pulls)
      return service.fetch(input, init)
    }
    const { apiKey, baseUrl } = service
    await createClient({ apiKey, baseUrl, fetch }).sendStream({ ...stream(), source: counted(), size: 1 }, key)
    expect(pullsAtPost).toEqual([2, 3, 3])
    expect((await bot.sendStream({ ...stream(), source: counted(), size: 1 }, key)).delivered).toHaveLength(3)
  })

  test('may be a ReadableStream, which is canceled if the call fails', async () => {
    const { bot, service } = createPair()
    const readable = (all: string) =>
      new ReadableStream<string>({
        start(controller) {
          controller.enqueue(all)
          if (all === text) controller.close()
        },
        cancel: () => {
          isCanceled = true
        },
      })
    let isCanceled = false
    await bot.sendStream({ ...stream(), source: readable(text) }, key)
    expect(bodiesOf(service)).toEqual(messages)
    // This is a stream without an iterator, which some browsers lack.
    const plain = { getReader: () => readable(text).getReader() } as ReadableStream<string>
    expect((await bot.sendStream({ ...stream(), source: plain }, key)).delivered).toHaveLength(messages.length)
    expect(isCanceled).toBe(false)
    service.fail('not_owner')
    await thrownBy(bot.sendStream({ ...stream(), source: readable(`${text}\n\n\n`) }, { idempotencyKey: 'other' }))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isCanceled).toBe(true)
  })

  test('that fails leaves the full messages posted, and no other', async () => {
    const { bot, service } = createPair()
    const broken = new Error('the model is gone')
    async function* breaking(): AsyncGenerator<string> {
      yield text.slice(0, 55)
      throw broken
    }
    const error = await thrownBy(bot.sendStream({ ...stream(), source: breaking() }, key))
    expect(error).toMatchObject({ cause: broken })
    expect(String(error)).toContain('1 message was posted for certain; then: the model is gone')
    expect(bodiesOf(service)).toEqual(messages.slice(0, 1))
    await bot.sendStream(stream(), key)
    expect(bodiesOf(service)).toEqual(messages)
  })

  test('without strings throws', async () => {
    const { bot, service } = createPair()
    const bytes = (async function* () {
      yield new Uint8Array(1)
    })()
    const error = await thrownBy(bot.sendStream({ ...stream(), source: bytes as never }, key))
    expect(error).toMatchObject({
      cause: new TypeError(
        'sendStream: source: expected strings, received bytes: pipe them through new TextDecoderStream()',
      ),
    })
    const numbers = (async function* () {
      yield 7
    })()
    expect(
      await thrownBy(bot.sendStream({ ...stream(), source: numbers as never }, { idempotencyKey: 'another' })),
    ).toMatchObject({
      cause: new TypeError('sendStream: source: expected strings, received number'),
    })
    for (const wrong of [
      { source: 'text' },
      { source: null },
      { size: 0 },
      { reader: createStream() },
      { size: 1.5 },
      { chat: undefined },
    ])
      expect(await thrownBy(bot.sendStream({ ...stream(), ...wrong } as never, key))).toBeInstanceOf(TypeError)
    expect(service.requests).toEqual([])
  })
})

describe('an AbortSignal', () => {
  test('ends the call while the source is waiting, and leaves the posted messages', async () => {
    const { bot, service } = createPair()
    const controller = new AbortController()
    const reason = new Error('enough')
    let isReturned = false
    async function* hanging(): AsyncGenerator<string> {
      try {
        yield text.slice(0, 60)
        await new Promise(() => undefined)
      } finally {
        isReturned = true
      }
    }
    const source = hanging()
    const sending = thrownBy(bot.sendStream({ ...stream(), source }, { ...key, signal: controller.signal }))
    while (service.messages.length < 2) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(reason)
    expect(await sending).toMatchObject({ cause: reason, delivered: [{}, {}] })
    expect(bodiesOf(service)).toEqual(messages.slice(0, 2))
    // The source hangs, and the call does not wait for it.
    expect(isReturned).toBe(false)
    expect((await bot.sendStream(stream(), key)).delivered).toHaveLength(messages.length)
    expect(bodiesOf(service)).toEqual(messages)
  })

  test('ends the call while a message is posted; that message may exist afterwards', async () => {
    const { bot, service } = createPair()
    const controller = new AbortController()
    service.delay(50)
    const sending = thrownBy(bot.sendStream(stream(), { ...key, signal: controller.signal }))
    while (service.messages.length < 2) await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    const error = await sending
    expect(error).toMatchObject({ delivered: [{}] })
    service.recover()
    expect((await bot.sendStream(stream(), key)).delivered).toHaveLength(messages.length)
    expect(bodiesOf(service)).toEqual(messages)
  })

  test('that has ended before posts nothing', async () => {
    const { bot, service } = createPair()
    const reason = new Error('too late')
    expect(await thrownBy(bot.sendStream(stream(), { ...key, signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(service.requests).toEqual([])
  })
})

describe('a callback', () => {
  test('is called with each message, and after each chunk with the rest', async () => {
    const { bot } = createPair()
    const calls: string[] = []
    const tails: Root[] = []
    await bot.sendStream(
      {
        ...stream('**one** and\n\ntwo\n\na **re', 3),
        reader: () => createMarkdownStream(),
        size: 8,
        onMessage: ({ chatMessageURL }, index) => calls.push(`${index} ${chatMessageURL.split('/').length}`),
        onTail: (tail) => tails.push(tail),
      },
      key,
    )
    expect(calls).toEqual(['0 5', '1 5', '2 5'])
    expect(tails.map((tail) => stringify(tail))).toEqual([
      '**o**',
      '**one**',
      '**one** a',
      '**one** and',
      '**one** and\n\ntw',
      'two',
      'two\n\na',
      'two\n\na **re**',
    ])
  })

  test('cannot stop the call', async () => {
    const { bot, service } = createPair()
    const broken = (): never => {
      throw new Error('broken')
    }
    await bot.sendStream({ ...stream(), onMessage: broken, onTail: async () => broken() }, key)
    expect(bodiesOf(service)).toEqual(messages)
  })
})

describe('after the 24 hours for which the service stores idempotency keys', () => {
  const hour = 60 * 60 * 1000

  test('the same idempotency key throws', async () => {
    const { bot, service } = createPair()
    await bot.sendStream(stream(), key)
    service.clock.advance(25 * hour)
    expect(await thrownBy(bot.sendStream(stream(), key))).toMatchObject({
      name: 'SendError',
      cause: { message: expect.stringContaining('24 hours ago') },
    })
    expect(bodiesOf(service)).toEqual(messages)
  })

  test('sendAll does not share its idempotency keys', async () => {
    const { bot, service } = createPair()
    await bot.sendAll({ chat: 'talk', source: 'all' }, key)
    service.clock.advance(25 * hour)
    await bot.sendStream(stream(), key)
    expect(bodiesOf(service)).toEqual(['all', ...messages])
  })
})
