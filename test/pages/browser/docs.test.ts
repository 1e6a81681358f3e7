/** The documentation in a real browser: with a script and without, on a server and from files. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docsPages, writeDocs } from '../../../src/server/docs/index.js'
import { isThorough, partOf } from '../../amount.js'
import { temporaryFolder } from '../../api/support/backends.js'
import { expectAccessible, layoutShift, openPage, startBrowser } from '../support/browser.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
let site: Site

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
    for (const { slug } of partOf(docsPages, 3)) {
      await page.goto(`${site.url}/docs${slug === '' ? '' : `/${slug}`}`)
      await expectAccessible(page)
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([slug, over]).toEqual([slug, 0])
      expect([slug, await layoutShift(page)]).toEqual([slug, expect.closeTo(0, 2)])
    }
    expect(complaints).toEqual([])
  }
})

test('the language of the samples is remembered; without a script all of them are there', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${site.url}/docs/endpoints-threads`)
  const samples = (): Promise<boolean[]> =>
    page.locator('.sample').evaluateAll((all) => all.slice(0, 3).map((each) => each.checkVisibility()))
  expect(await samples()).toEqual([true, false, false])
  await page.getByRole('button', { name: 'Python' }).first().click()
  expect(await samples()).toEqual([false, false, true])
  await page.goto(`${site.url}/docs/endpoints-chats`)
  expect(await samples()).toEqual([false, false, true])
  const without = await openPage(browser, { javaScriptEnabled: false })
  await without.page.goto(`${site.url}/docs/endpoints-threads`)
  expect(await without.page.locator('.sample').evaluateAll((all) => all.every((each) => each.checkVisibility()))).toBe(
    true,
  )
  expect(
    await without.page
      .locator('.to-search, .try, .languages')
      .evaluateAll((all) => all.some((each) => each.checkVisibility())),
  ).toBe(false)
})

test('the search finds pages, sections and examples by the keyboard, on a server and from files', async () => {
  const folder = await temporaryFolder()
  await writeDocs(join(folder, 'site'), site.url)
  for (const start of [`${site.url}/docs`, pathToFileURL(join(folder, 'site', 'index.html')).href]) {
    const { page, complaints } = await openPage(browser)
    await page.goto(start)
    await page.keyboard.press('/')
    await page.keyboard.type('idempotency-key')
    await page.locator('#found [role=option]').first().waitFor()
    expect(await page.locator('#found b').first().textContent()).toBe('Errors and retries › Idempotency-Key')
    expect(await page.locator('#found mark').first().textContent()).toMatch(/idempotency-key/i)
    // The checker fetches style sheets, which a page from a file cannot do.
    if (start.startsWith('http')) await expectAccessible(page)
    const input = page.getByRole('combobox', { name: 'Search' })
    const first = (): Promise<string | null> => page.locator('#found b').first().textContent()
    await input.fill('two stars make strong')
    await expect.poll(first).toBe('§4 Emphasis')
    for (const [word, title] of [
      ['pagination', 'Lists and pages'],
      ['webhook', 'Begin here'],
      ['strike', /strike/i],
      ['bold', /Emphasis/],
    ] as const) {
      await input.fill(word)
      await expect.poll(first).toMatch(title)
      const pages = await page.locator('#found b').allTextContents()
      expect(pages.map((each) => each.replace(/ ›.*/, '')).length).toBe(
        new Set(pages.map((each) => each.replace(/ ›.*/, ''))).size,
      )
    }
    await input.fill('zzzz')
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
    await expect.poll(first).toBe('Threads › Post a thread')
    await input.press('Enter')
    await page.waitForURL(/endpoints-threads.*#postThread$/)
    expect(complaints).toEqual([])
  }
  await rm(folder, { recursive: true })
})

test('the sections of a page can be reached at every width, and the contents on a phone without a script', async () => {
  for (const width of [390, 820, 1280, 1440]) {
    const { page } = await openPage(browser, { viewport: { width, height: 900 }, javaScriptEnabled: false })
    await page.goto(`${site.url}/docs/dialect-4`)
    const isOpen = await page.getByRole('navigation', { name: 'On this page' }).isVisible()
    if (!isOpen) await page.getByText('On this page').first().click()
    expect([
      width,
      await page.locator('.on-page a, .sections a').evaluateAll((all) => all.some((each) => each.checkVisibility())),
      isOpen,
    ]).toEqual([width, true, width >= 1280])
    const line = await page
      .locator('main > p')
      .evaluateAll((all) => Math.max(...all.map((each) => each.clientWidth / 16)))
    expect(line).toBeLessThanOrEqual(36)
  }
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false })
  await page.goto(`${site.url}/docs/`)
  expect(new URL(page.url()).pathname).toBe('/docs')
  await page.getByRole('link', { name: 'Contents' }).click()
  await page.getByRole('link', { name: 'POST postThread' }).click()
  await page.waitForURL(/endpoints-threads#postThread$/)
  expect(await page.locator('#contents').isVisible()).toBe(false)
})

test('an endpoint is tried with an API key that nothing stores', async () => {
  const { page, complaints } = await openPage(browser)
  await page.goto(`${site.url}/docs/endpoints-channels`)
  const trial = page.locator('.try[data-path$="createChannel"]')
  await trial.locator('summary').click()
  await trial.locator('input').fill(site.key)
  await trial.locator('textarea').fill('{"name":"tried"}')
  await expectAccessible(page)
  const sent = page.locator('.try[data-path$="addChannelMembers"]')
  await sent.locator('summary').click()
  const area = sent.locator('textarea')
  expect(await area.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(1)
  expect((await area.inputValue()).split('\n').length).toBeGreaterThan(4)
  await trial.getByRole('button').click()
  await expect.poll(() => trial.getByRole('status').textContent()).toMatch(/^Status 200 · \d+ ms$/)
  expect(await trial.locator('pre a').getAttribute('href')).toContain(site.url)
  // Not in a box that scrolls, and not below the window.
  const isInView = (element: Element): boolean => element.getBoundingClientRect().bottom < innerHeight
  expect(await trial.getByRole('status').evaluate(isInView)).toBe(true)
  expect(
    await page
      .locator('.calls:has(.try[open])')
      .first()
      .evaluate((element) => element.scrollHeight - element.clientHeight),
  ).toBe(0)
  expect(await trial.locator('pre .hljs-attr').count()).toBeGreaterThan(2)
  expect(JSON.parse((await trial.locator('pre').textContent()) ?? '').result.channelURL).toContain(site.url)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(kept).not.toContain(site.key)
  const other = page.locator('.try[data-path$="/channels"]')
  await other.locator('summary').click()
  expect(await other.locator('input').inputValue()).toBe(site.key)
  expect(complaints).toEqual([])
})
