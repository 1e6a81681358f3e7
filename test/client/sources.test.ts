/** A post accepts any source, strings, trees or both, and is checked and split before it is sent. */

import { expect, test } from 'vitest'
import { BlockmarkError, heading, md, paragraph, root, strong, toText, validate } from '../../src/index.js'
import { createPair, thrownBy } from './support.js'

const words = 'some words and a _mark_ in **every** line of it. '

test('a tree is serialized, and its values stay as they are', async () => {
  const { bot, service } = createPair()
  const name = '*core_api* <@7|x>'
  await bot.postThread({ channel: 'c', blocks: md`# ${name}\n**${name}** is out` })
  await bot.postChatMessage({ chat: 'talk', body: root(heading(2, name), paragraph(strong(name))) })
  expect(service.threads[0]?.text).toBe(`${name}\n\n${name} is out`)
  expect(service.threads[0]?.blocks).toHaveLength(2)
  expect(service.messages[0]?.text).toBe(`${name}\n\n${name}`)
})

test('strings that the service accepts are sent unchanged, block by block', async () => {
  const { bot, service } = createPair()
  const blocks = ['# a\n* b\n* c', '\\*', 'x_y  ']
  await bot.postThread({ channel: 'c', blocks })
  await bot.postChatMessage({ chat: 'talk', body: blocks.join('\n') })
  expect(service.threads[0]?.blocks).toEqual(blocks)
  expect(service.messages[0]?.body).toBe(blocks.join('\n'))
})

test('a text that is too long for a block is split, and all of it arrives', async () => {
  const { bot, service } = createPair()
  const source = ['# Report', words.repeat(300), words.repeat(10)]
  const { threadID } = await bot.postThread({ channel: 'c', blocks: source })
  await bot.postComment({ threadID, blocks: source.join('\n') })
  for (const { blocks, text } of [...service.threads, ...service.comments]) {
    expect(blocks.length).toBeGreaterThan(3)
    expect(validate({ blocks })).toEqual([])
    expect(text.replace(/\s+/g, ' ')).toBe(toText(source).replace(/\s+/g, ' '))
  }
})

test('characters that the service rejects are replaced', async () => {
  const { bot, service } = createPair()
  await bot.postThread({ channel: 'c', blocks: ['a\0b', '', 'c\ud800'] })
  expect(service.threads[0]?.blocks).toEqual(['a\uFFFDb', 'c\uFFFD'])
})

test('a body that needs several messages throws, and the error names sendAll, which sends them', async () => {
  const { bot, service } = createPair()
  const source = words.repeat(2000)
  const error = await thrownBy(bot.postChatMessage({ chat: 'talk', body: source }))
  expect(error).toBeInstanceOf(BlockmarkError)
  expect(error).toMatchObject({ code: 'body/too-long' })
  expect(String(error)).toContain('sendAll')
  expect(service.requests).toEqual([])
  const delivered = await bot.sendAll({ chat: 'talk', source }, { idempotencyKey: 'long' })
  expect(delivered).toHaveLength(3)
  const text = service.messages.map((message) => message.text).join(' ')
  expect(text.replace(/\s+/g, ' ')).toBe(toText(source).replace(/\s+/g, ' '))
})

test('a thread that needs more than a hundred blocks throws; sendAll sends it as comments', async () => {
  const { bot, service } = createPair()
  const source = Array.from({ length: 120 }, (_, index) => `${index} ${words.repeat(79)}`)
  const error = await thrownBy(bot.postThread({ channel: 'c', blocks: source }))
  expect(error).toBeInstanceOf(BlockmarkError)
  expect(error).toMatchObject({ code: 'blocks/count' })
  expect(service.requests).toEqual([])
  const { threadID } = await bot.postThread({ channel: 'c', blocks: 'the long one' })
  expect(await bot.sendAll({ threadID, source }, { idempotencyKey: 'comments' })).toHaveLength(2)
  expect(service.comments.map(({ blocks }) => blocks.length)).toEqual([100, 20])
})
