/** The client in a real browser, in a page of the service's own origin, over a socket that breaks. */

import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenBreaking } from '../../client/support.js'
import { openPage, startBrowser } from '../support/browser.js'

let browser: Browser
let script = ''

beforeAll(async () => {
  browser = await startBrowser()
  const { outputFiles } = await build({
    ...{ entryPoints: ['test/client/story.ts'], bundle: true, format: 'iife', globalName: 'story', write: false },
    ...{ platform: 'browser', target: 'es2022', logLevel: 'error' },
  })
  script = outputFiles[0]?.text ?? ''
})

afterAll(() => browser.close())

test('the client completes its story', async () => {
  const { service, baseUrl, expectStory, close } = await listenBreaking()
  const { page } = await openPage(browser)
  await page.goto(`${baseUrl}/healthz`)
  const outcome = await page.evaluate(`${script}\nstory.tell(location.origin, ${JSON.stringify(service.apiKey)})`)
  expect(outcome).toBe('the story is complete')
  expectStory()
  await close()
})
