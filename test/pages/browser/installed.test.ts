/** The built package in a browser. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import type {} from '../../installed.js'
import { top } from '../../source.js'
import { startBrowser } from '../support/browser.js'

/** As text, so that its imports are the browser's. */
const inPage = `async ({ library, checker, data }) => {
  const load = (code) => import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const [blockmark, { check }] = [await load(library), await load(checker)]
  return check(blockmark, JSON.parse(data).cases)
}`

test('does what the conformance data says', async () => {
  const dist = join(inject('installed').folder, 'node_modules', 'blockmark', 'dist')
  const data = gunzipSync(readFileSync(join(dist, 'conformance.json.gz'))).toString()
  const library = readFileSync(join(dist, 'index.js'), 'utf8')
  const checker = readFileSync(join(top, 'test', 'conformance', 'answer.mjs'), 'utf8')
  const texts = { library, checker, data }
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const found = await page.evaluate<string[]>(`(${inPage})(${JSON.stringify(texts)})`)
    expect(found).toEqual([`${JSON.parse(data).cases.length} cases pass`])
  } finally {
    await browser.close()
  }
})
