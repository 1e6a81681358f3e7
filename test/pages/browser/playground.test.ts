/** The playground in a real browser. */

import { createServer, type Server } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { chapters } from '../../../.ci/conformance.js'
import { fromMarkdown, toMarkdown } from '../../../src/convert/index.js'
import { dialectVersion, stringify, toBlocks, toHtml, toText } from '../../../src/index.js'
import { explain, fix, lint } from '../../../src/lint/index.js'
import { fromSlack, toDiscord, toMatrix, toSlack, toTelegram, toWhatsApp } from '../../../src/messengers/index.js'
import { playgroundPage, withSections } from '../../../src/page/playground.js'
import { partOf } from '../../amount.js'
import { portOf } from '../../api/support/programs.js'
import { expectAccessible, layoutShift, openPage, startBrowser, type Watched } from '../support/browser.js'

let browser: Browser
let server: Server
let address = ''

beforeAll(async () => {
  browser = await startBrowser()
  const document = withSections(inject('chromium').playground, chapters())
  const { status, headers, body } = playgroundPage(document)
  server = createServer((_, response) => response.writeHead(status, { ...headers }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${portOf(server)}/playground`
})

afterAll(async () => {
  await browser.close()
  server.close()
})

async function open(fragment = '', options = {}): Promise<Watched> {
  const watched = await openPage(browser, options)
  await watched.page.goto(address + fragment)
  await watched.page.locator('#panel > *').first().waitFor({ state: 'attached' })
  return watched
}

const panel = (page: Page): Promise<string> => page.locator('#panel').innerHTML()

async function type(page: Page, text: string): Promise<void> {
  await page.locator('#source').fill(text)
  await page.evaluate(
    () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 50)),
  )
}

/** Shows an output: of a tab, of a tab's menu, or of a switch. */
async function choose(page: Page, tab: string, output?: string): Promise<void> {
  const found = page.getByRole('tab', { name: tab, exact: true })
  await ((await found.count()) > 0 ? found : page.locator('#switches button', { hasText: tab })).click()
  if (output !== undefined) await page.locator('.choice select').selectOption({ label: output })
}

/** The parts of the text with a color or mark. */
const highlighted = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(
    (highlight) => Array.from(CSS.highlights.get(highlight) ?? [], String).filter((part) => part.trim()),
    name,
  )

/** The text of an output, without the menu above it. */
const output = async (page: Page): Promise<string> => (await page.locator('#panel > pre').allTextContents()).join('')

const MESSAGE = '# Hi\n\n**bold** _under_ <@7|Ann>, https://example.com/a_b\n* one\n* `two`'

test('shows the message, its text and its tree as the library returns them, and makes no request', async () => {
  const { page, requests, complaints } = await open()
  await type(page, MESSAGE)
  // The browser serializes the HTML that it has parsed, so the expected HTML is parsed and serialized too.
  const expected = await page.evaluate((html) => {
    const element = document.createElement('div')
    element.innerHTML = html
    return element.innerHTML
  }, toHtml(MESSAGE))
  expect(await panel(page)).toBe(`<div class="blockmark">${expected}</div>`)
  await choose(page, 'Text')
  expect(await page.locator('#panel').textContent()).toBe(toText(MESSAGE))
  await choose(page, 'Tree')
  expect(await page.locator('#panel').textContent()).toContain('\n    text "Hi" @2–4')
  expect([requests, complaints]).toEqual([[address], []])
})

test('diagnostics are listed, shown in the text, and corrected', async () => {
  const { page } = await open()
  const text = 'fine\n### third'
  await type(page, text)
  const [remark] = lint(text)
  await choose(page, `Checks (${lint(text).length})`)
  expect(await page.locator('#panel li').textContent()).toContain(remark?.reason.replaceAll('`', ''))
  await page.getByRole('button', { name: 'Show' }).first().click()
  const selected = await page
    .locator('#source')
    .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  expect(text).toContain(selected)
  expect(await highlighted(page, 'found')).toEqual([selected])
  await page
    .getByRole('button', { name: /^Write / })
    .first()
    .click()
  expect(await page.locator('#source').inputValue()).not.toContain('###')
  await expect.poll(() => page.locator('#switch-checks').textContent()).toBe('Checks')
  await page.keyboard.press('Control+Z')
  expect(await page.locator('#source').inputValue()).toBe(text)
})

test('blocks are cut at the limit that is chosen', async () => {
  const { page } = await open()
  await type(page, MESSAGE)
  await choose(page, 'Post', 'Blocks')
  const blocks = (): Promise<string[]> => page.locator('#panel .blocks pre').allTextContents()
  expect(await blocks()).toEqual(toBlocks(MESSAGE))
  await page.getByLabel('Characters in a block').fill('30')
  expect(await blocks()).toEqual(toBlocks(MESSAGE, { blockLength: 30 }))
  await page.getByLabel('Characters in a block').fill('1')
  expect(await page.getByRole('alert').count()).toBe(1)
  await type(page, '')
  expect(await page.getByRole('alert').count()).toBe(1)
})

test('CommonMark and Slack are converted, losses are listed, and the result can be edited', async () => {
  const { page, complaints, requests } = await open()
  await page.locator('#dialect').selectOption('markdown')
  const markdown = '### Third\n\n1. one\n\n> ~~gone~~'
  await type(page, markdown)
  const { tree, diagnostics } = fromMarkdown(markdown)
  await choose(page, `Losses (${diagnostics.length})`)
  expect(diagnostics.length).toBeGreaterThan(0)
  expect(await page.locator('#panel li').count()).toBe(diagnostics.length)
  await choose(page, 'Convert', 'blockmark')
  expect(await page.locator('#panel pre').textContent()).toBe(stringify(tree))
  await page.getByRole('button', { name: 'Go on with this' }).click()
  expect(await page.locator('#source').inputValue()).toBe(stringify(tree))
  expect(await page.locator('#dialect').inputValue()).toBe('blockmark')
  await page.locator('#dialect').selectOption('slack')
  const slack = '*bold* <https://example.com|label>'
  await type(page, slack)
  await choose(page, 'Convert', 'blockmark')
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
  const line = page.locator('#backdrop > div').nth(1)
  const box = await line.evaluate(({ firstChild }) => {
    const range = document.createRange()
    if (firstChild === null) return null
    range.setStart(firstChild, 'snake'.length)
    range.setEnd(firstChild, 'snake_'.length)
    return range.getBoundingClientRect().toJSON()
  })
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2)
  for (const { message } of explain(text, offset)) await expect.poll(reasons).toContain(message.replaceAll('`', ''))
  await page.locator('#source').focus()
  await page.keyboard.press('Control+Home')
  for (const { message } of explain(text, 0)) await expect.poll(reasons).toContain(message.replaceAll('`', ''))
})

test('a link contains the text after its #, and opens it again', async () => {
  const { page, requests } = await open()
  await type(page, '**a & b** #ü ✓')
  await page.locator('#link').click()
  await expect.poll(() => page.locator('#status').textContent()).not.toBe('')
  const link = page.url()
  expect(link).toContain('#z=')
  const other = await openPage(browser)
  await other.page.goto(link)
  await other.page.locator('#panel > *').first().waitFor()
  expect(await other.page.locator('#source').inputValue()).toBe('**a & b** #ü ✓')
  expect([...requests, ...other.requests].map((url) => url.replace(/#.*/, ''))).toEqual([address, address])
})

test('typed text runs nothing', async () => {
  const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <@1|<b>> </textarea>'
  const { page, requests, complaints } = await open(`#${new URLSearchParams({ text: hostile })}`)
  for (const tab of await page.locator('.tabs [role=tab], #switches button').all()) {
    await tab.click()
    expect(await page.locator('#panel script, #panel img, #panel [href^="javascript" i]').count()).toBe(0)
  }
  expect([requests.length, complaints]).toEqual([1, []])
})

test('works with the keyboard only, and hidden elements get no focus', async () => {
  const { page } = await open()
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent || '')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the text')
  await page.keyboard.press('Enter')
  await page.locator('#source').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('*typed*')
  const stops: string[] = []
  while (stops.at(-1) !== 'panel' && stops.length < 14) {
    await page.keyboard.press('Tab')
    stops.push(await focused())
    if (stops.at(-1) === 'tab-message') {
      await page.keyboard.press('ArrowRight')
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Text')
    }
  }
  // The reasons come before the tabs, and their sections open.
  expect(stops.filter((name) => !name.startsWith('§'))).toEqual([
    'tab-message',
    'switch-checks',
    'switch-stream',
    'switch-compare',
    'switch-sheet',
    'copy',
    'panel',
  ])
  expect(await page.locator('#panel').textContent()).toBe('typed')
})

test('every output, in light, dark and on a phone: axe finds nothing, nothing overflows, nothing moves', async () => {
  const looks = [{}, { colorScheme: 'dark' as const }, { viewport: { width: 360, height: 740 } }]
  for (const options of partOf(looks, 1)) {
    const { page, complaints } = await open('', options)
    expect(await layoutShift(page)).toBeLessThan(0.02)
    await page.locator('#example').selectOption({ index: 2 })
    await expectAccessible(page)
    for (const tab of await page.locator('.tabs [role=tab], #switches button').all()) {
      await tab.click()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
    expect(complaints).toEqual([])
  }
})

test('the tools are in one row on a wide screen, and use its width', async () => {
  const { page } = await open('', { viewport: { width: 1920, height: 1000 } })
  for (const row of ['.bar > *:visible', '[role=tab], #switches button, #copy']) {
    const bottoms = await page.locator(row).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom))
    expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(20)
  }
  expect(await page.locator('#panel').evaluate((element) => element.getBoundingClientRect().right)).toBeGreaterThan(
    1850,
  )
})

test('without a script there is a notice and no text area', async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(address)
  expect(await page.locator('.notice').isVisible()).toBe(true)
  expect(
    await page.locator('textarea, select, [role=tab]').evaluateAll((all) => all.some((each) => each.checkVisibility())),
  ).toBe(false)
})

test('outputs are those of the library, and each can be copied', async () => {
  const { page } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
  await type(page, MESSAGE)
  const outputs = [
    ['Text', undefined, toText(MESSAGE)],
    ['HTML', undefined, toHtml(MESSAGE)],
    ['Convert', 'CommonMark', toMarkdown(MESSAGE)],
    ['Convert', 'Slack', toSlack(MESSAGE)],
    ['Convert', 'Telegram', JSON.stringify(toTelegram(MESSAGE), null, 2)],
    ['Convert', 'Discord', toDiscord(MESSAGE).join()],
    ['Convert', 'WhatsApp', toWhatsApp(MESSAGE).join()],
    ['Convert', 'Matrix', JSON.stringify(toMatrix(MESSAGE), null, 2)],
  ] as const
  const copied = async (): Promise<string> => {
    await page.locator('#copy').click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  for (const [tab, menu, expected] of outputs) {
    await choose(page, tab, menu)
    expect([tab, menu, await output(page)]).toEqual([tab, menu, expected])
    expect([tab, menu, await copied()]).toEqual([tab, menu, expected])
  }
  await choose(page, 'Post', 'curl')
  const body = { channel: 'welcome', blocks: toBlocks(MESSAGE) }
  const curl = await copied()
  expect(curl).toBe(await output(page))
  expect(JSON.parse(/-d '(.*)'$/s.exec(curl)?.[1] ?? '')).toEqual(body)
  await choose(page, 'Post', 'TypeScript')
  const typescript = await copied()
  expect(typescript).toMatch(/^import .*BLOCKMARK_API_KEY.*\)$/s)
  expect(typescript).not.toContain('curl')
})

test('the text has colors, which stay with their parts while more is typed', async () => {
  const { page } = await open()
  await type(page, '# One\n* a **b** `d` <@7|Ann> https://x.test/y_z\nplain')
  const colors = {
    markup: ['# ', '* ', '**', '**'],
    code: ['`d`'],
    mention: ['<@7|Ann>'],
    link: ['https://x.test/y_z'],
  }
  const shown = async (): Promise<object> => {
    const found = Object.keys(colors).map(async (name) => [name, await highlighted(page, name)] as const)
    return Object.fromEntries(await Promise.all(found))
  }
  expect(await shown()).toMatchObject(colors)
  expect(await page.locator('#backdrop').textContent()).toBe(`${await page.locator('#source').inputValue()}\n`)
  await page.locator('#source').press('Control+Home')
  // Before another answer is there.
  const moved = await page.evaluate(async () => {
    document.execCommand('insertText', false, 'x\n\n')
    await Promise.resolve()
    return Array.from(CSS.highlights.get('mention') ?? [], String)
  })
  expect(moved).toEqual(colors.mention)
  // A long text has no colors, and its own letters.
  await type(page, 'word '.repeat(30_000))
  expect(await page.locator('#backdrop').isVisible()).toBe(false)
})

test.each([390, 1440])(
  'in a window of %i px, the colored letters are where those of the text area would be',
  async (width) => {
    const { page } = await open('', { viewport: { width, height: 900 } })
    await type(
      page,
      `שלום **עולם** and\n\n* ${'words that wrap '.repeat(12)}\n\ttab\tafter\n${'long'.repeat(60)}\n  日本\n`,
    )
    const screenshot = (css: string): Promise<Buffer> => {
      const names = ['markup', 'code', 'link', 'mention'].map((name) => `::highlight(${name})`)
      const plain = `${names} { color: inherit } ::highlight(here) { background: none } ::highlight(found) { text-decoration: none } ${css}`
      return page
        .evaluate((text) => {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(text)
          document.adoptedStyleSheets = [sheet]
        }, plain)
        .then(() => page.locator('.editor').screenshot())
    }
    const below = await screenshot('')
    const own = '.backdrop { visibility: hidden } .backdrop + textarea { -webkit-text-fill-color: inherit !important }'
    expect((await screenshot(own)).equals(below)).toBe(true)
  },
)

test('the selected part is marked in both text and result', async () => {
  const { page } = await open()
  await type(page, '# One\n\na **b *c*** `d`')
  await page.locator('#panel em').hover()
  expect(await highlighted(page, 'here')).toEqual(['*c*'])
  await page.locator('#panel em').click()
  const selected = (): Promise<string> =>
    page
      .locator('#source')
      .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  expect(await selected()).toBe('*c*')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('#panel .linked').textContent()).toBe('d')
  await choose(page, 'Tree')
  await page.locator('#panel span', { hasText: 'inlineCode' }).click()
  expect(await selected()).toBe('`d`')
})

test('all sure corrections are applied at once, and undone at once', async () => {
  const { page } = await open()
  const text = '### third\nand ~~gone~~'
  await type(page, text)
  await choose(page, 'Checks')
  await page.getByRole('button', { name: 'Fix all that is sure' }).click()
  expect(await page.locator('#source').inputValue()).toBe(fix(text))
  await page.keyboard.press('Control+Z')
  expect(await page.locator('#source').inputValue()).toBe(text)
})

test('one text is shown as Slack, CommonMark and blockmark read it', async () => {
  const { page } = await open()
  await type(page, '*x* _y_ -z-')
  await choose(page, 'Compare')
  const shown = await page
    .locator('.compared section')
    .evaluateAll((all) => all.map((each) => each.querySelector('.blockmark p')?.innerHTML))
  expect(shown).toEqual([
    '<strong>x</strong> <em>y</em> -z-',
    '<em>x</em> <em>y</em> -z-',
    '<em>x</em> <u>y</u> <del>z</del>',
  ])
})

test('a stream types the text, and ends with the message', async () => {
  const { page } = await open()
  await type(page, '# One\n\ntwo **three**\n\nfour')
  await page.evaluate(() => {
    const tails: string[] = Object.assign(globalThis, { tails: [] }).tails
    const look = (): void => void tails.push(document.querySelector('.tail')?.innerHTML ?? '')
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
  })
  await choose(page, 'Stream')
  await expect.poll(() => page.locator('#panel [role=status]').textContent()).toBe('3 settled blocks; it is over')
  expect(await page.locator('#panel .blockmark').first().innerHTML()).toBe(
    '<h1>One</h1><p>two <strong>three</strong></p><p>four</p>',
  )
})

test('a stream types a model’s CommonMark if that is chosen or the text is read as it', async () => {
  const { page } = await open()
  const text = '### One\n\n1. two **three**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'
  await type(page, text)
  await choose(page, 'Stream')
  await page.getByLabel('Typed as').selectOption('markdown')
  const { tree } = fromMarkdown(text)
  const settled = (): Promise<string> => page.locator('#panel .blockmark').first().innerHTML()
  const status = (): Promise<string | null> => page.locator('#panel [role=status]').textContent()
  const over = `${tree.children.length} settled blocks; it is over`
  await expect.poll(status).toBe(over)
  // One document shows block by block, without the line endings between.
  const html = tree.children.map((block) => toHtml({ type: 'root', children: [block] })).join('')
  expect(await settled()).toBe(html)
  await page.locator('#dialect').selectOption('slack')
  expect(await page.locator('#switch-stream').isVisible()).toBe(false)
  await page.locator('#dialect').selectOption('markdown')
  await choose(page, 'Stream')
  expect(await page.getByLabel('Typed as').inputValue()).toBe('markdown')
  await expect.poll(status).toBe(over)
})

test('the JSON of Block Kit Builder is read as blocks', async () => {
  const { page } = await open()
  await page.locator('#dialect').selectOption('slack')
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*bold*' } }]
  for (const payload of [{ blocks }, blocks]) {
    await type(page, JSON.stringify(payload, null, 2))
    expect(await page.locator('#panel').innerHTML()).toBe('<div class="blockmark"><p><strong>bold</strong></p></div>')
  }
})

test('the section of a reason opens below its name', async () => {
  const { page } = await open()
  await type(page, 'a_b')
  await page.locator('#source').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.locator('#reasons summary').first().click()
  expect(((await page.locator('#reasons .prose').first().textContent()) ?? '').length).toBeGreaterThan(40)
})

test('the text is kept for the next visit, and a link contains its output and limit', async () => {
  const { page } = await open()
  await type(page, 'kept **here**')
  await page.reload()
  await expect.poll(() => page.locator('#source').inputValue()).toBe('kept **here**')
  await choose(page, 'Post', 'Blocks')
  await page.getByLabel('Characters in a block').fill('30')
  await page.locator('#link').click()
  await expect.poll(() => page.locator('#status').textContent()).not.toBe('')
  const other = await openPage(browser)
  await other.page.goto(page.url())
  await expect.poll(() => other.page.locator('.choice select').inputValue()).toBe('blocks')
  expect(await other.page.getByLabel('Characters in a block').inputValue()).toBe('30')
  // A link of an earlier version, and one that was cut off.
  await other.page.goto(`${address}#text=old`)
  await expect.poll(() => other.page.locator('#source').inputValue()).toBe('old')
  await other.page.goto(`${address}#z=broken`)
  expect(await other.page.locator('#source').inputValue()).toBe('old')
})

test('a long text is rendered in a worker with the same result, or in the page without a worker', async () => {
  const text = `${MESSAGE}\n\n### third\n\n`.repeat(80)
  for (const hasWorker of [true, false]) {
    const { page, complaints } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    if (!hasWorker) await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
    await page.goto(address)
    await page.locator('#source').fill(text)
    const settled = page.locator('#panel[aria-busy=false]')
    const label = `Checks (${lint(text).length})`
    await page.getByRole('button', { name: label }).waitFor()
    expect(page.workers().length).toBe(hasWorker ? 1 : 0)
    const outputs = [
      ['Message', undefined, toHtml(text)],
      ['Text', undefined, toText(text)],
      ['HTML', undefined, toHtml(text)],
      ['Convert', 'CommonMark', toMarkdown(text)],
      ['Convert', 'Slack', toSlack(text)],
      [label, undefined, lint(text).map(String).join('\n')],
    ] as const
    for (const [tab, menu, expected] of outputs) {
      await choose(page, tab, menu)
      await settled.waitFor()
      await page.locator('#copy').click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected)
      // The line endings between the pieces come from their boxes.
      const shown = (await page.locator('#panel pre.wrapped > .piece').allTextContents()).join('\n')
      if (['Text', 'HTML', 'Convert'].includes(tab)) expect([tab, shown]).toEqual([tab, expected])
    }
    expect(await page.locator('#panel li').count()).toBe(lint(text).length)
    // An output that fails shows the reason, and the others still work.
    await choose(page, 'Post', 'Blocks')
    await settled.waitFor()
    await page.getByLabel('Characters in a block').fill('1')
    await page.locator('#panel [role=alert]').waitFor()
    await settled.waitFor()
    await choose(page, 'Message')
    await settled.waitFor()
    const [html, expected] = await page.locator('#panel > .blockmark').evaluate((shown, whole) => {
      const element = document.createElement('div')
      element.innerHTML = whole
      return [shown.innerHTML, element.innerHTML] as const
    }, toHtml(text))
    expect(html).toBe(expected)
    // Parts are marked in text and result there too.
    await page.locator('#panel strong').last().click()
    const [start, end] = await page
      .locator('#source')
      .evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd])
    expect([start, end]).toEqual([text.lastIndexOf('**bold**'), text.lastIndexOf('**bold**') + 8])
    expect(complaints).toEqual([])
  }
})

test('only the beginning of a very long text is shown, with a notice', async () => {
  const { page } = await open()
  await page.locator('#source').fill('word '.repeat(200_000))
  await expect.poll(() => page.locator('#panel .alert').textContent()).toContain('100,000')
})

test('the document has at most 150 KB compressed', async () => {
  const { body } = await (await browser.newContext()).request
    .get(address)
    .then(async (response) => ({ body: await response.text() }))
  expect(brotliCompressSync(body).byteLength).toBeLessThan(150_000)
})

test('the document works from a file as it does from a server', async () => {
  const { page, complaints } = await openPage(browser)
  await page.setContent(inject('chromium').playground)
  await page.locator('#panel > *').first().waitFor()
  await type(page, '**x**')
  expect(await panel(page)).toBe('<div class="blockmark"><p><strong>x</strong></p></div>')
  expect(complaints).toEqual([])
})

test('typed text is never lost: not by a link, an example, a reload or a second tab', async () => {
  const context = await browser.newContext()
  const first = await context.newPage()
  const text = (page: Page): Promise<string> => page.locator('#source').inputValue()
  await first.goto(address)
  await type(first, 'my long draft')
  // One undo removes an example.
  await first.locator('#example').selectOption({ label: 'Escapes and code' })
  expect(await text(first)).toContain('A backslash')
  await first.locator('#source').focus()
  await first.keyboard.press('Control+Z')
  expect(await text(first)).toBe('my long draft')
  await first.locator('#example').selectOption({ label: 'Right to left' })
  await first.getByRole('button', { name: 'Go back to it' }).click()
  expect(await text(first)).toBe('my long draft')
  // A link that is only viewed is not stored.
  const second = await context.newPage()
  await second.goto(`${address}#text=of%20another`)
  await expect.poll(() => text(second)).toBe('of another')
  await second.goto('about:blank')
  await second.goto(address)
  await expect.poll(() => text(second)).toBe('my long draft')
  // Each tab has its own draft, which a reload restores; the other drafts are in the menu.
  await type(second, 'of the second tab')
  await first.reload()
  await expect.poll(() => text(first)).toBe('my long draft')
  await second.reload()
  await expect.poll(() => text(second)).toBe('of the second tab')
  await first.locator('#example').focus()
  await first.locator('#example').selectOption({ label: 'of the second tab' })
  expect(await text(first)).toBe('of the second tab')
  // After an edit, a link's text is a draft, and the URL no longer contains it.
  await second.goto(`${address}#text=linked`)
  await expect.poll(() => text(second)).toBe('linked')
  await second.locator('#source').press('End')
  await second.keyboard.type(', edited')
  await expect.poll(() => second.url()).toBe(address)
  await second.reload()
  await expect.poll(() => text(second)).toBe('linked, edited')
  await context.close()
})

test('on a phone the result begins within 300 pixels; on a wide screen the outputs are in one row', async () => {
  const { page } = await open('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  expect(await page.locator('#panel h1').evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(300)
  expect(await page.locator('#source').evaluate((area) => getComputedStyle(area).fontSize)).toBe('16px')
  const wide = await open('', { viewport: { width: 1440, height: 900 } })
  const tops = await wide.page
    .locator('.tabs button')
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
  expect([tops.length, new Set(tops).size]).toEqual([11, 1])
  expect(await wide.page.locator('header').textContent()).toContain(`Version ${dialectVersion} of the dialect`)
})

test('a service’s playground leads to the documentation, from each reason too; one from a file does not', async () => {
  const { page } = await open()
  expect(await page.locator('nav').isVisible()).toBe(false)
  const { body } = playgroundPage(inject('chromium').playground, '/docs')
  const other = await openPage(browser)
  await other.page.route('**/playground', (route) => route.fulfill({ contentType: 'text/html', body }))
  await other.page.goto(address)
  expect(await other.page.locator('nav a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual([
    '/docs',
    '/docs/endpoints',
    '/playground',
  ])
})
