/**
 * The layout of pages in the dark and on paper: the boxes of everything that is shown, compared with the committed ones in
 * `layout.json`. `UPDATE=1` writes the file anew; look at the pages that changed before you commit it.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../amount.js'
import { openPage, startBrowser } from '../support/browser.js'
import { png } from '../support/images.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
let site: Site
const names = [
  ...['thread', 'comment', 'welcome', 'sign-in', 'playground'],
  ...['docs', 'docs limits', 'docs endpoints-threads', 'docs dialect-7'],
]
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
  addresses['docs'] = `${site.url}/docs`
  for (const slug of ['limits', 'endpoints-threads', 'dialect-7'])
    addresses[`docs ${slug}`] = `${site.url}/docs/${slug}`
  addresses['playground'] = `${site.url}/playground`
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

/** The elements of a page, each with its class, by their boxes and colors. */
type Layout = Readonly<Record<string, string>>

/**
 * Lists the different boxes of a page: their left edges, widths, colors and backgrounds. Fonts differ from machine to
 * machine, so a box counts only if its width is not that of its text, and heights do not count. Each box counts once, because
 * the number of paragraphs says nothing about the layout. The colors of code are left out: they depend on the time left.
 */
function layoutOf(page: Page): Promise<Layout> {
  return page.evaluate(() => {
    const found = new Map<string, Set<string>>()
    for (const element of document.querySelectorAll('body *')) {
      if (!element.checkVisibility() || element.matches('code span')) continue
      const { left, width } = element.getBoundingClientRect()
      const { color, backgroundColor, display, position } = getComputedStyle(element)
      const isOwn =
        /^(?:block|grid)$/.test(display) && position === 'static' && !element.closest('table, header, button')
      const box = isOwn ? `${Math.round(left)} +${Math.round(width)}, ` : ''
      const ground = backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : ` on ${backgroundColor}`
      const key = box + color + ground
      const [name = ''] = element.classList
      found.set(key, (found.get(key) ?? new Set()).add(element.localName + (name && `.${name}`)))
    }
    return Object.fromEntries([...found].sort().map(([key, names]) => [key, [...names].sort().join(' ')]))
  })
}

const file = new URL('../layout.json', import.meta.url)
const isUpdate = process.env['UPDATE'] !== undefined
const looks = partOf(
  names.flatMap((name) => [`${name}, dark`, `${name}, paper`]),
  isUpdate ? Number.POSITIVE_INFINITY : 6,
)

test.each(looks)('the layout of %s is unchanged', async (look) => {
  const address = addresses[look.replace(/, \w+$/, '')] ?? ''
  const { page } = await openPage(browser, { colorScheme: 'dark', viewport: { width: 1200, height: 900 } })
  const response = await page.goto(address)
  expect(response?.status()).toBe(200)
  if (look.startsWith('playground')) await page.locator('#panel > *').first().waitFor()
  if (look.endsWith('paper')) await page.emulateMedia({ media: 'print' })
  const found = await layoutOf(page)
  const kept: Record<string, Layout> = JSON.parse(readFileSync(file, 'utf8'))
  if (isUpdate) writeFileSync(file, `${JSON.stringify({ ...kept, [look]: found }, null, 2)}\n`)
  else expect(found).toEqual(kept[look])
})

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
