/** The playground in a real browser. */

import { createServer, type Server } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fromMarkdown, toMarkdown } from '../../../src/convert/index.js'
import { stringify, toBlocks, toHtml, toText } from '../../../src/index.js'
import { explain, fix, lint } from '../../../src/lint/index.js'
import { fromSlack, toDiscord, toMatrix, toSlackBlocks, toTelegram, toWhatsApp } from '../../../src/messengers/index.js'
import { playgroundPage } from '../../../src/page/playground.js'
import { readAs } from '../../../src/playground/dialects.js'
import { examples } from '../../../src/playground/examples.js'
import { isThorough, partOf } from '../../amount.js'
import { portOf } from '../../api/support/programs.js'
import { expectAccessible, layoutShift, openPage, startBrowser, type Watched } from '../support/browser.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
/** A service, and a server without any other page. */
let site: Site
let server: Server
let address = ''

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite()])
  const { status, headers, body } = playgroundPage(inject('chromium').playground)
  server = createServer((_, response) => response.writeHead(status, { ...headers }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${portOf(server)}/playground`
})

afterAll(async () => {
  await Promise.all([browser.close(), site.close()])
  server.close()
})

/** Opens an empty text of the dialect, or what else the part of the URL after the `#` says. */
async function open(fragment = '#text=', options = {}): Promise<Watched> {
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

/** Shows an output: of a tab, or of the menu of the tab Code. */
async function choose(page: Page, tab: string, output?: string): Promise<void> {
  await page.getByRole('tab', { name: tab, exact: true }).click()
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

/** The text that is selected in the text area. */
const selected = (page: Page): Promise<string> =>
  page
    .locator('#source')
    .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))

const MESSAGE = '# Hi\n\n**bold** _under_ <@7|Ann>, https://example.com/a_b\n* one\n* `two`'

test('opens with what a model wrote in five messengers, and nothing is marked before the reader moves', async () => {
  const { page, requests, complaints } = await open('')
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Messengers')
  const names = await page.locator('.card h2').evaluateAll((all) => all.map((each) => each.firstChild?.textContent))
  expect(names).toEqual(['Telegram', 'Discord', 'WhatsApp', 'Slack', 'Matrix'])
  for (const bubble of await page.locator('.bubble').all())
    expect(await bubble.textContent()).toContain('Why the build')
  expect(await highlighted(page, 'here')).toEqual([])
  expect(await page.locator('.linked').count()).toBe(0)
  expect(await page.locator('header').first().textContent()).toContain('A TypeScript library for Markdown in chats.')
  expect([requests, complaints]).toEqual([[address], []])
})

test('shows the message and its tree as the library returns them, and makes no request', async () => {
  const { page, requests, complaints } = await open()
  await type(page, MESSAGE)
  // The browser serializes the HTML that it has parsed, so the expected HTML is parsed and serialized too.
  const expected = await page.evaluate(
    (html) => Object.assign(document.createElement('div'), { innerHTML: html }).innerHTML,
    toHtml(MESSAGE),
  )
  expect(await panel(page)).toBe(`<div class="blockmark">${expected}</div>`)
  await choose(page, 'Tree')
  expect(await page.locator('#panel').textContent()).toContain('heading depth=1 @0–4text "Hi" @2–4')
  expect([requests.length, complaints]).toEqual([1, []])
})

test('problems are listed, shown in the text, and corrected one by one or all at once, which can be undone', async () => {
  const { page } = await open()
  const text = 'fine\n### third'
  await type(page, text)
  const [problem] = lint(text)
  await expect.poll(() => page.locator('#summary').textContent()).toContain('1 problem')
  expect(await page.locator('#problems li').textContent()).toContain(problem?.reason.replaceAll('`', ''))
  const chosen = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Line 2' }).click()
    return selected(page)
  }
  const found = await chosen()
  expect(await highlighted(page, 'found')).toEqual([found])
  // The item of a problem stays if only the text before the problem changes.
  await type(page, `very ${text}`)
  await expect.poll(chosen).toBe(found)
  await page.getByRole('button', { name: /^Write / }).click()
  await expect.poll(() => page.locator('#summary').textContent()).toBe('No problems')
  const many = `${text}\nand ~~gone~~`
  await type(page, many)
  await page.getByRole('button', { name: 'Fix all' }).click()
  expect(await page.locator('#source').inputValue()).toBe(fix(many))
  await page.keyboard.press('Control+Z')
  expect(await page.locator('#source').inputValue()).toBe(many)
})

test('nothing moves while problems come and go', async () => {
  const { page } = await open()
  const places = (): Promise<unknown> =>
    page
      .locator('#strip, #summary, #panel, .tabs, .editor')
      .evaluateAll((all) => all.map((each) => JSON.stringify(each.getBoundingClientRect())))
  await type(page, 'fine')
  const before = await places()
  const text = '### one\n- two\n1. three\n> four\n~~five~~'
  await type(page, text)
  expect(lint(text).length).toBeGreaterThan(2)
  await expect.poll(() => page.locator('#problems li').count()).toBe(lint(text).length)
  expect(await places()).toEqual(before)
})

test('CommonMark is shown as GitHub shows it, too; what changes is listed, and only its delimiters are marked', async () => {
  const { page, complaints } = await open()
  await page.locator('#dialect').selectOption('markdown')
  const picture = '![picture](https://example.com/a.png)'
  const markdown = `### Third\n\n1. one\n2. two\n\n> ~~gone~~ <b onclick=alert(1)>\n\n${picture}\n\n- [x] done\n`
  await type(page, markdown)
  const github = page.locator('.commonmark')
  for (const tag of ['h3', 'ol > li:nth-child(2)', 'blockquote del', 'ul > li'])
    expect([tag, await github.locator(tag).count()]).toEqual([tag, 1])
  expect(await github.locator('img, input, b').count()).toBe(0)
  expect(await github.textContent()).toMatch(/<b onclick=alert\(1\)>[\s\S]*picture[\s\S]*☑/)
  const { diagnostics } = fromMarkdown(markdown)
  await expect.poll(() => page.locator('#summary').textContent()).toBe(`${diagnostics.length} changes`)
  expect(await page.locator('#problems li').count()).toBe(diagnostics.length)
  expect(await highlighted(page, 'found')).toEqual([])
  expect(await highlighted(page, 'lost')).toContain('###')
  expect((await highlighted(page, 'lost')).every((part) => part.length <= 3)).toBe(true)
  expect((await highlighted(page, 'markup'))[0]).toBe('### ')
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('Markdown that is being typed is converted like the whole text, although only its changed sections are', () => {
  const rest = '\n- a\n\n  b\n\n\n> c\n> [d]\n\r\n\uFEFF# e\n\n[d]: https://f.example\n'
  const whole = examples.map(({ text }) => text).join('\n') + rest
  for (let at = 1; at <= whole.length; at += isThorough ? 61 : 211) {
    // The first text ends with the typed key, and the second one has the key in its middle.
    for (const text of [whole.slice(0, at), `${whole.slice(0, at)}*${whole.slice(at, -30)}`]) {
      const { tree, diagnostics } = readAs('markdown', text)
      expect({ tree, diagnostics }).toEqual(fromMarkdown(text))
    }
  }
})

test('Slack’s text, and the JSON of Block Kit Builder, are converted', async () => {
  const { page } = await open()
  await page.locator('#dialect').selectOption('slack')
  const slack = '*bold* <https://example.com|label>'
  await type(page, slack)
  await choose(page, 'Code', 'blockmark')
  expect(await output(page)).toBe(stringify(fromSlack(slack).tree))
  expect(await page.locator('#replay').isDisabled()).toBe(true)
  await choose(page, 'Preview')
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '*bold*' } }]
  for (const payload of [{ blocks }, blocks]) {
    await type(page, JSON.stringify(payload, null, 2))
    expect(await panel(page)).toBe('<div class="blockmark"><p><strong>bold</strong></p></div>')
  }
})

test('typed text runs nothing', async () => {
  const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <@1|<b>> </textarea>'
  const { page, requests, complaints } = await open(`#${new URLSearchParams({ text: hostile, in: 'markdown' })}`)
  for (const tab of await page.locator('.tabs button').all()) {
    await tab.click()
    if ((await tab.getAttribute('id')) === 'replay') await page.locator('.counter').first().waitFor()
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
    if (stops.at(-1) === 'tab-preview') {
      await page.keyboard.press('ArrowRight')
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Messengers')
      await page.keyboard.press('ArrowLeft')
    }
  }
  expect(stops).toEqual(['tab-preview', 'replay', 'copy', 'panel'])
  expect(await page.locator('#panel').textContent()).toBe('typed')
})

test('every output, in light, dark, forced colors and on phones: axe finds nothing, nothing overflows or moves', async () => {
  const looks = [
    {},
    { colorScheme: 'dark' as const },
    { forcedColors: 'active' as const },
    { viewport: { width: 360, height: 740 } },
    { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  ]
  for (const options of partOf(looks, 1)) {
    const { page, complaints } = await open('', options)
    expect(await layoutShift(page)).toBe(0)
    for (const example of [1, 2]) {
      await page.locator('#example').selectOption({ index: example })
      for (const tab of await page.locator('.tabs [role=tab]').all()) {
        await tab.click()
        await expectAccessible(page)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }
    }
    await page.locator('#help').click()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  }
})

test.each([320, 360, 390, 768, 1024, 1280, 1440, 1920])('at %i px each row of controls is one row', async (width) => {
  const { page } = await open('', { viewport: { width, height: 900 } })
  for (const row of ['.bar :is(button, select)', '.tabs button']) {
    const boxes = await page.locator(row).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
    const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
    // No label breaks into two lines.
    expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThan(48)
  }
})

test('outputs are those of the library, each can be copied, and a messenger’s card says what is lost', async () => {
  const { page } = await open('#text=', { permissions: ['clipboard-read', 'clipboard-write'] })
  await type(page, MESSAGE)
  const outputs = [
    ['HTML', undefined, toHtml(MESSAGE)],
    ['Code', 'plain text', toText(MESSAGE)],
    ['Code', 'CommonMark', toMarkdown(MESSAGE)],
    ['Code', 'blocks of a post', JSON.stringify(toBlocks(MESSAGE), null, 2)],
  ] as const
  const copied = async (button = page.locator('#copy')): Promise<string> => {
    await button.click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  for (const [tab, menu, expected] of outputs) {
    await choose(page, tab, menu)
    expect([tab, menu, await output(page)]).toEqual([tab, menu, expected])
    expect([tab, menu, await copied()]).toEqual([tab, menu, expected])
  }
  await choose(page, 'Code', 'curl')
  const [, body = ''] = /-d '(.*)'$/s.exec(await copied()) ?? []
  expect(JSON.parse(body)).toEqual({ channel: 'welcome', blocks: toBlocks(MESSAGE) })
  await choose(page, 'Code', 'TypeScript')
  expect(await copied()).toMatch(/^import .*BLOCKMARK_API_KEY.*\)$/s)
  await choose(page, 'Messengers')
  const payloads = [
    ['Telegram', JSON.stringify(toTelegram(MESSAGE)[0], null, 2)],
    ['Discord', toDiscord(MESSAGE).join()],
    ['WhatsApp', toWhatsApp(MESSAGE).join()],
    ['Slack', JSON.stringify(toSlackBlocks(MESSAGE), null, 2)],
    ['Matrix', JSON.stringify(toMatrix(MESSAGE)[0], null, 2)],
  ] as const
  for (const [name, expected] of payloads)
    expect(await copied(page.getByRole('button', { name: `Copy what ${name} receives` }))).toBe(expected)
  const lost = (messenger: string): Promise<string | null> => page.locator(`.${messenger} .lost`).textContent()
  await type(page, '# Title\n_under_')
  await expect.poll(() => lost('whatsapp')).toBe('A heading is bold; underlining is dropped.')
  expect(await lost('discord')).toBe('Nothing is lost.')
})

test('after a pause the cards in view show what was typed, the others when they come into view or are printed', async () => {
  const { page } = await open('#text=', { viewport: { width: 390, height: 600 } })
  const text = 'word '.repeat(200)
  const last = page.locator('.matrix .bubble')
  await page.locator('#source').fill(text)
  await choose(page, 'Messengers')
  await expect.poll(() => last.textContent()).toBe(text.trim())
  await page.locator('#source').fill(`${text}two`)
  await expect.poll(() => page.locator('.telegram .bubble').textContent()).toBe(`${text}two`)
  expect(await last.textContent()).toBe(text.trim())
  await last.scrollIntoViewIfNeeded()
  await expect.poll(() => last.textContent()).toBe(`${text}two`)
  await page.evaluate(() => scrollTo(0, 0))
  await page.locator('#source').fill(`${text}three`)
  await expect.poll(() => page.locator('.telegram .bubble').textContent()).toBe(`${text}three`)
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await last.textContent()).toBe(`${text}three`)
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
  // The marks are read in a microtask, before the text is drawn again.
  const moved = await page.evaluate(async () => {
    document.execCommand('insertText', false, 'x\n\n')
    await Promise.resolve()
    return Array.from(CSS.highlights.get('mention') ?? [], String)
  })
  expect(moved).toEqual(colors.mention)
})

test.each([390])(
  'in a window of %i px, the colored letters are where those of the text area would be',
  async (width) => {
    const { page } = await open('#text=', { viewport: { width, height: 900 } })
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

test('the selected part is marked in both text and result, and a node of the tree can be folded', async () => {
  const { page } = await open()
  await type(page, '# One\n\na **b *c*** `d`')
  await page.locator('#panel em').hover()
  expect(await highlighted(page, 'here')).toEqual(['*c*'])
  await page.locator('#panel em').click()
  expect(await selected(page)).toBe('*c*')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.locator('#panel .linked').textContent()).toBe('d')
  await choose(page, 'Tree')
  const code = page.locator('.tree span', { hasText: 'inlineCode' }).first()
  await code.click()
  expect(await selected(page)).toBe('`d`')
  const paragraph = page.locator('summary', { hasText: 'paragraph' })
  await paragraph.locator('> span').click()
  expect([await selected(page), await code.isVisible()]).toEqual(['a **b *c*** `d`', true])
  await paragraph.press('Enter')
  expect(await code.isVisible()).toBe(false)
  // Parts that stay as they were lead to their new positions.
  await choose(page, 'Preview')
  await type(page, '# One\n\nlonger\n\na **b *c*** `d`')
  await page.locator('#panel em').click()
  expect(await selected(page)).toBe('*c*')
  await choose(page, 'Tree')
  await type(page, '# One\n\neven longer\n\na **b *c*** `d`')
  await code.click()
  expect(await selected(page)).toBe('`d`')
})

test('a replay ends with the message on both sides, and the stream paints fewer blocks', async () => {
  const { page } = await open()
  await page.locator('#dialect').selectOption('markdown')
  const text = '### One\n\n1. two **three**\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nfour\n'
  await type(page, text)
  await page.locator('#replay').click()
  expect(await page.locator('#replay').getAttribute('aria-pressed')).toBe('true')
  const { tree } = fromMarkdown(text)
  // One document is shown block by block, without the line endings between.
  const html = tree.children.map((block) => toHtml({ type: 'root', children: [block] })).join('')
  const settled = (): Promise<string> => page.locator('#panel .blockmark').first().innerHTML()
  await expect.poll(settled).toBe(html)
  expect(await page.locator('#panel .tail').innerHTML()).toBe('')
  await expect.poll(() => page.locator('.commonmark table td').allTextContents()).toEqual(['1', '2'])
  const [own, again] = await page.locator('.counter b:first-child').allTextContents()
  expect(Number(own)).toBeLessThan(Number(again))
  // Another text is replayed from its beginning; the button leads back.
  await type(page, 'five')
  await expect.poll(settled).toBe('<p>five</p>')
  await page.locator('#replay').click()
  expect(await page.locator('.counter').count()).toBe(0)
  // Slack’s text does not arrive in a stream.
  await page.locator('#replay').click()
  await page.locator('#dialect').selectOption('slack')
  await expect.poll(() => panel(page)).toBe('<div class="blockmark"><p>five</p></div>')
})

test('the text is kept for the next visit, and a link has it after its #, with its output', async () => {
  const { page, requests } = await open()
  const text = (): Promise<string> => page.locator('#source').inputValue()
  await type(page, '**a & b** #ü ✓')
  await page.reload()
  await expect.poll(text).toBe('**a & b** #ü ✓')
  await choose(page, 'Code', 'plain text')
  await page.locator('#link').click()
  await expect.poll(() => page.locator('#status').textContent()).not.toBe('')
  expect(page.url()).toContain('#z=')
  const other = await openPage(browser)
  await other.page.goto(page.url())
  await expect.poll(() => other.page.locator('.choice select').inputValue()).toBe('text')
  expect(await other.page.locator('#source').inputValue()).toBe('**a & b** #ü ✓')
  expect(new Set([...requests, ...other.requests].map((url) => url.replace(/#.*/, '')))).toEqual(new Set([address]))
  // The first text is not compressed, and the second link was cut off.
  await other.page.goto(`${address}#text=old`)
  await expect.poll(() => other.page.locator('#source').inputValue()).toBe('old')
  await other.page.goto(`${address}#z=broken`)
  expect(await other.page.locator('#source').inputValue()).toBe('old')
})

test('the document has at most 150 KB compressed and a description for previews of links; it needs a script', async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false })
  const response = await page.goto(address)
  expect(brotliCompressSync((await response?.body()) ?? '').byteLength).toBeLessThan(150_000)
  for (const selector of ['meta[name=description]', 'meta[property="og:title"]', 'meta[property="og:description"]'])
    expect((await page.locator(selector).getAttribute('content'))?.length).toBeGreaterThan(10)
  expect(await page.locator('.notice').isVisible()).toBe(true)
  expect(
    await page.locator('textarea, select, [role=tab]').evaluateAll((all) => all.some((each) => each.checkVisibility())),
  ).toBe(false)
})

test('the document works from a file; an empty text has no result, and of a long one the beginning is shown', async () => {
  const { page, complaints } = await openPage(browser)
  await page.setContent(inject('chromium').playground)
  await page.locator('#panel > *').first().waitFor()
  await page.locator('#dialect').selectOption('blockmark')
  await choose(page, 'Preview')
  await type(page, '**x**')
  expect(await panel(page)).toBe('<div class="blockmark"><p><strong>x</strong></p></div>')
  expect(complaints).toEqual([])
  await type(page, '')
  expect(await page.locator('#source').getAttribute('placeholder')).toContain('Paste what a model wrote')
  for (const tab of await page.locator('.tabs [role=tab]').all()) {
    await tab.click()
    expect(await page.locator('#panel').textContent()).toBe('The result is shown here while you type.')
  }
  await page.locator('#source').fill('word '.repeat(10_000))
  await expect.poll(() => page.locator('#panel .alert').textContent()).toContain('20,000')
  // The text has no colors, and the text area shows its own letters.
  expect(await page.locator('#backdrop').isVisible()).toBe(false)
})

test('a link or an example leaves the draft as it is until the reader types', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const text = (): Promise<string> => page.locator('#source').inputValue()
  await page.goto(address)
  await type(page, 'my draft')
  // One undo removes an example.
  await page.locator('#example').selectOption({ label: 'Escapes and code' })
  expect(await text()).toContain('A backslash')
  await page.locator('#source').focus()
  await page.keyboard.press('Control+Z')
  expect(await text()).toBe('my draft')
  await page.goto(`${address}#text=linked`)
  await page.getByRole('button', { name: 'Go back to it' }).click()
  expect([await text(), page.url()]).toEqual(['my draft', address])
  // After an edit, a link's text is the draft, and the URL no longer contains it.
  await page.goto(`${address}#text=linked`)
  await expect.poll(text).toBe('linked')
  await page.locator('#source').press('End')
  await page.keyboard.type(', edited')
  await expect.poll(() => page.url()).toBe(address)
  await page.reload()
  await expect.poll(text).toBe('linked, edited')
  await context.close()
})

test('on a phone the result begins within 300 pixels, and the text has the size that does not zoom', async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  await page.goto(`${site.url}/playground`)
  await page.locator('.card').first().waitFor()
  expect(await page.locator('#panel').evaluate((panel) => panel.getBoundingClientRect().top)).toBeLessThanOrEqual(300)
  expect(await page.locator('#source').evaluate((area) => getComputedStyle(area).fontSize)).toBe('16px')
})

test('a service’s playground leads to the documentation, to the rule of each reason too; one from a file does not', async () => {
  const { page } = await open()
  expect(await page.locator('nav, .pitch a').count()).toBe(0)
  const other = await openPage(browser)
  await other.page.goto(`${site.url}/playground#text=${encodeURIComponent('### snake_case')}`)
  const card = await other.page.locator('meta[property="og:image"]').getAttribute('content')
  expect((await fetch(card ?? '')).headers.get('content-type')).toBe('image/jpeg')
  const links = await other.page.locator('nav a').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  expect(links).toEqual(['/docs/install', '/docs/dialect-1', '/docs/begin', '/playground'])
  await other.page.locator('#source').press('Control+Home')
  for (let count = 0; count < '### snake'.length; count += 1) await other.page.keyboard.press('ArrowRight')
  const hrefs = (list: string): Promise<(string | null)[]> =>
    other.page.locator(`${list} a`).evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  await expect
    .poll(() => hrefs('#reasons'))
    .toEqual(['/docs/dialect-4#4.3', '/docs/dialect-4#4.3', '/docs/dialect-2#2.2'])
  for (const { message } of explain('### snake_case', '### snake'.length))
    expect(await other.page.locator('#reasons').textContent()).toContain(message.replaceAll('`', ''))
  await expect.poll(() => hrefs('#problems')).toEqual([`/docs/lint#${lint('### snake_case')[0]?.ruleId}`])
  for (const href of [...(await hrefs('#reasons')), ...(await hrefs('#problems'))]) {
    const [path, id = 'main'] = href?.split('#') ?? []
    expect([href, (await (await fetch(site.url + path)).text()).includes(`id="${id}"`)]).toEqual([href, true])
  }
})

test('a service’s playground fuzzes the library in a file of its own, which is loaded on a click', async () => {
  const { page, requests, complaints } = await openPage(browser)
  await page.goto(`${site.url}/playground#text=x&tab=tree`)
  await page.getByRole('button', { name: 'Fuzz' }).waitFor()
  expect(requests.length).toBe(1)
  await page.getByRole('button', { name: 'Fuzz' }).click()
  const status = (): Promise<string | null> => page.locator('.choice [role=status]').textContent()
  await expect.poll(status).toMatch(/^10,000 trees, 0 failures, [\d.]+ s$/)
  expect(requests.slice(1).map((url) => new URL(url).pathname)).toEqual(['/docs/fuzz.js'])
  expect(complaints).toEqual([])
  const file = await open('#text=x&tab=tree')
  expect(await file.page.getByRole('button', { name: 'Fuzz' }).count()).toBe(0)
})
