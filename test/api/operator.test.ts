/** Export and import, and people from a file. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderStorage } from '../../src/api/files/folder.js'
import type { ContentStorage } from '../../src/api/files/storage.js'
import { readPeople } from '../../src/api/operator/csv.js'
import { exportOrganization, importOrganization } from '../../src/api/operator/export.js'
import { createBotKey, purge } from '../../src/api/operator/organizations.js'
import { type OpenBackend, openEmbedded, temporaryFolder } from './support/backends.js'
import { createWorld, SITE } from './support/world.js'

let backend: OpenBackend
let another: OpenBackend
let folder = ''
let contents: ContentStorage

beforeAll(async () => {
  backend = await openEmbedded()
  another = await openEmbedded()
  folder = await temporaryFolder()
  contents = await createFolderStorage(join(folder, 'files'))
})

afterAll(async () => {
  await backend.close()
  await another.close()
  await rm(folder, { recursive: true, force: true })
})

test('export of an import gives the same export, without keys, and what is imported works', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  const person = await here.person('ada')
  const fileID = await bot.file('a file')
  const { channelID } = (await bot.call('createChannel', { name: 'c', userIDs: [person.userID] })).body.result
  const { threadID, threadURL } = (await bot.call('postThread', { channelID, blocks: [`<!${fileID}|>`, 'ü\n"x"'] }))
    .body.result
  const { commentID } = (await bot.call('postComment', { threadID, blocks: ['x'] })).body.result
  await bot.call('postComment', { threadID, parentID: commentID, blocks: ['x'] })
  await bot.call('deleteComment', { commentID })
  const { chatID } = (await bot.call('createChat', { name: 'chat' })).body.result
  for (let index = 0; index < 600; index += 1) await bot.call('postChatMessage', { chatID, body: `m${index}` })
  const organization = { organization: here.organization, name: here.name }
  const first = join(folder, 'first')
  expect(await exportOrganization(backend.database, contents, organization, first)).toMatchObject({
    ...{ rows: { threads: 1, comments: 2, messages: 600, shown_files: 1 }, files: 1 },
  })
  const target = await createFolderStorage(join(folder, 'target'))
  await importOrganization(another.database, target, first)
  const second = join(folder, 'second')
  await exportOrganization(another.database, target, organization, second)
  const names = await readdir(first)
  expect(await readdir(second)).toEqual(names)
  for (const name of names.filter((found) => found !== 'files')) {
    const text = await readFile(join(first, name), 'utf8')
    expect([name, await readFile(join(second, name), 'utf8')]).toEqual([name, text])
    expect(text).not.toContain(bot.key)
  }
  expect(await readdir(join(second, 'files'))).toEqual(await readdir(join(first, 'files')))
  const key = await createBotKey(another.database, { organization: here.name, bot: 'First', siteUrl: SITE })
  const there = await createWorld(another, join(folder, 'target'))
  const page = await there.fetch(new Request(threadURL))
  expect(await page.text()).toContain('This comment was deleted.')
  const posted = await there.fetch(
    new Request(`${SITE}/api/public/postThread`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channelID, blocks: ['x'] }),
    }),
  )
  const body: { result: { threadID: string } } = JSON.parse(await posted.text())
  expect(Number(body.result.threadID)).toBeGreaterThan(Number(commentID))
  await expect(importOrganization(another.database, target, first)).rejects.toThrow('exists')
})

test('a folder that is not whole is refused, and nothing of it is imported', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  await bot.call('createChannel', { name: 'c' })
  const organization = { organization: here.organization, name: here.name }
  const broken = join(folder, 'broken')
  await exportOrganization(backend.database, contents, organization, broken)
  await writeFile(join(broken, 'channels.ndjson'), '')
  const target = await createFolderStorage(join(folder, 'target'))
  await expect(importOrganization(another.database, target, broken)).rejects.toThrow('channels.ndjson is not whole')
  const { rows } = await another.database.run('', 'SELECT FROM users WHERE organization = $1', [here.organization])
  expect(rows).toHaveLength(0)
  await expect(exportOrganization(backend.database, contents, organization, broken)).rejects.toThrow('not empty')
  await mkdir(join(folder, 'empty'))
  await expect(importOrganization(another.database, target, join(folder, 'empty'))).rejects.toThrow('no manifest.json')
})

test('an export names the content that is missing', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  await bot.file('a file that goes')
  const { hash } = await contents.receive(here.organization, Readable.from([Buffer.from('a file that goes')]))
  await contents.remove(here.organization, hash)
  const organization = { organization: here.organization, name: here.name }
  const exporting = exportOrganization(backend.database, contents, organization, join(folder, 'lacking'))
  await expect(exporting).rejects.toThrow(`${hash} of ${here.name} can not be read`)
})

test('answers that were kept for repeated requests are purged after 24 hours', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  await bot.call('createChannel', { name: 'c' }, { 'idempotency-key': 'k' })
  const count = async (): Promise<number> =>
    (await backend.database.run('', 'SELECT FROM idempotency WHERE organization = $1', [here.organization])).rows.length
  await purge(backend.database, new Date(Date.now() + 23 * 60 * 60 * 1000))
  expect(await count()).toBe(1)
  await purge(backend.database, new Date(Date.now() + 25 * 60 * 60 * 1000))
  expect(await count()).toBe(0)
})

test('people are read from CSV, quoted or not, in either order of the columns', () => {
  expect(readPeople('\uFEFFname,email\r\n"Ada ""L."", C.",ada@x.test\r\nBob,bob@x.test\n')).toEqual([
    { name: 'Ada "L.", C.', email: 'ada@x.test' },
    { name: 'Bob', email: 'bob@x.test' },
  ])
  expect(readPeople('Email,Name\na@b,"two\nlines"')).toEqual([{ name: 'two\nlines', email: 'a@b' }])
  expect(() => readPeople('ada,ada@x.test')).toThrow('the first line has to be name,email')
  expect(() => readPeople('name,email\nada')).toThrow('record 2')
})
