/** The playground in a real browser. */

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { playgroundPage } from '../../../src/api/pages/playground.js'
import { fromMarkdown } from '../../../src/convert/markdown.js'
import { fromSlack } from '../../../src/convert/slack/index.js'
import { explain, lint, stringify, toBlocks, toHtml, toText } from '../../../src/index.js'
import { expectAccessible, openPage, startBrowser, type Watched } from '../support/browser.js'

let browser: Browser
let server: Server
let address = ''

beforeAll(async () => {
  browser = await startBrowser()
  const { status, headers, body } = playgroundPage(inject('chromium').playground)
  server = createServer((_, response) => response.writeHead(status, { ...headers }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playground`
})

afterAll(async () => {
  await browser.close()
  server.close()
})

async function open(fragment = '', options = {}): Promise<Watched> {
  const watched = await openPage(browser, options)
  await watched.page.goto(address + fragment)
  await watched.page.getByRole('tab').first().waitFor()
  return watched
}

const panel = (page: Page): Promise<string> => page.locator('#panel').innerHTML()

async function type(page: Page, text: string): Promise<void> {
  await page.locator('#source').fill(text)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

async function choose(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: tab }).click()
}

const MESSAGE = '# Hi\n\n**bold** _under_ <@7|Ann>, https://example.com/a_b\n* one\n* `two`'

test('shows the message, its text and its tree as the library makes them, and asks for nothing', async () => {
  const { page, requests, complaints } = await open()
  await type(page, MESSAGE)
  // The browser writes back what it has read, so it is compared with what it reads.
  const expected = await page.evaluate((html) => {
    const element = document.createElement('div')
    element.innerHTML = html
    return element.innerHTML
  }, toHtml(MESSAGE))
  expect(await panel(page)).toBe(`<div class="content">${expected}</div>`)
  await choose(page, 'Plain text')
  expect(await page.locator('#panel').textContent()).toBe(toText(MESSAGE))
  await choose(page, 'Tree')
  expect(await page.locator('#panel').textContent()).toContain('\n    text "Hi" @2–4')
  expect([requests, complaints]).toEqual([[address], []])
})

test('what was probably not meant is named, shown where it is, and put right', async () => {
  const { page } = await open()
  const text = 'fine\n### third'
  await type(page, text)
  const [remark] = lint(text)
  await choose(page, `Checks (${lint(text).length})`)
  expect(await page.locator('#panel li').textContent()).toContain(remark?.reason)
  await page.getByRole('button', { name: 'Show' }).first().click()
  const selected = await page
    .locator('#source')
    .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  expect(text).toContain(selected)
  expect((await page.locator('#backdrop mark').allTextContents()).join('')).toBe(selected)
  await page
    .getByRole('button', { name: /^Write / })
    .first()
    .click()
  expect(await page.locator('#source').inputValue()).not.toContain('###')
  await expect.poll(() => page.getByRole('tab', { name: 'Checks' }).textContent()).toBe('Checks (0)')
  await page.keyboard.press('Control+Z')
  expect(await page.locator('#source').inputValue()).toBe(text)
})

test('blocks are cut at the limit that is chosen', async () => {
  const { page } = await open()
  await type(page, MESSAGE)
  await choose(page, 'Blocks')
  const blocks = (): Promise<string[]> => page.locator('#panel .blocks pre').allTextContents()
  expect(await blocks()).toEqual(toBlocks(MESSAGE))
  await page.getByLabel('Characters in a block').fill('30')
  expect(await blocks()).toEqual(toBlocks(MESSAGE, { blockLength: 30 }))
  await page.getByLabel('Characters in a block').fill('1')
  expect(await page.getByRole('alert').count()).toBe(1)
  await type(page, '')
  expect(await page.getByRole('alert').count()).toBe(1)
})

test('CommonMark and Slack are taken over, what is lost is named, and one can go on with the result', async () => {
  const { page, complaints, requests } = await open()
  await page.locator('#dialect').selectOption('markdown')
  const markdown = '### Third\n\n1. one\n\n> ~~gone~~'
  await type(page, markdown)
  const { tree, messages } = fromMarkdown(markdown)
  await choose(page, `Losses (${messages.length})`)
  expect(messages.length).toBeGreaterThan(0)
  expect(await page.locator('#panel li').count()).toBe(messages.length)
  await choose(page, 'As blockmark')
  expect(await page.locator('#panel pre').textContent()).toBe(stringify(tree))
  await page.getByRole('button', { name: 'Go on with this' }).click()
  expect(await page.locator('#source').inputValue()).toBe(stringify(tree))
  expect(await page.locator('#dialect').inputValue()).toBe('blockmark')
  await page.locator('#dialect').selectOption('slack')
  const slack = '*bold* <https://example.com|label>'
  await type(page, slack)
  await choose(page, 'As blockmark')
  expect(await page.locator('#panel pre').textContent()).toBe(stringify(fromSlack(slack).tree))
  await expectAccessible(page)
  expect([complaints, requests]).toEqual([[], [address]])
})

test('the character under the pointer, or at the caret, is explained', async () => {
  const { page } = await open()
  const text = 'one\nsnake_case is _fine_'
  await type(page, text)
  const reasons = (): Promise<string | null> => page.locator('#reasons').textContent()
  const offset = text.indexOf('_')
  const box = await page.locator('#backdrop').evaluate((backdrop, at) => {
    const walker = document.createTreeWalker(backdrop, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let [node, seen] = [walker.nextNode(), 0]; node !== null; node = walker.nextNode()) {
      const length = node.textContent?.length ?? 0
      if (at < seen + length) {
        range.setStart(node, at - seen)
        range.setEnd(node, at - seen + 1)
        return range.getBoundingClientRect().toJSON()
      }
      seen += length
    }
  }, offset)
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2)
  for (const { message } of explain(text, offset)) await expect.poll(reasons).toContain(message)
  await page.locator('#source').focus()
  await page.keyboard.press('Control+Home')
  for (const { message } of explain(text, 0)) await expect.poll(reasons).toContain(message)
})

test('a link holds the text behind its #, and opens it again', async () => {
  const { page, requests } = await open()
  await type(page, '**a & b** #ü ✓')
  await page.locator('#link').click()
  await expect.poll(() => page.locator('#link-status').textContent()).not.toBe('')
  const link = page.url()
  expect(link).toContain('#text=')
  const other = await openPage(browser)
  await other.page.goto(link)
  await other.page.getByRole('tab').first().waitFor()
  expect(await other.page.locator('#source').inputValue()).toBe('**a & b** #ü ✓')
  expect([...requests, ...other.requests].map((url) => url.replace(/#.*/, ''))).toEqual([address, address])
})

test('what is typed runs nothing', async () => {
  const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <@1|<b>> </textarea>'
  const { page, requests, complaints } = await open(`#${new URLSearchParams({ text: hostile })}`)
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    expect(await page.locator('#panel script, #panel img, #panel [href^="javascript" i]').count()).toBe(0)
  }
  expect([requests.length, complaints]).toEqual([1, []])
})

test('works with the keyboard only', async () => {
  const { page } = await open()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the text')
  await page.keyboard.press('Enter')
  await page.locator('#source').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('*typed*')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('tab-message')
  await page.keyboard.press('ArrowRight')
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Plain text')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('panel')
  expect(await page.locator('#panel').textContent()).toBe('typed')
})

test('examples open, and axe finds nothing in light, dark and on a phone', async () => {
  for (const options of [{}, { colorScheme: 'dark' as const }, { viewport: { width: 360, height: 740 } }]) {
    const { page, complaints } = await open('', options)
    await page.locator('#example').selectOption({ index: 1 })
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await expectAccessible(page)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  }
})

test('the document works from a file as it does from a server', async () => {
  const { page, complaints } = await openPage(browser)
  await page.setContent(inject('chromium').playground)
  await page.getByRole('tab').first().waitFor()
  await type(page, '**x**')
  expect(await panel(page)).toBe('<div class="content"><p><strong>x</strong></p></div>')
  expect(complaints).toEqual([])
})
