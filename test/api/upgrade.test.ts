/** Migrates a database of every earlier schema, with data in it, and checks that all of the data still exists. */

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKey, hashOfKey } from '../../src/api/keys.js'
import { fetching } from '../../src/api/rules/index.js'
import { filesOf } from '../../src/server/backend.js'
import { createFolderStorage } from '../../src/server/files/folder.js'
import { createServiceHandler } from '../../src/server/service.js'
import { type Database, openDatabase } from '../../src/server/store/database.js'
import { createPostgresStore } from '../../src/server/store/index.js'
import { declaration, migrate, migrations, statementsOf, versionOf } from '../../src/server/store/migrate.js'
import { tidy } from '../../src/server/store/tidy.js'
import { sharedBackend } from './support/backends.js'
import { SITE } from './support/world.js'

const { backend, folder } = await sharedBackend()

const ORGANIZATION = '018f0000-0000-7000-8000-000000000001'
const CHAT = '018f0000-0000-7000-8000-000000000002'
const MESSAGE = '018f0000-0000-7000-8000-000000000003'
const HASH = 'ab'.repeat(32)

/** The rows that the first version wrote, and those that each later version added. */
const writes: Readonly<Record<number, readonly string[]>> = {
  1: [
    `INSERT INTO organizations (organization, name) VALUES ('${ORGANIZATION}', 'Old')`,
    `INSERT INTO users (organization, id, name, email, email_key, is_bot) VALUES
      ('${ORGANIZATION}', 1, 'Bot', 'bot@old.test', 'bot@old.test', true),
      ('${ORGANIZATION}', 2, 'Ann', 'ann@old.test', 'ann@old.test', false)`,
    `INSERT INTO channels (organization, id, name, name_key, description, is_private, creator_id)
      VALUES ('${ORGANIZATION}', 10, 'General', 'general', 'what it was for', true, 1)`,
    `INSERT INTO channel_members (organization, channel_id, user_id) VALUES ('${ORGANIZATION}', 10, 1), ('${ORGANIZATION}', 10, 2)`,
    `INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at)
      VALUES ('${ORGANIZATION}', 20, 10, 1, ARRAY['an old thread', '<!40|>'], 'token', now())`,
    `INSERT INTO comments (organization, id, thread_id, parent_id, author_id, blocks, created_at) VALUES
      ('${ORGANIZATION}', 30, 20, NULL, 1, NULL, now()), ('${ORGANIZATION}', 31, 20, 30, 1, ARRAY['an old reply'], now())`,
    `INSERT INTO chats (organization, id, name, name_key, creator_id) VALUES ('${ORGANIZATION}', '${CHAT}', 'Talk', 'talk', 1)`,
    `INSERT INTO chat_members (organization, chat_id, user_id) VALUES ('${ORGANIZATION}', '${CHAT}', 1)`,
    `INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
      VALUES ('${ORGANIZATION}', '${MESSAGE}', '${CHAT}', 1, 'an old message', now())`,
    `INSERT INTO files (organization, id, hash, size, media_type, name, uploader_id, created_at)
      VALUES ('${ORGANIZATION}', 40, decode('${HASH}', 'hex'), 3, 'text/plain', 'old.txt', 1, now())`,
    `INSERT INTO shown_files (organization, file_id, place, thread_id) VALUES ('${ORGANIZATION}', 40, '20', 20)`,
    `INSERT INTO id_directory (id, organization, kind) SELECT id, '${ORGANIZATION}', kind FROM (VALUES ('10', 'channel'),
      ('20', 'thread'), ('30', 'comment'), ('31', 'comment'), ('${CHAT}', 'chat'), ('40', 'file')) AS found (id, kind)`,
    `INSERT INTO idempotency (organization, bot_id, endpoint, key, request_hash, answer, created_at)
      VALUES ('${ORGANIZATION}', 1, 'createChat', 'old', sha256('{"name":"old"}'), '{"ok":true,"result":{"chatID":"old"}}', now())`,
  ],
  2: [
    `INSERT INTO sessions (organization, hash, user_id, expires_at) VALUES ('${ORGANIZATION}', 'x', 2, now() + '1 hour')`,
  ],
  3: ['UPDATE files SET width = 3, height = 4'],
  4: [
    `INSERT INTO threads (organization, id, channel_id, author_id, blocks, share_token, created_at, is_removed)
      VALUES ('${ORGANIZATION}', 21, 10, 1, ARRAY['removed'], 'token2', now(), true)`,
  ],
  5: ['UPDATE api_keys SET is_shown = true'],
  6: [`INSERT INTO organizations (organization, name) VALUES (gen_random_uuid(), 'OLD')`],
}

/** Creates a database as an earlier version left it. */
async function databaseOf(version: number, key: string): Promise<Database> {
  const name = `left_by_${version}_${randomUUID().slice(0, 8)}`
  await backend.database.run('', `CREATE DATABASE "${name}"`, [])
  const connection = { ...backend.connection, database: name }
  const database = await openDatabase({ connection, areStatementsNamed: true, connections: 3 })
  const hash = hashOfKey(key)
  for (let step = 1; step <= version; step += 1) {
    const statements = statementsOf(migrations[step - 1] ?? '', false)
    for (const statement of [declaration(step), ...statements]) await database.run('', statement, [])
    for (const statement of writes[step] ?? []) await database.run('', statement, [])
    if (step > 1) continue
    await database.run('', 'INSERT INTO api_keys (organization, id, bot_id, hash) VALUES ($1, 3, 1, $2)', [
      ORGANIZATION,
      hash,
    ])
    await database.run('', 'INSERT INTO key_directory (hash, organization) VALUES ($1, $2)', [hash, ORGANIZATION])
  }
  return database
}

const earlier = Array.from({ length: migrations.length - 1 }, (_, index) => index + 1)

test.each(earlier)('schema %i with data in it', async (version) => {
  const key = createKey()
  const database = await databaseOf(version, key)
  try {
    expect(await versionOf(database.run)).toBe(version)
    // Several processes may be started at once.
    await Promise.all([migrate(database), migrate(database), migrate(database)])
    expect(await versionOf(database.run)).toBe(migrations.length)
    await lookedThrough(database, key)
  } finally {
    await database.close()
  }
})

/** Statements of a process of schema 6, in the order of a post with an idempotency key, a page and a deletion. */
const before: readonly (readonly [text: string, values: readonly unknown[], count: number])[] = [
  ['SELECT organization, kind FROM id_directory WHERE id = $1', ['20'], 1],
  ['SELECT organization, kind FROM id_directory WHERE id = $1', [CHAT], 1],
  [`INSERT INTO id_directory (organization, id, kind) VALUES ($1, $2, $3)`, [ORGANIZATION, '50', 'thread'], 0],
  [
    `INSERT INTO idempotency (organization, bot_id, endpoint, key, request_hash, answer, created_at)
      VALUES ($1, 1, 'createChat', 'k', 'x', '{}', now()) ON CONFLICT (organization, bot_id, endpoint, key) DO UPDATE
      SET answer = excluded.answer WHERE idempotency.created_at <= now()`,
    [ORGANIZATION],
    1,
  ],
  [`SELECT answer FROM idempotency WHERE organization = $1 AND key = 'k'`, [ORGANIZATION], 1],
  ['DELETE FROM id_directory WHERE organization = $1 AND id = $2', [ORGANIZATION, '20'], 0],
  ['DELETE FROM id_directory WHERE organization = $1 AND id = ANY ($2::text[])', [ORGANIZATION, ['20']], 0],
  ['DELETE FROM idempotency WHERE organization = $1 AND created_at <= now()', [ORGANIZATION], 2],
  ['SELECT id FROM id_directory WHERE id = ANY ($1::text[])', [['20', '31']], 2],
]

test('a process of the previous schema runs next to one of this schema, and finds the objects that it created', async () => {
  const database = await databaseOf(6, createKey())
  try {
    // Its statements were prepared before, and run again after the migration.
    for (const [name, [text]] of before.entries()) {
      if (text.startsWith('SELECT')) await database.run(`before ${name}`, text, before[name]?.[1] ?? [])
    }
    await migrate(database)
    for (const [name, [text, values, count]] of before.entries()) {
      expect([text, (await database.run(`before ${name}`, text, values)).count]).toEqual([text, count])
    }
  } finally {
    await database.close()
  }
})

test('an empty database, by several processes at once', async () => {
  const database = await databaseOf(0, '')
  try {
    await Promise.all([migrate(database), migrate(database), migrate(database)])
    expect(await versionOf(database.run)).toBe(migrations.length)
  } finally {
    await database.close()
  }
})

async function lookedThrough(database: Database, key: string): Promise<void> {
  const files = filesOf(await createFolderStorage(folder), 1000)
  const service = fetching(
    createServiceHandler({ store: createPostgresStore(database), files, siteUrl: SITE, rateLimit: 0 }),
  )
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object, more: Record<string, string> = {}): Promise<[number, string]> => {
    const init =
      body === undefined
        ? { headers }
        : { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) }
    const answer = await service(new Request(SITE + path, init))
    return [answer.status, await answer.text()]
  }
  const post = (name: string, body: object, more?: Record<string, string>): Promise<[number, string]> =>
    ask(`/api/public/${name}`, body, more)
  expect(await ask('/api/public/ping')).toEqual([200, '{"ok":true,"result":{"name":"Bot","organization":"Old"}}'])
  expect(JSON.parse((await ask('/api/public/channels'))[1]).result).toEqual([
    { channelID: '10', name: 'General', description: 'what it was for', privacy: 'private', memberIDs: ['1', '2'] },
  ])
  const [status, page] = await ask('/20?s=token')
  expect([status, /an old thread/.test(page), /an old reply/.test(page), /was deleted/.test(page)]).toEqual([
    200,
    true,
    true,
    true,
  ])
  expect((await ask('/31?s=token'))[0]).toBe(200)
  expect((await ask('/10'))[1]).not.toContain('removed')
  expect((await ask(`/${CHAT}`))[1]).toContain('an old message')
  // The kept response is returned again, and new ids follow the old ones.
  expect(await post('createChat', { name: 'old' }, { 'idempotency-key': 'old' })).toEqual([
    200,
    '{"ok":true,"result":{"chatID":"old"}}',
  ])
  const made = await post('postThread', { channel: 'general', blocks: ['new <!40|>'] })
  expect([made[0], Number(JSON.parse(made[1]).result?.threadID) > 100_000]).toEqual([200, true])
  for (const [name, body] of [
    ['deleteComment', { commentID: '31' }],
    ['deleteThread', { threadID: '20' }],
    ['deleteChatMessage', { messageID: MESSAGE }],
    ['deleteChannel', { channelID: '10' }],
    ['deleteChat', { chatID: CHAT }],
  ] as const) {
    expect([name, (await post(name, body))[0]]).toEqual([name, 200])
  }
  await tidy(database)
  const left =
    'SELECT (SELECT count(*) FROM threads) + (SELECT count(*) FROM comments) + (SELECT count(*) FROM messages) AS count'
  expect((await database.run<{ count: string }>('', left, [])).rows[0]?.count).toBe('0')
}
