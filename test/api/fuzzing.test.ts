/**
 * Requests generated from the table of endpoints: valid, nearly valid and invalid ones. None makes the service fail, and
 * every response matches the OpenAPI document. `REQUESTS=50000` sets their number, `SEED` repeats a run.
 */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validate } from '../../src/index.js'
import { seeded } from '../properties/property.js'
import { sharedBackend } from './support/backends.js'
import { anyRequest, type GeneratedRequest, withIDs } from './support/requests.js'
import { type Bot, createWorld, SITE } from './support/world.js'

const environment: { REQUESTS?: string } = process.env
const REQUESTS = Number(environment.REQUESTS ?? 400)

const { backend, folder } = await sharedBackend()

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

function requestOf(
  { path, method, query, body, headers: drawn }: GeneratedRequest,
  { key }: Bot,
  known: Known,
): Request {
  const headers = new Headers(drawn)
  if (headers.get('authorization') === 'Bearer') headers.set('authorization', `Bearer ${key}`)
  const url = new URL(path, SITE)
  for (const [name, text] of Object.entries(query)) url.searchParams.set(name, withIDs(text, known))
  if (body === null || typeof body === 'string') {
    return new Request(url, { method, headers, body: body === null ? null : withIDs(body, known) })
  }
  const form = new FormData()
  form.append('data', new Blob([Buffer.from(body.content, 'latin1')]), body.name)
  headers.delete('content-type')
  return new Request(url, { method, headers, body: form })
}

test('every response to every request matches the document', async () => {
  // The world compares each response with the document.
  const here = await createWorld(backend, folder)
  const bot = await here.bot('First')
  // A page that ended after the id 7, until a real one is known.
  const known: Known = new Map([['cursor', [Buffer.from('7').toString('base64url')]]])
  const codes = new Set<string>()
  const property = fc.asyncProperty(anyRequest(), async (drawn) => {
    const response = await here.fetch(requestOf(drawn, bot, known))
    const { status } = response
    const text = await response.text()
    remember(known, text)
    codes.add(/"code":"(\w+)","message":"[^"]*","requestID"/.exec(text)?.[1] ?? String(status))
    expect([status < 500, text]).toEqual([true, text])
    if (status === 200 && typeof drawn.body === 'string' && /\/post\w+$/.test(drawn.path)) {
      expect(validate(JSON.parse(withIDs(drawn.body, known)))).toEqual([])
    }
  })
  await fc.assert(property, { numRuns: REQUESTS, endOnFailure: REQUESTS < 1000, ...seeded })
  // The requests cause each common kind of response, so the test is not vacuous.
  expect([...codes]).toEqual(
    expect.arrayContaining([
      ...['200', 'not_found', 'unauthorized', 'invalid_json', 'validation_failed', 'method_not_allowed'],
    ]),
  )
})
