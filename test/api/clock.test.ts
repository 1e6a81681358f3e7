/** A clock that is set back: what is posted later is later in its list. */

import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { continueAfter, uuidAt } from '../../src/api/service/uuid.js'
import { readConfig } from '../../src/server/config.js'
import { startEmbedded } from '../../src/server/embedded/index.js'
import { openDatabase } from '../../src/server/postgres/database.js'
import { serve } from '../../src/server/serve.js'
import { temporaryFolder } from './support/backends.js'

test('ids of one process never go back, nor behind one that is known; what is no UUIDv7 says nothing', () => {
  const first = uuidAt(new Date('2026-01-01T00:00:01Z'))
  const second = uuidAt(new Date('2026-01-01T00:00:00Z'))
  expect(second > first).toBe(true)
  const known = '019b8d3a-2c00-7fff-8000-000000000000'
  continueAfter(known)
  const third = uuidAt(new Date('2026-01-01T00:00:00Z'))
  expect([third > known, third.slice(0, 13), third[14]]).toEqual([true, '019b8d3a-2c01', '7'])
  for (const other of ['ffffffff-ffff-4fff-8fff-ffffffffffff', 'ffffffff-ffff-7fff-8fff-ffffffffffff', '', '7']) {
    continueAfter(other)
  }
  expect(uuidAt(new Date('2026-01-01T00:00:00Z')).slice(0, 13)).toBe('019b8d3a-2c01')
})

test('a server that starts with its clock behind the newest message or chat goes on behind them', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({ PORT: '0', DATA: folder, LOG_LEVEL: 'silent' })
  const posted = async (key: string, site: string, name: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${site}/api/public/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { result }: { result: Record<string, string> } = JSON.parse(await answer.text())
    return result
  }
  const first = await serve(config)
  const key = first.first?.key ?? ''
  const { chatID = '' } = await posted(key, first.siteUrl, 'createChat', { name: 'c' })
  const embedded = await startEmbedded(folder)
  const database = await openDatabase({ connection: { ...embedded.address }, areStatementsNamed: true })
  // What a clock wrote that was a year ahead, and ids of another kind.
  const ahead = (Date.now() + 365 * 24 * 3_600_000).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')
  const ids = [`${ahead}-7fff-8000-000000000000`, 'ffffffff-ffff-4fff-8fff-ffffffffffff']
  await database.run(
    '',
    `INSERT INTO messages (organization, id, chat_id, author_id, body, created_at)
    SELECT organization, unnest($1::uuid[]), id, 1, 'x', now() FROM chats`,
    [ids],
  )
  await database.close()
  await first.close()
  await embedded.stop()
  const second = await serve(config)
  onTestFinished(() => second.close())
  const { chatMessageID = '' } = await posted(key, second.siteUrl, 'postChatMessage', { chatID, body: 'later' })
  expect(chatMessageID > (ids[0] ?? '')).toBe(true)
  expect(chatMessageID.slice(0, 8)).toBe(ahead.slice(0, 8))
})
