/**
 * How much of a keystroke is the playground's own, in a text of 40 KB and in one of 1 MB, and how soon is it seen on a slow
 * phone (a processor six times slower, 1.6 Mbit/s, 150 ms to the server)?
 *
 * Run: `npm run build && npx esbuild bench/api/playground.ts --bundle --format=esm --platform=node --packages=external
 * --outfile=node_modules/.bench/playground.mjs && node node_modules/.bench/playground.mjs`
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { playgroundPage, withSections } from '../../src/page/playground.js'

const LIMITS = { '40 KB': 16, '1 MB': 50, 'first paint': 1000 } as const

const { launchOptions, unpackChromium } = await import(pathToFileURL(resolve('.ci/chromium.js')).href)
const html = brotliDecompressSync(readFileSync('dist/playground.html.br')).toString()
const { headers, body } = playgroundPage(await withSections(html, 'fixtures'))
const packed = brotliCompressSync(body)
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(packed)
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/playground` // it listens on a port
const browser = await chromium.launch(launchOptions(unpackChromium()))

/** The median of what the page's listeners take for one more letter. */
async function keystroke(length: number): Promise<number> {
  const page = await browser.newPage()
  await page.goto(address)
  await page.locator('#panel > *').first().waitFor()
  const text = '**word** of _text_, `code`\n\n'.repeat(length / 28)
  await page.evaluate((typed) => {
    const area = document.querySelector('textarea')
    if (area !== null) area.value = typed
    area?.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }, text)
  await page.waitForTimeout(3000)
  const times = await page.evaluate(() => {
    const area = document.querySelector('textarea')
    return Array.from({ length: 41 }, () => {
      area?.setRangeText('x', 0, 0, 'end')
      const started = performance.now()
      area?.dispatchEvent(new InputEvent('input', { bubbles: true }))
      document.dispatchEvent(new Event('selectionchange'))
      return performance.now() - started
    })
  })
  await page.close()
  return times.sort((one, other) => one - other)[20] ?? 0
}

async function firstPaint(): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await session.send('Network.enable')
  const bytes = (1.6 * 1024 * 1024) / 8
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 150, downloadThroughput: bytes, uploadThroughput: bytes },
  })
  await page.goto(address)
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  await page.close()
  return painted
}

const found = {
  '40 KB': await keystroke(40_000),
  '1 MB': await keystroke(1_000_000),
  'first paint': await firstPaint(),
}
await browser.close()
server.close()
console.log('| | milliseconds | at most |\n|---|--:|--:|')
for (const [name, limit] of Object.entries(LIMITS)) {
  const milliseconds = found[name as keyof typeof found] // the limits have the same names
  console.log(`| ${name} | ${milliseconds.toFixed(1)} | ${limit} |`)
  if (milliseconds > limit) process.exitCode = 1
}
