/**
 * Measures the playground, in each view: the CPU time of a key, with all that is drawn after it and while a user types on (a
 * text over 4 KB is not drawn then); the time until the next frame shows the letter; the longest task while a user types; and
 * the first paint on a slow phone (a processor six times slower, 1.6 Mbit/s, 150 ms to the server). `--smoke` uses little text,
 * to check that it runs.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { playgroundPage } from '../../src/page/playground.js'
import { launchOptions, unpackChromium } from '../chromium.js'
import { type BoundedResult, printBounded } from './bounds.js'

/** Text with all constructs and with warnings. */
const PIECE = `# Release 2.4 is live

Deployed by <@12345678901|Ann Lee> at 14:05, **12 minutes** after the merge of release_2.4.
Downtime: _none_. The old -blue- green fleet is gone, *for good* this time, ~~really~~.

* **Search** finds \`snake_case\` names
* **Uploads** take 512 MB, see [the guide](https://docs.example.com/files/upload_limits)

### third
\`\`\`sh
./deploy --service web --rollback 2.3.7
\`\`\`

`

const KEY_MILLISECONDS_MAX = 16
const TASK_MILLISECONDS_MAX = 50
const PAINT_MILLISECONDS_MAX = 1000

const isSmoke = process.argv.includes('--smoke')
const KEY_COUNT = isSmoke ? 2 : 8
await measure()

async function measure(): Promise<void> {
  const { address, close } = await serveOnce()
  const browser = await chromium.launch(launchOptions(unpackChromium()))
  const [short, long] = isSmoke ? [4_000, 4_000] : [4_000, 20_000]
  const results: BoundedResult[] = []
  for (const length of isSmoke ? [0] : [0, short, long]) {
    const name = length === 0 ? 'the first example' : `${length / 1000} KB`
    for (const [view, { withDrawing, typing, paint }] of await keys(browser, address, length, isSmoke ? 1 : 6)) {
      // A long text is drawn after a pause.
      const bound = length === 0 ? KEY_MILLISECONDS_MAX : null
      results.push([`a key in ${name}, ${view}, ms of the processor`, withDrawing, bound])
      results.push([`a key in ${name}, ${view}, while typing on, ms of the processor`, typing, KEY_MILLISECONDS_MAX])
      results.push([`from a key in ${name}, ${view}, to the next frame, ms`, paint, null])
    }
  }
  for (const [view, milliseconds] of await longestTasks(
    browser,
    address,
    short,
    isSmoke ? 2 : Number.POSITIVE_INFINITY,
  ))
    results.push([`longest task in 4 KB, ${view}, ms of the processor`, milliseconds, TASK_MILLISECONDS_MAX])
  if (!isSmoke) {
    for (const [view, milliseconds] of await longestTasks(browser, address, long, Number.POSITIVE_INFINITY))
      results.push([`longest task in 20 KB, ${view}, ms of the processor`, milliseconds, null])
  }
  results.push(['first paint on a slow phone, ms', await firstPaint(browser, address), PAINT_MILLISECONDS_MAX])
  await browser.close()
  close()
  printBounded('Playground', results, !isSmoke)
}

/** Serves the document like the service. */
async function serveOnce(): Promise<{ address: string; close: () => void }> {
  const { playground } = await import(pathToFileURL(resolve('.ci/playground.js')).href)
  const { headers, body } = playgroundPage(await playground())
  const packed = brotliCompressSync(body)
  const server = createServer((_, response) => {
    response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(packed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // The server listens on a port.
  return { address: `http://127.0.0.1:${port}/playground`, close: () => server.close() }
}

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(address)
  await page.locator('#panel > *').first().waitFor()
  return page
}

async function fill(page: Page, length: number): Promise<void> {
  const text = PIECE.repeat(Math.ceil(length / PIECE.length)).slice(0, length)
  await page.evaluate((typed) => {
    const area = document.querySelector('textarea')
    if (area === null) return
    area.value = typed
    area.focus()
    area.setSelectionRange(typed.length / 2, typed.length / 2)
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }, text)
  await page.waitForTimeout(isSmoke ? 500 : 1000)
}

/** The milliseconds of a key: of the processor with all that follows, of the processor while typing on, and until the next frame. */
interface KeyCost {
  readonly withDrawing: number
  readonly typing: number
  readonly paint: number
}

/** Measures a key in each view; `length` is 0 for the text that a new reader sees. */
async function keys(
  browser: Browser,
  address: string,
  length: number,
  viewsMax: number,
): Promise<(readonly [view: string, cost: KeyCost])[]> {
  const page = await open(browser, address)
  await page.selectOption('#dialect', 'markdown')
  const results: (readonly [string, KeyCost])[] = []
  const views = await page.locator('[role=tab], #replay').evaluateAll((all) => all.map(({ id }) => id))
  for (const view of views.filter((id) => id !== 'replay').slice(0, viewsMax)) {
    await page.locator(`#${view}`).click()
    if (length > 0) await fill(page, length)
    await page.locator('#source').focus()
    results.push([view.replace('tab-', ''), await keyCost(page)])
  }
  await page.close()
  return results
}

async function keyCost(page: Page): Promise<KeyCost> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const processorTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const press = async (key: string | null, pause: number): Promise<number> => {
    const before = await processorTime()
    for (let count = 0; count < KEY_COUNT; count += 1) {
      if (key !== null) await page.keyboard.press(key)
      await page.waitForTimeout(pause)
    }
    return ((await processorTime()) - before) / KEY_COUNT
  }
  await press('x', 100)
  await page.evaluate(() => {
    const durations: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') durations.push(duration)
    })
    // The types of the DOM do not know the threshold.
    const options: object = { type: 'event', durationThreshold: 16 }
    observer.observe(options)
    Object.assign(window, { durations })
  })
  // The caret blinks without a key too, so the cost of an idle page is subtracted.
  const idle = await press(null, 600)
  const withDrawing = (await press('y', 600)) - idle
  const typing = await press('z', 100)
  const durations = await page.evaluate(() => (window as unknown as { durations: number[] }).durations) // The script above sets it.
  await session.detach()
  // Browsers do not report durations below 16 ms, so each missing one counts as 16 ms.
  const all = [...durations, ...Array.from({ length: 2 * KEY_COUNT - durations.length }, () => 16)]
  return { withDrawing, typing, paint: all.sort((one, other) => one - other)[KEY_COUNT] ?? 0 }
}

/** A task in a browser's trace. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the processor. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Returns, for each view, the longest task while a user types, pauses and continues, in milliseconds of processor time. */
async function longestTasks(
  browser: Browser,
  address: string,
  length: number,
  viewsMax: number,
): Promise<(readonly [view: string, milliseconds: number])[]> {
  const page = await open(browser, address)
  const session = await page.context().newCDPSession(page)
  const results: (readonly [string, number])[] = []
  const views = await page.locator('[role=tab], #replay').evaluateAll((all) => all.map(({ id }) => id))
  for (const view of views.slice(0, viewsMax)) {
    await page.locator(`#${view}`).click()
    await fill(page, length)
    const events = await traced(session, async () => {
      for (let letter = 0; letter < 6; letter += 1) {
        await page.keyboard.press('x')
        // Some pauses are longer than the time that the page waits after the last key.
        await page.waitForTimeout(letter % 3 === 2 ? 1000 : 100)
      }
      await page.waitForTimeout(1000)
      // The trace must contain the layout too, which happens with the next frame.
      await page.waitForTimeout(300)
    })
    results.push([view.replace('tab-', ''), longestOf(events)])
  }
  await page.close()
  return results
}

async function traced(session: CDPSession, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = []
  const take = ({ value }: { value: object[] }): void => {
    events.push(...(value as TraceEvent[])) // The protocol does not describe the fields of an event.
  }
  session.on('Tracing.dataCollected', take)
  const includedCategories = ['toplevel', 'disabled-by-default-devtools.timeline']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await act()
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done))
  await session.send('Tracing.end')
  await complete
  session.off('Tracing.dataCollected', take)
  return events
}

/** Returns the longest task of the pages' main threads, in milliseconds. Only one page gets keys. */
function longestOf(events: readonly TraceEvent[]): number {
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  )
  const tasks = events.filter((event) => /RunTask$/.test(event.name) && main.has(threadOf(event)))
  if (tasks.length === 0) throw new Error('the trace has no task')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

async function firstPaint(browser: Browser, address: string): Promise<number> {
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
