/** What is posted may be any source: strings, trees, or both; it is checked and split before it is sent. */

import { expect, test } from 'vitest'
import { heading, md, paragraph, root, strong } from '../../src/index.js'
import { createPair } from './support.js'

test('a tree is written, its values as they are', async () => {
  const { bot, service } = createPair()
  const name = '*core_api* <@7|x>'
  await bot.postThread({ channel: 'c', blocks: md`# ${name}\n**${name}** is out` })
  await bot.postChatMessage({ chat: 'talk', body: root(heading(2, name), paragraph(strong(name))) })
  expect(service.threads[0]?.text).toBe(`${name}\n\n${name} is out`)
  expect(service.threads[0]?.blocks).toHaveLength(2)
  expect(service.messages[0]?.text).toBe(`${name}\n\n${name}`)
})

test('strings that the service takes are sent as they are, block by block', async () => {
  const { bot, service } = createPair()
  const blocks = ['# a\n* b\n* c', '\\*', 'x_y  ']
  await bot.postThread({ channel: 'c', blocks })
  await bot.postChatMessage({ chat: 'talk', body: blocks.join('\n') })
  expect(service.threads[0]?.blocks).toEqual(blocks)
  expect(service.messages[0]?.body).toBe(blocks.join('\n'))
})
