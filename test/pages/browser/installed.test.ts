/** The built package in a browser: the library and its style sheet. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, inject, test } from 'vitest'
import { toHtml } from '../../../src/index.js'
import type {} from '../../installed.js'
import { top } from '../../source.js'
import { expectAccessible, openPage, startBrowser } from '../support/browser.js'
import { png } from '../support/images.js'

/** The function is a text, so that the browser resolves its imports. */
const inPage = `async ({ library, checker, data }) => {
  const load = (code) => import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const [blockmark, { check }] = [await load(library), await load(checker)]
  return check(blockmark, JSON.parse(data).cases)
}`

const dist = join(inject('installed').folder, 'node_modules', 'blockmark', 'dist')

test('passes the conformance data', async () => {
  const data = gunzipSync(readFileSync(join(dist, 'conformance.json.gz'))).toString()
  const options = { bundle: true, format: 'esm', write: false } as const
  const { outputFiles } = await build({ ...options, entryPoints: [join(dist, 'index.js')] })
  const library = outputFiles[0]?.text ?? ''
  const checker = readFileSync(join(top, 'test', 'conformance', 'results.mjs'), 'utf8')
  const texts = { library, checker, data }
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    const found = await page.evaluate<string[]>(`(${inPage})(${JSON.stringify(texts)})`)
    expect(found).toEqual([`${JSON.parse(data).cases.length} cases pass`])
  } finally {
    await browser.close()
  }
})

const message = [
  ...['# A heading', '## A second', '**bold** *italic* _under_ -struck- `code` <@7|Ann> https://example.com/a_b'],
  ...['* one\n* two', `\`\`\`\n${'a long line '.repeat(40)}\n\`\`\``, '<!9|report.pdf>', '<!8|wide.png>'],
]

const files = {
  '9': { name: 'report.pdf', mediaType: 'application/pdf', href: '/files/9' },
  '8': {
    ...{ name: 'wide.png', mediaType: 'image/png', width: 3000, height: 20 },
    href: `data:image/png;base64,${Buffer.from(png(3000, 20)).toString('base64')}`,
  },
}

test('the style sheet has at most 3 KB, makes a message readable in light and dark, and affects no other element', async () => {
  const style = readFileSync(join(dist, 'style.css'), 'utf8')
  expect(Buffer.byteLength(style)).toBeLessThanOrEqual(3000)
  const html = toHtml(message, { file: (id) => (id === '9' || id === '8' ? files[id] : undefined) })
  const browser = await startBrowser()
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, { colorScheme, viewport: { width: 360, height: 740 } })
      await page.setContent(`<!doctype html><html lang="en"><title>A page</title><style>:root { color-scheme: light dark } body { background: Canvas; color: CanvasText }</style>
        <main><h1 id="around">Around it</h1><p>A <code>word</code></p><div class="blockmark">${html}</div></main>`)
      // The style of the elements around the message, without their sizes.
      const around = (): Promise<string> =>
        page.evaluate(() => {
          const elements = document.querySelectorAll('html, body, main > :not(div), main > p *')
          const stylesOf = (element: Element): unknown[] =>
            Object.entries(getComputedStyle(element)).filter(
              ([name]) => !/block|height|perspective|transform/i.test(name),
            )
          return JSON.stringify([...elements].map(stylesOf))
        })
      const before = await around()
      await page.addStyleTag({ content: style })
      expect(await around()).toBe(before)
      await expectAccessible(page)
      const backgrounds = await page.evaluate(() =>
        ['p code', 'pre', '.mention'].map(
          (name) => getComputedStyle(document.querySelector(`.blockmark ${name}`) ?? document.body).backgroundColor,
        ),
      )
      expect(new Set(backgrounds)).toEqual(new Set(['rgba(128, 128, 128, 0.14)']))
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(over).toBe(0)
    }
  } finally {
    await browser.close()
  }
})
