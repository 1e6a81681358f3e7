/** The test service under another test runner, node:test. */

import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const contents = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from './src/api/client/index.js'
import { createTestService } from './src/testing/index.js'

test('a bot that survives a lost response', async () => {
  const service = createTestService({ channels: ['deploys'] })
  const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })
  service.lose(1)
  await bot.postThread({ channel: 'deploys', blocks: ['**v7** is out'] })
  assert.deepEqual(service.threads.map((thread) => thread.text), ['v7 is out'])
})

test('with the clock of the runner', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const service = createTestService({ chats: ['ops'] })
  const bot = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, fetch: service.fetch })
  await bot.postChatMessage({ chat: 'ops', body: 'happy new year' })
  assert.equal(service.messages[0]?.createdAt.toISOString(), '2026-01-01T00:00:00.000Z')
})
`

test('node:test runs it', async () => {
  const folder = join(process.cwd(), 'node_modules/.blockmark-test')
  const file = join(folder, `runner-${process.pid}.test.mjs`)
  await mkdir(folder, { recursive: true })
  await build({
    ...{ stdin: { contents, resolveDir: process.cwd(), loader: 'ts' }, bundle: true, format: 'esm', platform: 'node' },
    ...{ packages: 'external', outfile: file, logLevel: 'error' },
  })
  try {
    // With this variable, node:test would report to the outer runner.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env })
    expect(stdout).toMatch(/# pass 2\n# fail 0/)
  } finally {
    await rm(file)
  }
})
