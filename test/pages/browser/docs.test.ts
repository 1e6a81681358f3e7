/** The documentation in a real browser: with a script and without, at every width. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isThorough, partOf } from '../../amount.js'
import { siteFolder } from '../../site-folder.js'
import { expectAccessible, layoutShift, openPage, startBrowser } from '../support/browser.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
let site: Site

const { files }: { files: Record<string, { type: string }> } = JSON.parse(
  readFileSync(new URL('index.json', siteFolder), 'utf8'),
)
const paths = Object.keys(files).filter((path) => files[path]?.type.startsWith('text/html') && path !== '/docs/404')

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite()])
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

test('every page, in light, dark and on a phone: axe finds nothing, nothing overflows, nothing moves', async () => {
  const looks = [{}, { colorScheme: 'dark' as const }, { viewport: { width: 360, height: 740 } }]
  // Light and dark differ in colors alone.
  for (const options of isThorough ? looks : looks.slice(1)) {
    const { page, complaints } = await openPage(browser, options)
    for (const path of partOf(paths, 4)) {
      await page.goto(site.url + path)
      await expectAccessible(page)
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([path, over]).toEqual([path, 0])
      // The columns of a table move a little while its rows arrive; a shift of less than 0.1 is good by Core Web Vitals.
      expect(await layoutShift(page), path).toBeLessThan(0.1)
    }
    expect(complaints).toEqual([])
  }
})

test('nothing moves if the text of a page arrives after its contents', async () => {
  const { page } = await openPage(browser)
  const drawn = async (): Promise<void> => {
    await page.locator('.contents').waitFor({ state: 'attached' })
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
  const slow = createServer(async ({ url }, response) => {
    const found = await fetch(site.url + url)
    const [before = '', after] = (await found.text()).split(/(?=<main)/)
    response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? '' }).write(before)
    if (after !== undefined) await drawn()
    response.end(after)
  })
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  const { port } = slow.address() as AddressInfo
  for (const width of [360, 820, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto(`http://127.0.0.1:${port}/docs/lists`)
    expect([width, await layoutShift(page)]).toEqual([width, expect.closeTo(0, 2)])
  }
  slow.close()
})

test('the search finds error codes, functions, sections and words with typing errors by the keyboard', async () => {
  const { page, complaints } = await openPage(browser)
  await page.goto(`${site.url}/docs/limits`)
  await page.keyboard.press('/')
  const input = page.getByRole('combobox', { name: 'Search' })
  const first = (): Promise<string | null> => page.locator('#found b').first().textContent()
  for (const [words, title] of [
    ['idempotency-key', 'Errors and retries › Idempotency-Key'],
    ['name_taken', 'Errors and retries › name_taken'],
    ['toTelegram', 'blockmark/messengers › toTelegram'],
    ['createClient', 'blockmark/client › createClient'],
    ['idempotncy', /[Ii]dempotency/],
    ['docker', /Operate the service › Container/],
    ['post a thread', 'Threads › postThread: Post a thread'],
    ['pagination', /Lists and pages/],
    ['webhook', /Begin here/],
  ] as const) {
    await input.fill(words)
    await expect.poll(first).toMatch(title)
    const pages = (await page.locator('#found b').allTextContents()).map((each) => each.replace(/ ›.*/, ''))
    expect(pages.length).toBe(new Set(pages).size)
  }
  expect(await page.locator('#found mark').count()).toBeGreaterThan(0)
  await expectAccessible(page)
  await input.fill('zzzzzzz')
  await expect.poll(() => page.locator('dialog [role=status]').textContent()).toBe('Nothing found')
  // One press closes the dialog, whatever was typed.
  await input.press('Escape')
  expect(await page.locator('dialog.search').isVisible()).toBe(false)
  await page.keyboard.press('/')
  await input.fill('retry')
  await page.locator('#found [aria-selected=true]').waitFor()
  await input.press('ArrowDown')
  expect(await page.locator('#found [aria-selected=true]').getAttribute('id')).toBe('found-1')
  await input.press('ArrowUp')
  await input.fill('post a thread')
  await expect.poll(first).toMatch(/Post a thread/)
  await input.press('Enter')
  await page.waitForURL(/endpoints-threads#postThread$/)
  expect(complaints).toEqual([])
})

test('the contents show the open page', async () => {
  const { page } = await openPage(browser, { viewport: { width: 1440, height: 900 } })
  await page.goto(`${site.url}/docs/reference-testing`)
  const isSeen = (element: Element): boolean => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  }
  expect(await page.locator('.contents [aria-current=page]').evaluate(isSeen)).toBe(true)
})

test('prose and code have one width, and the contents can be reached on a phone, without a script too', async () => {
  for (const width of [390, 820, 1280, 1440]) {
    const { page } = await openPage(browser, { viewport: { width, height: 900 }, javaScriptEnabled: false })
    await page.goto(`${site.url}/docs/begin`)
    const widths = await page.locator('main > :is(p, .code)').evaluateAll((all) => all.map((each) => each.clientWidth))
    expect([width, new Set(widths).size]).toEqual([width, 1])
    expect(await page.locator('.contents a').first().isVisible()).toBe(width > 820)
    expect(await page.locator('.to-search').isVisible()).toBe(false)
  }
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  await page.goto(`${site.url}/docs/begin`)
  await page.getByRole('button', { name: 'Contents' }).click()
  expect((await page.locator('.contents').boundingBox())?.y).toBe(0)
  await page.locator('.contents').getByRole('link', { name: 'Authentication' }).click()
  await page.waitForURL(/authentication$/)
})

test('code is copied without its label', async () => {
  const { page } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${site.url}/docs/begin`)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await expect.poll(() => page.locator('p[role=status]').first().textContent()).toBe('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'export BLOCKMARK_URL=https://messages.example.com\nexport BLOCKMARK_API_KEY=wsk_…',
  )
})
