/**
 * The layout of pages in the dark and on paper: a hash of the boxes of everything that is shown, compared with the
 * committed ones. `UPDATE=1` writes the hashes anew; what changed is then looked at.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docsPages } from '../../../src/server/docs/index.js'
import { isThorough, partOf } from '../../amount.js'
import { openPage, startBrowser } from '../support/browser.js'
import { png } from '../support/images.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
let site: Site
const addresses: Record<string, string> = {}

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite()])
  const image = await site.upload(png(500, 3000), 'tall.png')
  const head = new Uint8Array([0, 0, 0, 24, ...Buffer.from('ftypisom\0\0\x02\0isomiso2')])
  const video = await site.upload(head, 'clip.mp4')
  await site.call('createChannel', { name: 'deploys' })
  const welcome = readFileSync(new URL('../../../fixtures/welcome.md', import.meta.url), 'utf8').replace(/<!.*/, '')
  const blocks = [welcome, `<!${image}|A tall chart>`, `<!${video}|>`, '```diff\n-gone\n+come\n```', '* one\n* שלום']
  const thread = await site.call('postThread', { channel: 'deploys', blocks })
  let parentID: string | undefined
  for (let depth = 0; depth < 7; depth += 1) {
    const comment = await site.call('postComment', {
      threadID: thread['threadID'],
      parentID,
      blocks: [`Level ${depth}`],
    })
    parentID = comment['commentID']
    if (depth === 2) addresses['comment'] = comment['commentURL'] ?? ''
  }
  addresses['thread'] = thread['threadURL'] ?? ''
  addresses['welcome'] = `${site.url}/`
  addresses['sign-in'] = `${site.url}/sign-in`
  for (const { slug } of docsPages) {
    if (['', 'limits', 'endpoints-threads', 'dialect-7'].includes(slug))
      addresses[`docs ${slug}`] = `${site.url}/docs/${slug}`.replace(/\/$/, '')
  }
  addresses['playground'] = `${site.url}/playground`
}, 120_000)

afterAll(async () => {
  await browser.close()
  await site.close()
})

/**
 * Where everything is that is shown, and in which colors. Fonts differ from machine to machine, so that only boxes are
 * compared whose width is not their text's, and no heights. Code gets its colors as far as 30 ms suffice, so they are left out.
 */
function boxesOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.matches('code span'))
      .map((element) => {
        const { left, width } = element.getBoundingClientRect()
        const { color, backgroundColor, display, position } = getComputedStyle(element)
        const isOwn =
          /^(?:block|grid)$/.test(display) && position === 'static' && !element.closest('table, header, button')
        const box = isOwn ? `${Math.round(left)} ${Math.round(width)}` : ''
        return [element.tagName, box, color, backgroundColor].join(' | ')
      }),
  )
}

test('the layout in the dark and on paper is unchanged', async () => {
  const found: Record<string, string> = {}
  const file = new URL('../layout.json', import.meta.url)
  const isUpdate = process.env['UPDATE'] !== undefined
  const all = Object.entries(addresses)
  for (const [name, address] of isUpdate ? all : partOf(all, 3)) {
    for (const look of ['dark', 'paper'] as const) {
      const { page } = await openPage(browser, { colorScheme: 'dark', viewport: { width: 1200, height: 900 } })
      await page.goto(address)
      if (look === 'paper') await page.emulateMedia({ media: 'print' })
      const boxes = await boxesOf(page)
      expect(boxes.length).toBeGreaterThan(5)
      found[`${name}, ${look}`] = createHash('sha256').update(boxes.join('\n')).digest('hex').slice(0, 16)
    }
  }
  if (isUpdate) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
  const kept: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  const expected = Object.entries(kept).filter(([name]) => isThorough || isUpdate || name in found)
  expect(found).toEqual(Object.fromEntries(expected))
}, 240_000)

test('paper has no dark background, and no video', async () => {
  for (const name of ['thread', 'docs endpoints-threads']) {
    const { page } = await openPage(browser, { colorScheme: 'dark' })
    await page.goto(addresses[name] ?? '')
    await page.emulateMedia({ media: 'print' })
    const dark = await page.evaluate(() =>
      [...document.querySelectorAll('body, body *')]
        .filter((element) => element.checkVisibility())
        .map((element) => getComputedStyle(element).backgroundColor)
        .filter((color) => {
          const [red = 255, green = 255, blue = 255, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
          return alpha > 0.5 && red + green + blue < 500
        }),
    )
    expect([name, dark]).toEqual([name, []])
    const videos = await page.locator('video').evaluateAll((all) => all.map((each) => each.checkVisibility()))
    expect([name, videos]).toEqual([name, name === 'thread' ? [false] : []])
    const unnamed = await page
      .locator('.sample > .label')
      .evaluateAll((all) => all.filter((each) => !each.checkVisibility()).length)
    expect([name, unnamed]).toEqual([name, 0])
  }
})
