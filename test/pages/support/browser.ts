/** Pages in a real browser: their requests, their errors, accessibility (axe), and screenshots. */

import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFailed, onTestFinished } from 'vitest'
import { launchOptions } from '../../../bench/chromium.js'

const artifacts: string = new URL('../../../node_modules/.cache/screenshots/', import.meta.url).pathname

/** Starts the browser of the tests; no installed browser is used. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions(inject('chromium').folder))
}

/** A page whose requests and errors are recorded. */
export interface Watched {
  readonly page: Page
  /** The URL of every request. */
  readonly requests: string[]
  /** Errors, blocked scripts and dialogs; empty for a correct page. */
  readonly complaints: string[]
}

/** Opens a page. If its test fails, a screenshot is kept. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ timezoneId: 'Asia/Kolkata', locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const goto = page.goto.bind(page)
  page.goto = async (...to) => {
    // On a busy machine the storage may respond too late; a person loads the page again then.
    for (let left = 3; ; left -= 1) {
      const response = await goto(...to)
      if (response?.status() !== 503 || left === 0) return response
    }
  }
  const watched: Watched = { page, requests: [], complaints: [] }
  page.on('request', (request) => watched.requests.push(request.url()))
  page.on('pageerror', (error) => watched.complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    watched.complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error') watched.complaints.push(message.text())
  })
  onTestFailed(async ({ task }) => {
    mkdirSync(artifacts, { recursive: true })
    await page
      .screenshot({ path: join(artifacts, `${task.name.replace(/\W+/g, '-').slice(0, 80)}.png`) })
      .catch(() => null)
  })
  onTestFinished(() => context.close())
  return watched
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Expects that axe finds nothing on a page, small targets included. */
export async function expectAccessible(page: Page): Promise<void> {
  // A line that the bar of the page half covers is not a small target.
  await page.evaluate(() => scrollTo(0, 0))
  // Playwright runs the check, because the page's policy allows no other script.
  const found = await page.evaluate<Violation[]>(
    `${await axeSource}; axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
  )
  expect(
    found.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)]),
  ).toEqual([])
}

/** Returns the cumulative layout shift; 0 if nothing moved. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 300)
  })`)
}
