/** Export, import, and people from a file. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { StoreError } from '../../src/api/store/store.js'
import { createFolderStorage } from '../../src/server/files/folder.js'
import type { ContentStorage } from '../../src/server/files/storage.js'
import { readPeople } from '../../src/server/operator/csv.js'
import { exportOrganization } from '../../src/server/operator/export.js'
import { importOrganization } from '../../src/server/operator/import.js'
import {
  createBotKey,
  createFirstKey,
  type FirstKey,
  organizationOfKey,
  revokeKey,
  rotateKey,
} from '../../src/server/operator/keys.js'
import { addPeople } from '../../src/server/operator/members.js'
import { organizationNamed, organizations } from '../../src/server/operator/organizations.js'
import type { Database } from '../../src/server/store/database.js'
import { type OpenBackend, openEmbedded, sharedFolder } from './support/backends.js'
import { createWorld, type DatabaseWorld, SITE } from './support/world.js'

let backend: OpenBackend
let another: OpenBackend
const folder = sharedFolder()
let contents: ContentStorage

beforeAll(async () => {
  backend = await openEmbedded()
  another = await openEmbedded()
  contents = await createFolderStorage(join(folder, 'files'))
})

afterAll(async () => {
  await backend.close()
  await another.close()
})

test('an export of an import is the same export, without API keys, and the import works', async () => {
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

/** An organization with one object of each kind, and messages that refer to them. */
async function furnished(
  place: OpenBackend,
  files: string,
): Promise<{ here: DatabaseWorld; made: Record<string, string> }> {
  const here = await createWorld(place, join(folder, files))
  const bot = await here.bot('First')
  const person = await here.person('ada')
  const call = async (name: string, body: object): Promise<Record<string, string>> =>
    (await bot.call(name, body)).body.result
  const fileID = await bot.file('a file')
  const { channelID = '' } = await call('createChannel', { name: 'c', userIDs: [person.userID] })
  const blocks = [
    `<!${fileID}|>`,
    `by <@${person.userID}|Ada>, <@${bot.userID}>, not by <@999999999>, \`<@${person.userID}>\`\n* **<@${person.userID}|>**`,
    `<@${fileID}>`,
  ]
  const { threadID = '', threadURL = '' } = await call('postThread', { channelID, blocks })
  const first = await call('postComment', { threadID, blocks: ['first'] })
  await call('postComment', { threadID, parentID: first['commentID'], blocks: [`<!${fileID}|>`] })
  const { chatID = '' } = await call('createChat', { name: 'chat', userIDs: [person.userID] })
  await call('postChatMessage', { chatID, body: `<@${person.userID}>: <!${fileID}|x>\n<!${fileID}|x>` })
  return { here, made: { fileID, channelID, threadID, threadURL, userID: person.userID, botID: bot.userID } }
}

async function exported(place: OpenBackend, { organization, name }: DatabaseWorld, to: string): Promise<string> {
  const target = join(folder, to)
  await exportOrganization(place.database, contents, { organization, name }, target)
  return target
}

const rowsOf = async (place: OpenBackend, { organization }: DatabaseWorld, table: string): Promise<object[]> =>
  (await place.database.run('', `SELECT * FROM ${table} WHERE organization = $1 ORDER BY 1, 2`, [organization])).rows

test('next to another organization, taken ids get new ones everywhere, in the same order', async () => {
  // Both databases give the same numbers.
  const { rows } = await backend.database.run<{ last: string }>('', 'SELECT last_value AS last FROM ids', [])
  await another.database.run('', `SELECT setval('ids', $1::bigint)`, [rows[0]?.last])
  const busy = await createWorld(another, join(folder, 'target'))
  const other = await busy.bot('First')
  await other.call('createChannel', { name: 'theirs' })
  for (let count = 0; count < 200; count += 1) await other.call('postThread', { channel: 'theirs', blocks: ['x'] })
  const { here, made } = await furnished(backend, 'files')
  const target = await createFolderStorage(join(folder, 'target'))
  const { renumbered } = await importOrganization(another.database, target, await exported(backend, here, 'another'))
  const renamed = (id = ''): string => renumbered.get(Number(id))?.toString() ?? id
  expect(renumbered.size).toBeGreaterThan(3)
  const pairs = [...renumbered]
  expect(pairs).toEqual(pairs.toSorted(([one], [two]) => one - two))
  expect(pairs.map(([, fresh]) => fresh)).toEqual(pairs.map(([, fresh]) => fresh).toSorted((one, two) => one - two))
  const { fileID, threadID, threadURL = '', userID, botID } = made
  expect(renamed(threadID)).not.toBe(threadID)
  const [thread] = await rowsOf(another, here, 'threads')
  expect(thread).toMatchObject({
    id: renamed(threadID),
    blocks: [
      `<!${renamed(fileID)}|>`,
      `by <@${renamed(userID)}|Ada>, <@${renamed(botID)}>, not by <@999999999>, \`<@${userID}>\`\n* **<@${renamed(userID)}|>**`,
      `<@${renamed(fileID)}>`,
    ],
  })
  expect(await rowsOf(another, here, 'messages')).toMatchObject([
    { body: `<@${renamed(userID)}>: <!${fileID}|x>\n<!${renamed(fileID)}|x>` },
  ])
  const there = await createWorld(another, join(folder, 'target'))
  const address = new URL(threadURL)
  address.pathname = `/${renamed(threadID)}`
  const page = await (await there.fetch(new Request(address))).text()
  expect(page).toContain(`data-user-id="${renamed(userID)}">@ada</span>`)
  expect(page).toContain(`href="/files/${renamed(fileID)}${address.search}"`)
  expect((await there.fetch(new Request(`${SITE}/files/${renamed(fileID)}${address.search}`))).status).toBe(200)
  // The ids of the other organization did not change, and both get new ones.
  expect(await rowsOf(another, busy, 'threads')).toHaveLength(200)
  const { threadID: next } = (await other.call('postThread', { channel: 'theirs', blocks: ['x'] })).body.result
  expect(Math.max(...pairs.map(([, fresh]) => fresh))).toBeLessThan(Number(next))
})

test('free ids stay, also next to another organization', async () => {
  await backend.database.run('', `SELECT setval('ids', 9000000)`, [])
  const { here } = await furnished(backend, 'files')
  const target = await createFolderStorage(join(folder, 'target'))
  const from = await exported(backend, here, 'free')
  expect((await importOrganization(another.database, target, from)).renumbered.size).toBe(0)
  expect(await rowsOf(another, here, 'threads')).toEqual(await rowsOf(backend, here, 'threads'))
})

test('a damaged export is rejected with file and line, and nothing of it remains', async () => {
  const { here } = await furnished(backend, 'files')
  const lineOf = async (path: string, change: (lines: string[]) => void): Promise<void> => {
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    change(lines)
    await writeFile(path, lines.map((line) => `${line}\n`).join(''))
  }
  const damages: readonly (readonly [string, (path: string) => Promise<void>, RegExp])[] = [
    ['channels', (path) => writeFile(path, ''), /channels\.ndjson:1 is missing/],
    ['comments', (path) => lineOf(path, (lines) => lines.pop()), /comments\.ndjson:2 is missing/],
    ['comments', (path) => lineOf(path, (lines) => lines.push('{}')), /comments\.ndjson:3 is not in the manifest/],
    [
      'users',
      (path) => lineOf(path, (lines) => lines.splice(1, 1, lines[1]?.slice(0, -9) ?? '')),
      /users\.ndjson:2 is not JSON/,
    ],
    ['threads', (path) => lineOf(path, (lines) => lines.splice(0, 1, '7')), /threads\.ndjson:1 is not a row/],
    [
      'threads',
      (path) => lineOf(path, (lines) => lines.splice(0, 1, '{"id":7}')),
      /threads\.ndjson:1 cannot be imported/,
    ],
    [
      'threads',
      (path) => lineOf(path, (lines) => lines.splice(0, 1, lines[0]?.replace('{', '{"color":"red",') ?? '')),
      /threads\.ndjson:1 cannot be imported: column "color"/,
    ],
    [
      'chat_members',
      (path) => lineOf(path, (lines) => lines.splice(1, 1, lines[1]?.replace(/"user_id": ?\d+/, '"user_id": 7') ?? '')),
      /chat_members\.ndjson:2 cannot be imported/,
    ],
    [
      'files',
      (path) => lineOf(path, (lines) => lines.splice(0, 1, lines[0]?.replace(/\\\\x../, '\\\\xff') ?? '')),
      /files\.ndjson:1 /,
    ],
  ]
  const target = await createFolderStorage(join(folder, 'untouched'))
  const fails = async (from: string, reason: RegExp): Promise<void> => {
    await expect(importOrganization(another.database, target, from)).rejects.toThrow(reason)
    const tables = ['organizations', 'users', 'threads']
    for (const table of tables) expect([from, await rowsOf(another, here, table)]).toEqual([from, []])
    expect(await readdir(join(folder, 'untouched'))).toEqual(['incoming'])
    expect(await readdir(join(folder, 'untouched/incoming'))).toEqual([])
  }
  for (const [index, [table, damage, reason]] of damages.entries()) {
    const from = await exported(backend, here, `damaged-${index}`)
    await damage(join(from, `${table}.ndjson`))
    await fails(from, reason)
  }
  const changed = await exported(backend, here, 'changed')
  const [name = ''] = await readdir(join(changed, 'files'))
  await writeFile(join(changed, 'files', name), 'another')
  await fails(changed, new RegExp(`files/${name} has changed since the export`))
  const lacking = await exported(backend, here, 'lacks')
  await rm(join(lacking, 'files', name))
  await fails(lacking, /files\.ndjson:1 names file data that is missing/)
  const cut = await exported(backend, here, 'cut')
  await writeFile(join(cut, 'manifest.json'), '{"format":')
  await fails(cut, /manifest\.json is not JSON/)
  await mkdir(join(folder, 'empty'))
  await expect(importOrganization(another.database, target, join(folder, 'empty'))).rejects.toThrow(
    'manifest.json is missing',
  )
  await expect(exported(backend, here, 'cut')).rejects.toThrow('not empty')
})

test('columns that an export of an earlier version does not have get their defaults', async () => {
  const { here } = await furnished(backend, 'files')
  const from = await exported(backend, here, 'earlier')
  for (const [table, column] of [
    ['organizations', 'is_suspended'],
    ['threads', 'is_removed'],
  ]) {
    const path = join(from, `${table}.ndjson`)
    const text = await readFile(path, 'utf8')
    expect(text).toContain(`"${column}"`)
    await writeFile(path, text.replace(new RegExp(`, "${column}": false|"${column}": false, `, 'g'), ''))
  }
  const target = await createFolderStorage(join(folder, 'earlier-target'))
  await importOrganization(another.database, target, from)
  for (const table of ['organizations', 'threads']) {
    expect(await rowsOf(another, here, table)).toEqual(await rowsOf(backend, here, table))
  }
})

test('of two simultaneous imports of one organization, one creates it and the other finds it', async () => {
  const { here } = await furnished(backend, 'files')
  const from = await exported(backend, here, 'twice')
  const target = await createFolderStorage(join(folder, 'twice-target'))
  const imports = await Promise.allSettled([1, 2].map(() => importOrganization(another.database, target, from)))
  expect(imports.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = imports.find((each) => each.status === 'rejected')
  expect(String(refused?.reason)).toContain(`the organization ${here.name} exists`)
  expect(await rowsOf(another, here, 'organizations')).toHaveLength(1)
})

test('a file store that fails in the middle leaves no content and no row', async () => {
  const { here } = await furnished(backend, 'files')
  const bot = await here.bot('First')
  const second = await bot.file('another file')
  await bot.call('postThread', { channel: 'c', blocks: [`<!${second}|>`] })
  const from = await exported(backend, here, 'failing')
  const target = await createFolderStorage(join(folder, 'failing-target'))
  let count = 0
  const failing: ContentStorage = {
    ...target,
    async receive(organization, source) {
      const arrived = await target.receive(organization, source)
      count += 1
      return count < 2 ? arrived : { ...arrived, keep: () => Promise.reject(new Error('the disk is full')) }
    },
  }
  await expect(importOrganization(another.database, failing, from)).rejects.toThrow('the disk is full')
  expect(await rowsOf(another, here, 'organizations')).toEqual([])
  const left = await readdir(join(folder, 'failing-target'), { recursive: true, withFileTypes: true })
  expect(left.filter((entry) => entry.isFile())).toEqual([])
})

test('an export names the missing file data', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  await bot.file('a file that goes')
  const { hash } = await contents.receive(here.organization, Readable.from([Buffer.from('a file that goes')]))
  await contents.remove(here.organization, hash)
  const organization = { organization: here.organization, name: here.name }
  const exporting = exportOrganization(backend.database, contents, organization, join(folder, 'lacking'))
  await expect(exporting).rejects.toThrow(`the file data ${hash} of ${here.name} cannot be read`)
})

test('names of bots follow the rules of all names', async () => {
  const make = (name: string): Promise<string> =>
    createBotKey(backend.database, { organization: 'Names', bot: name, siteUrl: SITE })
  for (const name of ['', ' ', 'x'.repeat(81)]) {
    const length = name.trim().length
    await expect(make(name), name).rejects.toThrow(`the name of the bot has ${length} characters: 1 to 80 are allowed`)
  }
  for (const name of ['a\u202eb', 'a\u0007', '\u200d']) {
    await expect(make(name), name).rejects.toThrow('the name of the bot contains an invisible or control character')
  }
  expect(await make('x'.repeat(80))).toMatch(/^wsk_/)
})

test('the first API key is created only without an organization, and not at all if it cannot be shown', async () => {
  const shown: string[] = []
  const show = async ({ key }: FirstKey): Promise<void> => void shown.push(key)
  expect(await createFirstKey(backend.database, SITE, show)).toBeNull()
  const empty = await openEmbedded()
  onTestFinished(() => empty.close())
  const broken = createFirstKey(empty.database, SITE, async () => Promise.reject(new Error('nobody reads this')))
  await expect(broken).rejects.toThrow('nobody reads this')
  expect(await organizations(empty.database.run)).toEqual([])
  expect(await createFirstKey(empty.database, SITE, show)).toMatchObject({ organization: 'Workspace', bot: 'Bot' })
  expect(shown).toEqual([expect.stringMatching(/^wsk_/)])
  expect(await organizationOfKey(empty.database.run, shown[0] ?? '')).toMatch(/-/)
})

test('unknown names and ids are errors that say how to find the right ones', async () => {
  const { database, organization } = await createWorld(backend, join(folder, 'files'))
  const soon = new Date()
  await expect(rotateKey(database, organization, '999', soon)).rejects.toThrow('no live API key has the id 999')
  await expect(rotateKey(database, organization, 'first', soon)).rejects.toThrow(
    'first is not an id: choose a number from the list',
  )
  await expect(revokeKey(database, organization, '999')).rejects.toThrow('this API key does not exist')
  await expect(organizationOfKey(database.run, '999')).rejects.toThrow('this API key does not exist')
  await expect(organizationNamed(database.run, 'Nobody’s')).rejects.toThrow(
    'no organization is named Nobody’s: choose one of ',
  )
  await expect(organizationNamed(database.run, undefined)).rejects.toThrow(
    'there are several organizations: choose one with --organization',
  )
  const people = [{ name: 'Ada', email: 'ada at home' }]
  await expect(addPeople(database, organization, people)).rejects.toThrow(
    'ada at home is not an e-mail address: write it as ann@example.com',
  )
})

test('a database that is lost during an import does not make the export damaged', async () => {
  const { here } = await furnished(backend, 'files')
  const from = await exported(backend, here, 'lost')
  const lost: Database = {
    ...another.database,
    transact: (work) =>
      another.database.transact((run) =>
        work(async (name, text, values) => {
          if (text.includes('INTO threads')) throw new StoreError('unavailable')
          return run(name, text, values)
        }),
      ),
  }
  const target = await createFolderStorage(join(folder, 'untouched'))
  await expect(importOrganization(lost, target, from)).rejects.toMatchObject({ reason: 'unavailable' })
  expect(await rowsOf(another, here, 'organizations')).toEqual([])
})

test('people are read from CSV, quoted or not, in either order of the columns', () => {
  expect(readPeople('\uFEFFname,email\r\n"Ada ""L."", C.",ada@x.test\r\nBob,bob@x.test\n')).toEqual([
    { name: 'Ada "L.", C.', email: 'ada@x.test' },
    { name: 'Bob', email: 'bob@x.test' },
  ])
  expect(readPeople('Email,Name\na@b,"two\nlines"')).toEqual([{ name: 'two\nlines', email: 'a@b' }])
  expect(() => readPeople('ada,ada@x.test')).toThrow('the first line is ada,ada@x.test: write name,email')
  expect(() => readPeople('name,email\nada')).toThrow('record 2 has 1 of 2 fields: write name,email')
})
