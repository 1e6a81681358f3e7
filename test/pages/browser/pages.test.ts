/** Every page and state in a real browser: content, accessibility (axe), layout shifts, the keyboard. */

import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partOf } from '../../amount.js'
import { expectAccessible, layoutShift, openPage, startBrowser } from '../support/browser.js'
import { png } from '../support/images.js'
import { type Site, startSite } from '../support/site.js'

let browser: Browser
let site: Site
let channelURL = ''
let threadURL = ''
let nestedURL = ''
let deletedID = ''
let chatID = ''
let messageURL = ''
let ada = { id: '', link: '' }

const welcome = readFileSync(new URL('../../../fixtures/welcome.md', import.meta.url), 'utf8')

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite()])
  ada = await site.person('Ada Lovelace')
  const image = await site.upload(png(1600, 900), 'latency before and after.png')
  const pdf = await site.upload('%PDF-1.7 report', 'report.pdf')
  const description = 'What goes out, and when'
  ;({ channelURL = '' } = await site.call('createChannel', { name: 'deploys', description, userIDs: [ada.id] }))
  const blocks = [welcome.replace(/<!.*/, ''), `<!${image}|>`, `<!${pdf}|>`, `Thanks, <@${ada.id}|somebody>`]
  const thread = await site.call('postThread', { channel: 'deploys', blocks })
  ;({ threadURL = '' } = thread)
  const comment = async (parentID: string | undefined, ...parts: string[]): Promise<[string, string]> => {
    const posted = await site.call('postComment', { threadID: thread['threadID'], parentID, blocks: parts })
    return [posted['commentID'] ?? '', posted['commentURL'] ?? '']
  }
  const [first] = await comment(undefined, 'שלום, **מה קורה**?', `\`\`\`\n${'a long line '.repeat(40)}\n\`\`\``)
  const [second] = await comment(first, 'A reply to a comment that goes')
  ;[, nestedURL] = await comment(second, 'And a reply to that one')
  await site.call('deleteComment', { commentID: second })
  deletedID = second
  for (let index = 0; index < 70; index += 1) await comment(undefined, `Comment ${index}`)
  await site.call('postThread', { channel: 'deploys', blocks: ['# A second thread', 'with _one_ line'] })
  ;({ chatID = '' } = await site.call('createChat', { name: 'on call', userIDs: [ada.id] }))
  for (let index = 0; index < 120; index += 1) {
    const { chatMessageURL = '' } = await site.call('postChatMessage', { chatID, body: `Message ${index}` })
    if (index === 30) messageURL = chatMessageURL
  }
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

async function signedIn(options = {}): Promise<Page> {
  const { page } = await openPage(browser, options)
  const { link } = await site.person('Ada Lovelace')
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${site.url}/`)
  return page
}

test('a shared thread shows its message, files, nested replies and deleted comments, with times in the reader’s zone', async () => {
  const { page, complaints, requests } = await openPage(browser)
  await page.goto(threadURL)
  expect(await page.title()).toBe('Release 2.4 is live')
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Release 2.4 is live')
  // The title is shown once: the bar above the message has another heading.
  expect(await page.getByText('Release 2.4 is live', { exact: true }).count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Thread')
  expect(await page.locator('.mention').last().textContent()).toBe('@Ada Lovelace')
  const image = page.locator('img')
  expect([await image.getAttribute('width'), await image.getAttribute('height')]).toEqual(['967', '544'])
  const width = await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))
  expect(width).toBe(1600)
  expect(await page.locator('figcaption').allTextContents()).toEqual([
    expect.stringMatching(/^latency before and after\.png · PNG image · \d\S+ kB Download$/),
    'PDF · 15 bytes',
  ])
  const time = page.locator('time').first()
  const [stated = '', shown] = [(await time.getAttribute('datetime')) ?? '', await time.textContent()]
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' })
  expect(shown).toBe(format.format(new Date(stated)))
  expect(await layoutShift(page)).toBeLessThan(0.001)
  expect(complaints).toEqual([])
  expect(requests.every((url) => url.startsWith(site.url))).toBe(true)
})

test('a comment’s URL opens the thread with that comment marked and in view, with a script and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, { javaScriptEnabled })
    await page.goto(nestedURL)
    const marked = page.locator('[aria-current="true"]')
    expect(await marked.locator('.content').textContent()).toContain('And a reply to that one')
    await expect
      .poll(() => marked.evaluate((element) => element.getBoundingClientRect().bottom < innerHeight))
      .toBe(true)
    expect(await marked.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
    const deleted = page.locator(`#m${deletedID}`)
    expect(await deleted.textContent()).toContain('This comment was deleted.')
    expect(await page.locator(`li:has(> #m${deletedID}) li [aria-current]`).count()).toBe(1)
  }
})

test('a chat opens at its newest message, with a script and without, and leads back to the list', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await signedIn({ javaScriptEnabled, viewport: { width: 1440, height: 900 } })
    await page.goto(`${site.url}/${chatID}`)
    const latest = page.locator('.messages > li').last()
    await expect
      .poll(() => latest.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true)
    expect(await page.locator('.continued').count()).toBeGreaterThan(40)
    await page.locator('.list-bar').getByRole('link').click()
    await page.waitForURL(`${site.url}/`)
  }
})

test('an open chat, thread and channel show what arrives and what is deleted, and keep the reader’s place', async () => {
  const page = await signedIn()
  const { chatID: id } = await site.call('createChat', { name: 'live', userIDs: [ada.id] })
  for (let index = 0; index < 40; index += 1) await site.call('postChatMessage', { chatID: id, body: `Line ${index}` })
  await page.goto(`${site.url}/${id}`)
  const isAtEnd = (): Promise<boolean> =>
    page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY < 5)
  await site.call('postChatMessage', { chatID: id, body: 'From **another** client' })
  await expect.poll(() => page.locator('.content').last().textContent()).toContain('another')
  // The message is in view, so the page does not announce it.
  expect([await page.locator('.news').textContent(), await isAtEnd()]).toEqual(['', true])
  await page.evaluate(() => scrollTo(0, 0))
  await site.call('postChatMessage', { chatID: id, body: 'And one more' })
  const news = page.getByRole('link', { name: 'New', exact: true })
  await news.waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await news.click()
  await expect.poll(isAtEnd).toBe(true)
  expect(await news.count()).toBe(0)

  const { threadID, threadURL: url = '' } = await site.call('postThread', { channel: 'deploys', blocks: ['Live'] })
  const { commentID: gone } = await site.call('postComment', { threadID, blocks: ['Soon gone'] })
  await page.goto(url)
  await site.call('postComment', { threadID, blocks: ['From **another** client'] })
  await site.call('deleteComment', { commentID: gone })
  await expect
    .poll(() => page.locator('.comments .content').allTextContents())
    .toEqual([expect.stringContaining('another')])
  await page.goto(channelURL)
  await site.call('postThread', { channel: 'deploys', blocks: ['# Arrived'] })
  await expect.poll(() => page.locator('.threads h2').first().textContent()).toBe('Arrived')
})

test('copied messages have no buttons, labels of code or letters of avatars, lists have bullets, a button copies code', async () => {
  const { page } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  const blocks = ['* one\n* two', '```js\nlet x\n```', 'end']
  const { threadURL: url = '' } = await site.call('postThread', { channel: 'deploys', blocks })
  await page.goto(url)
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  expect(await copied()).toMatch(/one\s+two\s+let x\s+end/)
  expect(await copied()).not.toMatch(/Copy|JavaScript|^B$/m)
  const html = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    return (await (await item?.getType('text/html'))?.text()) ?? ''
  })
  expect(html).toMatch(/<ul[^>]*>\s*<li/)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.locator('.unseen[role=status]').textContent()).toBe('Copied')
  expect(await copied()).toBe('let x\n')
})

test('long code is folded and long URLs are cut without a script; both are printed whole', async () => {
  const url = `https://example.com/${'path/'.repeat(40)}`
  const code = `${Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')}\n`
  const blocks = [`See ${url}\n* ${url}`, `\`\`\`\n${code}\`\`\``]
  const { threadURL: long = '' } = await site.call('postThread', { channel: 'deploys', blocks })
  const { page } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(long)
  const links = page.locator('.content a')
  const lines = (): Promise<number[]> =>
    links.evaluateAll((all) => all.map((link) => Math.round(link.getBoundingClientRect().height / 24)))
  expect([await lines(), await links.allTextContents()]).toEqual([
    [1, 1],
    [url, url],
  ])
  const pre = page.locator('.code pre')
  const height = (): Promise<number> => pre.evaluate((element) => element.clientHeight)
  const folded = await height()
  await page.getByText('Show all 60 lines').click()
  expect(await height()).toBeGreaterThan(folded * 2.5)
  await page.getByText('Show fewer lines').click()
  expect(await height()).toBe(folded)
  await page.emulateMedia({ media: 'print' })
  expect(await height()).toBeGreaterThan(folded * 2.5)
  expect(Math.min(...(await lines()))).toBeGreaterThan(1)
})

test('bullets are next to their text and @ is before the name, in pages of both directions', async () => {
  const style = readFileSync(new URL('../../../src/page/style.css', import.meta.url), 'utf8')
  for (const direction of ['ltr', 'rtl']) {
    const { page } = await openPage(browser)
    await page.setContent(`<!doctype html><html dir="${direction}"><style>${style}</style><div class="blockmark">
<ul><li>one</li><li>אחת</li></ul><p>שלום <span class="mention">@Ann</span> ו<span class="mention">@דנה</span>!</p></div>`)
    const places = await page.evaluate(() => {
      const boxOf = (node: Node, from: number, to: number): DOMRect => {
        const range = document.createRange()
        range.setStart(node, from)
        range.setEnd(node, to)
        return range.getBoundingClientRect()
      }
      const items = [...document.querySelectorAll('li')].map((item) => {
        const [bounds, drawn] = [item.getBoundingClientRect(), boxOf(item, 0, 1)]
        return [Math.round(drawn.left - bounds.left), Math.round(bounds.right - drawn.right)] as const
      })
      const mentions = [...document.querySelectorAll('.mention')].map(({ firstChild }) =>
        firstChild === null ? 0 : Math.sign(boxOf(firstChild, 0, 1).left - boxOf(firstChild, 1, 2).left),
      )
      return { items, mentions }
    })
    // Each item starts 1.5em from the edge where its script starts, after its bullet.
    expect(places.items[0]?.[0]).toBeCloseTo(24, -1)
    expect(places.items[1]?.[1]).toBeCloseTo(24, -1)
    expect(places.mentions).toEqual([-1, 1])
  }
})

test('signing in by an API key or a link leads back, and signing out ends it; a used link says what to do', async () => {
  const { page } = await openPage(browser)
  await page.goto(channelURL)
  expect(await page.locator('h1, h2').allTextContents()).toEqual(['Sign in', 'People', 'Bots'])
  await page.getByLabel('API key of a bot').fill('wsk_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await page.getByRole('alert').textContent()).toBe('This API key does not work.')
  await expectAccessible(page)
  await page.getByLabel('API key of a bot').fill(site.key)
  await page.keyboard.press('Enter')
  await page.waitForURL(channelURL)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('#deploys')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${site.url}/`)
  const { link } = await site.person('Grace Hopper')
  await page.goto(link)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${site.url}/`)
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('Ask the person who gave it to you for a new one.')
})

test('the first page shows the latest posts and their times, the latest first', async () => {
  const page = await signedIn()
  const { chatID: id = '' } = await site.call('createChat', { name: 'old news', userIDs: [ada.id] })
  await site.call('postChatMessage', { chatID: id, body: `**Hello** <@${ada.id}|>\nand more` })
  await site.run("UPDATE messages SET created_at = created_at - interval '2 days' WHERE chat_id = $1", [id])
  await page.reload()
  const chats = page.locator('section').nth(1).getByRole('listitem')
  expect(await chats.filter({ hasText: 'on call' }).textContent()).toMatch(
    /^\s*on call\s+\d\d:\d\d\s+Bot: Message 119$/,
  )
  expect(await chats.filter({ hasText: 'old news' }).textContent()).toMatch(
    /^\s*old news\s+\d+ \w+ \d{4}\s+Bot: Hello @Ada Lovelace$/,
  )
  const channels = page.locator('section').first().getByRole('listitem')
  expect(await channels.first().textContent()).toMatch(/^\s*#deploys\s+\d\d:\d\d\s*What goes out, and when\s+Bot: /)
})

test('on paper, the whole thread is printed, without buttons and dark backgrounds', async () => {
  const page = await signedIn({ colorScheme: 'dark' })
  await page.goto(threadURL)
  await page.emulateMedia({ media: 'print' })
  expect(
    await page.locator('.banner button, .pages').evaluateAll((all) => all.some((one) => one.checkVisibility())),
  ).toBe(false)
  const code = page.locator('.code pre').first()
  expect(await code.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  const grounds = await page.evaluate(() =>
    [...document.querySelectorAll('body, body *')]
      .filter((element) => element.checkVisibility())
      .map((element) => getComputedStyle(element).backgroundColor)
      .filter((color) => {
        const [red = 255, green = 255, blue = 255, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
        return alpha > 0.5 && red + green + blue < 500
      }),
  )
  expect(grounds).toEqual([])
})

test('every page, in light, dark and on a phone: axe finds nothing, nothing overflows, nothing moves', async () => {
  for (const options of [
    {},
    { colorScheme: 'dark' as const },
    { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  ]) {
    const page = await signedIn(options)
    const paths = ['/', new URL(channelURL).pathname, `/${chatID}`, '/docs', '/100', '/sign-in', '/a/b/c']
    const urls = [threadURL, nestedURL, messageURL, ...paths.map((path) => site.url + path)]
    for (const url of partOf(urls, 2)) {
      await page.goto(url)
      await expectAccessible(page)
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([url, over]).toEqual([url, 0])
      expect([url, await layoutShift(page)]).toEqual([url, expect.closeTo(0, 2)])
    }
  }
})

test('the keyboard reaches everything, with a visible focus', async () => {
  const page = await signedIn()
  await page.goto(threadURL)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
  const reached = new Set<string>()
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab')
    const [name, isSeen] = await page.evaluate(() => {
      const element = document.activeElement
      const style = element === null ? null : getComputedStyle(element)
      return [element?.className || element?.tagName || '', style?.outlineStyle !== 'none'] as const
    })
    expect([name, isSeen]).toEqual([name, true])
    reached.add(name)
  }
  expect([...reached]).toEqual(expect.arrayContaining(['home', 'BUTTON', 'PRE', 'when', 'copy plain', 'picture', 'A']))
})

test('days start where the reader’s do, in reading order, and the layout does not move', async () => {
  const days = { One: '2026-03-01T12:00:00Z', Two: '2026-03-01T20:00:00Z', Three: '2026-03-02T12:00:00Z' }
  const { chatID: id } = await site.call('createChat', { name: 'days', userIDs: [ada.id] })
  for (const body of Object.keys(days)) await site.call('postChatMessage', { chatID: id, body })
  const { threadID, threadURL: url = '' } = await site.call('postThread', { channel: 'deploys', blocks: ['Days'] })
  const comment = async (text: string, parentID?: string): Promise<string> =>
    (await site.call('postComment', { threadID, parentID, blocks: [text] }))['commentID'] ?? ''
  await comment('Three', await comment('Two', await comment('One')))
  for (const [text, time] of Object.entries(days)) {
    await site.run('UPDATE messages SET created_at = $1 WHERE chat_id = $2 AND body = $3', [time, id, text])
    await site.run('UPDATE comments SET created_at = $1 WHERE thread_id = $2 AND blocks[1] = $3', [
      time,
      threadID,
      text,
    ])
  }
  for (const javaScriptEnabled of [true, false]) {
    const page = await signedIn({ javaScriptEnabled })
    for (const address of [`${site.url}/${id}`, url]) {
      await page.goto(address)
      const named = await page.locator('li:has(> .day) > .message .content').allTextContents()
      expect(named.map((text) => text.trim())).toEqual(javaScriptEnabled ? ['One', 'Two'] : ['One', 'Three'])
      expect(await page.locator('.day').first().textContent()).toMatch(
        javaScriptEnabled ? /^Sunday,? 1 March 2026$/ : /^Sunday,? 1 March 2026 · UTC$/,
      )
      if (!javaScriptEnabled) continue
      expect(await layoutShift(page)).toBeLessThan(0.02)
      await expectAccessible(page)
    }
  }
})

test('a reply leads to its comment on the same page, and an author is on the side where the text begins', async () => {
  const { threadID, threadURL: url = '' } = await site.call('postThread', { channel: 'deploys', blocks: ['Depth'] })
  let parentID: string | undefined
  for (const text of ['1', '2', '3', 'ארבע', '5', 'שש', 'שבע']) {
    parentID = (await site.call('postComment', { threadID, parentID, blocks: [text] }))['commentID']
  }
  const { page } = await openPage(browser, { javaScriptEnabled: false })
  await page.goto(url)
  const last = page.locator('.comments .message').last()
  const [author, text] = [await last.locator('.author').boundingBox(), await last.locator('.content').boundingBox()]
  const rightOf = (box: typeof author): number => (box?.x ?? 0) + (box?.width ?? 0)
  expect(rightOf(text) - rightOf(author)).toBeLessThan(2)
  // The line of a reply is on the side where the reply begins, whatever the side of its comment.
  const sides = await page
    .locator('.comments li li')
    .evaluateAll((all) =>
      all.map((item) => [getComputedStyle(item).borderLeftWidth, getComputedStyle(item).borderRightWidth].join(' ')),
    )
  expect(sides).toEqual(['2px 0px', '2px 0px', '0px 2px', '2px 0px', '0px 0px', '0px 0px'])
  await last.getByRole('link', { name: 'Bot' }).click()
  const above = page.locator('.comments .message:target')
  expect(await above.locator('> .content').textContent()).toContain('שש')
})
