/** Export and import, and the removal of posts by the operator. */

import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFolderStorage } from '../../src/server/files/folder.js'
import type { ContentStorage } from '../../src/server/files/storage.js'
import { removeBot } from '../../src/server/operator/members.js'
import { addOrganization, organizations } from '../../src/server/operator/organizations.js'
import { findPost, removePost } from '../../src/server/operator/posts.js'
import { exportTo, importFrom, readManifest, type TransferCounts } from '../../src/server/operator/transfer.js'
import { type OpenBackend, openEmbedded, sharedFolder } from './support/backends.js'
import { createWorld, type DatabaseWorld, furnish, SITE } from './support/world.js'

let backend: OpenBackend
const folder = sharedFolder()
let contents: ContentStorage

beforeAll(async () => {
  backend = await openEmbedded()
  contents = await createFolderStorage(join(folder, 'files'))
})

afterAll(() => backend.close())

/** An empty database and an empty folder for files. */
async function emptyTarget(name: string): Promise<{ target: OpenBackend; files: ContentStorage }> {
  const target = await openEmbedded()
  onTestFinished(() => target.close())
  return { target, files: await createFolderStorage(join(folder, name)) }
}

async function restore({ database }: OpenBackend, files: ContentStorage, path: string): Promise<TransferCounts> {
  return importFrom(database, files, path, await readManifest(path))
}

/** An organization with objects of each kind, and messages that refer to them. */
async function furnished(place = backend): Promise<{ here: DatabaseWorld; made: Awaited<ReturnType<typeof furnish>> }> {
  const here = await createWorld(place, join(folder, 'files'))
  const bot = await here.bot('First')
  const { userID } = await here.person('ada')
  const made = await furnish(bot, [userID])
  const { channelID, threadID, commentID, fileID } = made
  await bot.make('postThread', { channelID, blocks: [`by <@${userID}|Ada>, "x",\n**ü**`, ' \\N '] })
  await bot.make('postComment', { threadID, parentID: commentID, blocks: [`<!${fileID}|>`] })
  await bot.make('deleteComment', { commentID })
  return { here, made }
}

const rowsOf = async (place: OpenBackend, { organization }: DatabaseWorld, table: string): Promise<object[]> =>
  (await place.database.run(`SELECT * FROM ${table} WHERE organization = $1 ORDER BY 1, 2`, [organization])).rows

async function textsOf(path: string): Promise<Record<string, string[]>> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.csv'))
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(path, name), 'utf8')).split('\n').toSorted()]),
    ),
  )
}

test('an export of an import is the same export, without API keys; ids and URLs stay', async () => {
  const source = await openEmbedded()
  onTestFinished(() => source.close())
  const { here, made } = await furnished(source)
  await furnished(source)
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const { rows, files } = await exportTo(source.database, contents, null, first)
  expect([rows > 20, files]).toEqual([true, 1])
  const { target, files: there } = await emptyTarget('target')
  expect(await restore(target, there, first)).toEqual({ rows, files: 2 })
  await exportTo(target.database, there, null, second)
  const texts = await textsOf(first)
  expect(await textsOf(second)).toEqual(texts)
  expect(Object.values(texts).join()).not.toMatch(/wsk_|api_keys/)
  expect(await readdir(join(second, 'files'))).toEqual(await readdir(join(first, 'files')))
  const world = await createWorld(target, join(folder, 'target'))
  expect(await (await world.get(made.threadURL)).text()).toContain('This comment was deleted.')
  expect((await world.get(made.fileURL)).status).toBe(200)
  expect(await rowsOf(target, here, 'threads')).toEqual(await rowsOf(source, here, 'threads'))
  // New ids are higher than all imported ones.
  const { channelID } = (await (await world.bot('First')).call('createChannel', { name: 'next' })).body.result
  expect(Number(channelID)).toBeGreaterThan(Number(made.threadID))
  await expect(restore(target, there, first)).rejects.toThrow('the database has organizations')
  await expect(exportTo(source.database, contents, null, first)).rejects.toThrow('not empty: choose another folder')
})

test('one organization is exported alone, and its imported name is still compared without case', async () => {
  const { here } = await furnished()
  await furnished()
  await exportTo(backend.database, contents, here.organization, join(folder, 'only'))
  const { target, files } = await emptyTarget('only-target')
  await restore(target, files, join(folder, 'only'))
  expect((await organizations(target.database.run)).map(({ name }) => name)).toEqual([here.name])
  await expect(addOrganization(target.database.run, here.name.toUpperCase())).rejects.toThrow(`${here.name} exists`)
})

test('a damaged export is rejected with the file, and nothing of it remains', async () => {
  const { here } = await furnished()
  const { target, files } = await emptyTarget('untouched')
  const rehashed = async (path: string): Promise<void> => {
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))
    for (const table of Object.keys(manifest.tables)) {
      const hash = createHash('sha256').update(await readFile(join(path, `${table}.csv`)))
      manifest.tables[table] = hash.digest('hex')
    }
    await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest))
  }
  const damages: Readonly<Record<string, readonly [damage: (path: string) => Promise<unknown>, reason: RegExp]>> = {
    emptied: [(path) => writeFile(join(path, 'channels.csv'), ''), /^channels\.csv has changed since the export/],
    longer: [(path) => appendFile(join(path, 'users.csv'), 'x'), /^users\.csv has changed since the export/],
    lacking: [(path) => rm(join(path, 'threads.csv')), /^threads\.csv is missing/],
    cut: [
      (path) => writeFile(join(path, 'manifest.json'), '{"lastID":'),
      /cut is not an export: manifest\.json is missing or not valid$/,
    ],
    content: [
      async (path) => writeFile(join(path, 'files', (await readdir(join(path, 'files')))[0] ?? ''), 'another'),
      /^files\/[\da-f]{64} has changed since the export/,
    ],
    fewer: [
      async (path) => rm(join(path, 'files', (await readdir(join(path, 'files')))[0] ?? '')),
      /^files\/[\da-f]{64} is missing: export it again$/,
    ],
    reference: [
      async (path) => {
        const text = await readFile(join(path, 'chat_members.csv'), 'utf8')
        await writeFile(join(path, 'chat_members.csv'), text.replace(/\d+\n$/, '7\n'))
        await rehashed(path)
      },
      /^chat_members\.csv cannot be imported: export it again \(/,
    ],
    column: [
      async (path) => {
        const text = await readFile(join(path, 'threads.csv'), 'utf8')
        await writeFile(join(path, 'threads.csv'), text.replace('blocks', 'color'))
        await rehashed(path)
      },
      /^threads\.csv cannot be imported: export it again \(.*color/,
    ],
  }
  for (const [name, [damage, reason]] of Object.entries(damages)) {
    const path = join(folder, name)
    await exportTo(backend.database, contents, here.organization, path)
    await damage(path)
    await expect(restore(target, files, path), name).rejects.toThrow(reason)
    expect([name, await organizations(target.database.run)]).toEqual([name, []])
    expect([name, await readdir(join(folder, 'untouched'))]).toEqual([name, ['incoming']])
    expect([name, await readdir(join(folder, 'untouched/incoming'))]).toEqual([name, []])
  }
  await mkdir(join(folder, 'empty'))
  await expect(restore(target, files, join(folder, 'empty'))).rejects.toThrow('manifest.json is missing or not valid')
})

test('of two simultaneous imports one succeeds; a file store that fails leaves no content and no row', async () => {
  const { here } = await furnished()
  const path = join(folder, 'twice')
  await exportTo(backend.database, contents, here.organization, path)
  const { target, files } = await emptyTarget('twice-target')
  const failing: ContentStorage = {
    ...files,
    receive: async (organization, source) => ({
      ...(await files.receive(organization, source)),
      keep: () => Promise.reject(new Error('the disk is full')),
    }),
  }
  await expect(restore(target, failing, path)).rejects.toThrow('the disk is full')
  expect(await organizations(target.database.run)).toEqual([])
  expect(await readdir(join(folder, 'twice-target'))).toEqual(['incoming'])
  const imports = await Promise.allSettled([1, 2].map(() => restore(target, files, path)))
  expect(imports.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(String(imports.find((each) => each.status === 'rejected')?.reason)).toContain('has organizations')
})

test('an export of lost or damaged file data is rejected and names it', async () => {
  const { here } = await furnished()
  const lost = await createFolderStorage(join(folder, 'nothing'))
  await expect(exportTo(backend.database, lost, here.organization, join(folder, 'lost'))).rejects.toThrow(
    /^the file data [\da-f]{64} cannot be read: restore it from a backup$/,
  )
  const damaged: ContentStorage = { ...contents, open: async () => new Blob(['another']).stream() }
  await expect(exportTo(backend.database, damaged, here.organization, join(folder, 'damaged'))).rejects.toThrow(
    /^the file data [\da-f]{64} is damaged: restore it from a backup$/,
  )
})

test('the operator can remove every object that has a URL, whoever posted it, and nothing else', async () => {
  const here = await createWorld(backend, join(folder, 'files'))
  const bot = await here.bot('First')
  const { channelURL, threadID, threadURL, commentID, commentURL, chatID, chatURL, chatMessageURL } = await furnish(bot)
  await bot.make('postComment', { threadID, parentID: commentID, blocks: ['a reply'] })
  const other = await bot.make('createChat', { name: 'd' })
  await removeBot(backend.database.run, here.organization, bot.userID)
  const kinds: string[] = []
  for (const url of [chatMessageURL, `${SITE}/messages/${chatID}`, commentURL, threadURL, channelURL]) {
    const found = await findPost(backend.database, url, null)
    kinds.push(found.kind)
    expect(found.organization.name).toBe(here.name)
    await removePost(backend.database, found)
    await expect(removePost(backend.database, found), url).rejects.toThrow(/is gone already/)
  }
  expect(kinds).toEqual(['message', 'chat', 'comment', 'thread', 'channel'])
  const count = async (table: string): Promise<number> => (await rowsOf(backend, here, table)).length
  expect([await count('threads'), await count('comments'), await count('messages'), await count('chats')]).toEqual([
    ...[0, 0, 0, 1],
  ])
  for (const url of [threadURL, chatURL, '/', 'x', `${SITE}/${other.chatID}/${crypto.randomUUID()}`]) {
    await expect(findPost(backend.database, url, null), url).rejects.toThrow('nothing has the URL')
  }
})
