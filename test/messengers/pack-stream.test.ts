/** Tests `packStream`: messages of any product, as a text arrives. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import { parse, type Source, stringify, toText } from '../../src/index.js'
import { type PackStreamOptions, packStream, toSlack } from '../../src/messengers/index.js'
import { seeded } from '../properties/property.js'

const text = '# Plan\nfirst of all\n\nthen some more of it\n\n* one\n* two\n\n# Code\n```js\nlet a = 1\n```\nthe end'

async function* arriving(all: string, length = 4): AsyncGenerator<string, undefined> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length)
}

const toMessages = (source: Source): string[] => [toText(source)]

async function messagesOf(all: string, options: Partial<PackStreamOptions<string>> = {}, length = 4) {
  const messages: string[] = []
  for await (const message of packStream(arriving(all, length), { toMessages, ...options })) messages.push(message)
  return messages
}

describe('packStream', () => {
  test('packs whole blocks by their size, a heading with the block after it', async () => {
    expect(await messagesOf(text, { size: 20 })).toEqual([
      'Plan\n\nfirst of all',
      'then some more of it',
      '• one\n• two',
      'Code',
      'let a = 1',
      'the end',
    ])
    expect(await messagesOf(text)).toEqual([toText(text)])
  })

  test('yields a message as soon as it is full', async () => {
    const read: string[] = []
    async function* source(): AsyncGenerator<string, undefined> {
      for (const chunk of ['one\n\n', 'two\n\n', 'three\n\n', 'four']) {
        read.push(chunk)
        yield chunk
      }
    }
    const stream = packStream(source(), { toMessages, size: 5 })
    expect((await stream.next()).value).toBe('one')
    expect(read).toEqual(['one\n\n', 'two\n\n'])
    await stream.return(undefined)
  })

  test('yields every message that a converter makes of a packet', async () => {
    expect(await messagesOf('a b', { toMessages: (source) => toText(source).split(' ') })).toEqual(['a', 'b'])
  })

  test('reads Markdown with its reader, shows the tail, and ends with its signal', async () => {
    const tails: string[] = []
    const reader = createMarkdownStream()
    const messages = await messagesOf(
      'a *b* c',
      { reader: () => reader, onTail: (tail) => tails.push(toText(tail)) },
      3,
    )
    expect(messages).toEqual([toText(fromMarkdown('a *b* c').tree)])
    expect(tails).toEqual(['a', 'a b', 'a b c'])
    await expect(messagesOf(text, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })

  test('makes the same messages however a text is cut, and loses nothing', async () => {
    const cuts = fc.record({ length: fc.integer({ min: 1, max: 40 }), size: fc.integer({ min: 1, max: 60 }) })
    const check = fc.asyncProperty(cuts, async ({ length, size }) => {
      const messages = await messagesOf(text, { size, toMessages: (source) => [stringify(rootOf(source))] }, length)
      expect(messages).toEqual(
        await messagesOf(text, { size, toMessages: (source) => [stringify(rootOf(source))] }, text.length),
      )
      expect(toText(messages)).toBe(toText(text))
    })
    await fc.assert(check, { ...seeded, numRuns: 30 })
  })

  test.each([
    [{ toMessages: null }, 'packStream: toMessages: expected a function'],
    [{ size: 0 }, 'packStream: size: expected characters, received 0'],
    [{ reader: {} }, 'packStream: reader: expected a function such as () => createMarkdownStream(), received object'],
  ])('rejects %j', (options, message) => {
    expect(() => packStream(arriving(text), { toMessages, ...options } as never)).toThrow(new TypeError(message))
  })

  test('rejects a conversion that returns one message: for Slack, it is put in an array', async () => {
    await expect(messagesOf(text, { toMessages: toSlack as never })).rejects.toThrow(
      new TypeError('packStream: toMessages: expected a function that returns an array'),
    )
    expect(await messagesOf('**a** <b>', { toMessages: (source) => [toSlack(source)] })).toEqual(['*a* &lt;b&gt;'])
  })

  test('rejects a source that is not a stream, and chunks that are not strings', async () => {
    expect(() => packStream('text' as never, { toMessages })).toThrow('packStream: source: expected an AsyncIterable')
    const bytes = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(1)) })
    await expect(packStream(bytes as never, { toMessages }).next()).rejects.toThrow('received bytes: pipe them')
  })
})

function rootOf(source: Source) {
  const sources = Array.isArray(source) ? source : [source]
  return { type: 'root' as const, children: sources.flatMap((each) => parse(each, { position: false }).children) }
}
