/**
 * Requests generated from the server's OpenAPI document, valid, nearly valid and invalid: none is a 500, every response matches the
 * document, and none takes 100 ms of CPU time. `REQUESTS=50000` sets their number, `SEED` repeats a run.
 */

import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { validate } from '../../src/index.js'
import { seeded } from '../properties/property.js'
import { type Answered, createJudge, resolved } from './fuzzing/answers.js'
import { type Description, type Drawn, requestsOf, withIDs } from './fuzzing/requests.js'
import { dataFolder, temporaryFolder } from './support/backends.js'
import { buildCli, startCli } from './support/cli.js'

const environment: { REQUESTS?: string } = process.env
const REQUESTS = Number(environment.REQUESTS ?? 400)
const PROCESSOR_MILLISECONDS_MAX = 100
const ATTEMPTS = 10

interface Site {
  readonly url: string
  readonly key: string
  /** Milliseconds of CPU time of the server's main thread; null if the system does not report it. */
  processor(): number | null
}

async function start(): Promise<Site> {
  const folder = await temporaryFolder()
  const cli = await buildCli()
  // The upload limit is low, so that some uploads exceed it.
  const settings = {
    PORT: '0',
    DATA: await dataFolder(join(folder, 'data')),
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'silent',
  }
  const server = startCli(cli, ['serve', '--welcome'], settings)
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await rm(folder, { recursive: true, force: true })
  })
  const url = await server.printed(/ready on (\S+),/)
  const key = /wsk_\w{49}/.exec(server.stdout())?.[0] ?? ''
  const path = `/proc/${server.child.pid}/schedstat`
  // On Linux: nanoseconds of CPU time, of the first thread only.
  const processor = (): number | null =>
    existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : null
  return { url, key, processor }
}

/** Ids and cursors that the service returned, by the fields that accept them. */
type Known = Map<string, string[]>

/** Remembers the newest id of each kind from a response. */
function remember(known: Known, text: string): void {
  const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
  if (cursor !== undefined) known.set('cursor', [cursor])
  for (const [, field = '', id = ''] of text.matchAll(/"(\w+ID)":"([^"]{1,60})"/g)) {
    const fields =
      field === 'commentID' ? ['commentID', 'parentID'] : field === 'chatMessageID' ? ['messageID'] : [field]
    for (const name of fields) known.set(name, [...(known.get(name) ?? []).slice(-30), id])
  }
}

async function send({ url, key }: Site, drawn: Drawn, known: Known): Promise<Answered> {
  const { path, method, query, body } = drawn
  const headers = new Headers(drawn.headers)
  if (headers.get('authorization') === 'Bearer') headers.set('authorization', `Bearer ${key}`)
  const filled = Object.entries(query).map(([name, text]): [string, string] => [name, withIDs(text, known)])
  const search = new URLSearchParams(filled).toString()
  const isForm = body !== null && typeof body === 'object'
  if (isForm) headers.delete('content-type')
  const init = { method, headers, ...(body === null ? {} : { body: isForm ? formOf(body) : withIDs(body, known) }) }
  const response = await fetch(`${url}${path}${search === '' ? '' : `?${search}`}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/**
 * Sends a request and measures it. On a virtual machine the time that another machine takes counts as CPU time, so a costly
 * request is sent again, as a new one, and the least cost with the same status counts.
 */
async function measured(site: Site, drawn: Drawn, known: Known): Promise<{ answered: Answered; cost: number }> {
  const first = await timed(site, drawn, known)
  let { cost } = first
  const { 'idempotency-key': _, ...headers } = drawn.headers
  for (let attempt = 1; cost >= PROCESSOR_MILLISECONDS_MAX && attempt < ATTEMPTS; attempt += 1) {
    const again = await timed(site, { ...drawn, headers }, known)
    if (again.answered.status === first.answered.status) cost = Math.min(cost, again.cost)
  }
  return { answered: first.answered, cost }
}

async function timed(site: Site, drawn: Drawn, known: Known): Promise<{ answered: Answered; cost: number }> {
  const before = site.processor()
  const answered = await send(site, drawn, known)
  return { answered, cost: (site.processor() ?? 0) - (before ?? 0) }
}

function formOf({ name, content }: { readonly name: string; readonly content: string }): FormData {
  const form = new FormData()
  form.append('data', new Blob([Buffer.from(content, 'latin1')]), name)
  return form
}

async function timesBlocked({ url }: Site): Promise<number> {
  return Number(/^blockmark_event_loop_blocked_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
}

test('every response to every request matches the document, within 100 ms of CPU time', {
  timeout: 120_000 + REQUESTS * 60,
}, async () => {
  const site = await start()
  const raw: { components: { schemas: { Error: object } } } = JSON.parse(
    await (await fetch(`${site.url}/openapi.json`)).text(),
  )
  // The document is the server's own, and each generated request checks the fields that are read.
  const description = resolved(raw) as Description
  const judge = createJudge(resolved(raw, raw.components.schemas.Error) as object)
  // A page that ended after the id 7, until a real one is known.
  const known: Known = new Map([['cursor', [Buffer.from('7').toString('base64url')]]])
  const counts = new Map<string, number>()
  let [dearest, spent, count, slowest] = [0, 0, 0, '']
  const details = await fc.check(
    fc.asyncProperty(requestsOf(description), async (drawn) => {
      const { answered, cost } = await measured(site, drawn, known)
      remember(known, answered.text)
      const word = /"code":"(\w+)","message":"[^"]*","requestID"/.exec(answered.text)?.[1] ?? String(answered.status)
      counts.set(word, (counts.get(word) ?? 0) + 1)
      count += 1
      spent += cost
      if (cost > dearest) [dearest, slowest] = [cost, `${drawn.method} ${drawn.path}`]
      expect([judge(description.paths[drawn.path]?.[drawn.method.toLowerCase()], answered), answered.text]).toEqual([
        null,
        answered.text,
      ])
      if (answered.status === 200 && typeof drawn.body === 'string' && /\/post\w+$/.test(drawn.path))
        expect(validate(JSON.parse(withIDs(drawn.body, known)))).toEqual([])
      expect(cost).toBeLessThan(PROCESSOR_MILLISECONDS_MAX)
    }),
    { numRuns: REQUESTS, endOnFailure: REQUESTS < 1000, ...seeded },
  )
  const words = [...counts].toSorted(([, one], [, other]) => other - one).map(([word, times]) => `${times} ${word}`)
  const processor = `${(spent / count).toFixed(2)} ms of processor each, ${dearest.toFixed(0)} at most (${slowest})`
  console.log(
    `seed ${details.seed}: ${count} requests, ${words.join(', ')}; ${processor}; blocked ${await timesBlocked(site)} times`,
  )
  if (details.failed) expect.fail(`${details.errorInstance}\n${fc.defaultReportMessage(details)}`)
  // Enough requests succeed that the responses say something.
  for (const word of ['200', 'not_found', 'unauthorized', 'invalid_json', 'validation_failed', 'method_not_allowed']) {
    expect([word, counts.has(word)]).toEqual([word, true])
  }
})
