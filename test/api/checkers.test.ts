/** Third-party checkers of the OpenAPI document, and a client that is generated from it. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describeApi } from '../../src/api/contract/openapi.js'
import { serve } from '../../src/server/index.js'
import { temporaryFolder } from './support/backends.js'
import { checkResponses } from './support/check-responses.js'
import { SITE } from './support/world.js'

const run = promisify(execFile)
const folder: string = new URL('../checkers/', import.meta.url).pathname
const isInstalled: boolean = existsSync(`${folder}node_modules/.bin/redocly`)

test.skipIf(!isInstalled)(
  `redocly, spectral and a generated client accept the document (npm --prefix test/checkers ci installs them)`,
  async () => {
    await mkdir(`${folder}node_modules/.generated`, { recursive: true })
    const document = JSON.stringify(describeApi())
    await writeFile(`${folder}node_modules/.generated/openapi.json`, document)
    const { stdout, stderr } = await run('npm', ['run', 'check'], { cwd: folder })
    expect(stdout + stderr).toMatch(/Your API description is valid/)
    expect(stdout + stderr).toContain("No results with a severity of 'warn' or higher found")
    const data = await temporaryFolder()
    const server = await serve({ port: 0, data, logLevel: 'silent', welcome: true })
    try {
      const environment = { ...process.env, KEY: server.first?.key ?? '' }
      const story = await run(process.execPath, ['story.js', server.siteUrl], { cwd: folder, env: environment })
      expect(story.stdout).toBe('the story is complete\n')
    } finally {
      await server.close()
      await rm(data, { recursive: true, force: true })
    }
  },
)

test.each([
  [200, { ok: true, result: { name: 'a', organization: 'b' } }, true],
  [200, { ok: true, result: { name: 7, organization: 'b' } }, false],
  [200, { ok: true, result: { name: 'a', organization: 'b', more: 1 } }, false],
  [200, { ok: true }, false],
  [401, { ok: false, error: { code: 'unauthorized', message: 'm', requestID: 'r' } }, true],
  [401, { ok: false, error: { code: 'other', message: 'm', requestID: 'r' } }, false],
  [418, { ok: false, error: { code: 'unauthorized', message: 'm', requestID: 'r' } }, false],
])(
  'the tests of the service check each response against the document: %i with %j, %j',
  async (status, body, isRight) => {
    const headers = { 'x-request-id': 'r', 'www-authenticate': 'Bearer', 'content-type': 'application/json' }
    const service = checkResponses(async () => Response.json(body, { status, headers }))
    const outcome = service(new Request(`${SITE}/api/public/ping`)).then(
      () => true,
      () => false,
    )
    expect(await outcome).toBe(isRight)
  },
)
