/** A client with only Python's standard library makes a whole series of calls to the real server. */

import { execFile, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createClient } from '../../src/api/client/index.js'
import { readConfig } from '../../src/server/config.js'
import { serve } from '../../src/server/serve.js'
import { temporaryFolder } from './support/backends.js'

const hasPython: boolean = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the story is complete (python3)', async () => {
  const data = await temporaryFolder()
  const server = await serve(readConfig({ PORT: '0', DATA: data, LOG_LEVEL: 'silent' }), { welcome: true })
  try {
    const key = server.first?.key ?? ''
    const script = new URL('raw-client.py', import.meta.url).pathname
    const { stdout } = await promisify(execFile)('python3', [script, server.siteUrl], {
      env: { ...process.env, KEY: key },
    })
    expect(stdout).toBe('the story is complete\n')
    const bot = createClient({ baseUrl: server.siteUrl, apiKey: key })
    expect((await bot.channels()).map(({ name }) => name)).toEqual(['welcome'])
  } finally {
    await server.close()
    await rm(data, { recursive: true, force: true })
  }
})
