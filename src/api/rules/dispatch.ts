/**
 * Does the work of a request to an endpoint, for the server and for `blockmark/testing`. A write and the
 * response to its idempotency key are stored in one transaction.
 */

import { hash } from 'node:crypto'
import { endpoints } from '../contract/endpoints.js'
import { ApiError, type Detail, invalid } from '../contract/errors.js'
import { type ObjectSchema, read } from '../contract/schema.js'
import { sentences } from '../contract/sentences.js'
import type { EndpointName } from '../contract/types.js'
import { keyOf } from '../keys.js'
import type { Identity, Page, Rows, Store } from '../store/store.js'
import { checkType, parseJson, readBytes } from './body.js'
import { checkMessage, type FileReference, fileReferencesOf } from './message.js'
import { checkPeople, operations } from './operations.js'
import type { RateLimits } from './rate.js'
import type { TimeSlices } from './scheduler.js'
import type { IncomingRequest, ReceivedFile } from './types.js'

/** A request to an endpoint, and the parts of the service that it uses. */
export interface EndpointRequest {
  readonly endpoint: EndpointName
  readonly request: IncomingRequest
  /** The hash of the request's API key; null if the request has no well-formed API key. */
  readonly keyHash: Uint8Array | null
  /** The query of the request's URL. */
  readonly query: URLSearchParams
  readonly now: Date
  /** The headers of the response, to which `dispatch` adds some, also if the request fails. */
  readonly headers: Record<string, string>
  readonly slices: TimeSlices
  readonly store: Store
  /** The start of the URLs of pages. */
  readonly siteUrl: string
  readonly limits: RateLimits
  /** Reads the form of an upload to its end. */
  readonly receive: (request: IncomingRequest, organization: string) => Promise<ReceivedFile>
  /** Runs the given work, which reads a part of a list, after earlier work in a queue. Default: runs it at once. */
  readonly inQueue?: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** The text of a response, or the parts of a long list. A part is read from the store once the part before it was consumed. */
export type ResponseBody = string | AsyncGenerator<string, void>

/** A request whose bot is known. */
interface Call extends EndpointRequest {
  readonly bot: Identity
  /** The time at which the API key was checked. */
  readonly startedAt: Date
  /** The idempotency key. */
  readonly key: string | null
}

/**
 * Does the work of a request.
 *
 * @param endpointRequest - the request, and the parts of the service that it uses
 * @returns the response's body
 * @throws {ApiError} if the request is not valid or not allowed
 * @throws {StoreError} if the store fails
 */
export async function dispatch(endpointRequest: EndpointRequest): Promise<ResponseBody> {
  const { endpoint, request, slices, limits } = endpointRequest
  const bot = await authenticate(endpointRequest)
  // The time is read after the query: a bucket whose time goes back would fill up twice.
  const { now } = endpointRequest
  Object.assign(endpointRequest.headers, limits.take(bot.botID, endpoint === 'upload', now))
  let chargedMilliseconds = 0
  const charge = (): void => {
    limits.charge(bot.botID, now, slices.milliseconds, chargedMilliseconds)
    chargedMilliseconds = slices.milliseconds
  }
  try {
    // The request is not copied: V8 takes long to spread an object of this size.
    const call: Call = Object.assign(endpointRequest, { bot, startedAt: now, key: readKey(request, endpoint) })
    const { body, bodyType, listedBy } = endpoints[endpoint]
    if (body === null) {
      // Some clients send a body to an endpoint that has none. The service reads it to its end, and ignores it.
      if (request.body !== null) await readBytes(request)
      if (listedBy !== null) return await respondWithList(call, listedBy, charge)
      return resultText(await operate(call, call.store.rows(bot.organization), {}))
    }
    checkType(request, endpoint)
    if (bodyType === 'application/json') return await respondToJson(call, body, await readBytes(request))
    return await respondToUpload(call, await endpointRequest.receive(request, bot.organization))
  } finally {
    charge()
  }
}

/** The challenge of a 401 response: at least one parameter must follow the scheme (RFC 6750, 3). */
const CHALLENGE = 'Bearer realm="blockmark"'

/** Finds the bot of a request. Throws `unauthorized`. */
export async function authenticate({
  request,
  keyHash,
  now,
  store,
}: Pick<EndpointRequest, 'request' | 'keyHash' | 'now' | 'store'>): Promise<Identity> {
  const bot = keyHash === null ? null : await store.identify(keyHash, now)
  if (bot !== null && bot !== 'suspended') return bot
  const isInvalid = bot === null && keyOf(request.headers.get('authorization')) !== undefined
  throw new ApiError('unauthorized', bot === 'suspended' ? sentences.suspended : sentences.missingKey, {
    headers: { 'www-authenticate': isInvalid ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
  })
}

/** Milliseconds after which the API key of a request is checked again. */
const LONG_MILLISECONDS = 1000

/** Checks the API key of a long request again: it may have been revoked while the body arrived, or while a list was read. */
async function authenticateAgain(call: Call): Promise<void> {
  if (call.now.getTime() - call.startedAt.getTime() > LONG_MILLISECONDS) await authenticate(call)
}

const KEY_LENGTH_MAX = 255

/** Reads the Idempotency-Key header; null if it is absent or the endpoint only reads. Throws `invalid_request`. */
function readKey({ headers }: IncomingRequest, endpoint: EndpointName): string | null {
  const key = headers.get('idempotency-key')
  if (key === null || endpoints[endpoint].body === null) return null
  if (key.length >= 1 && key.length <= KEY_LENGTH_MAX) return key
  throw new ApiError('invalid_request', sentences.invalidIdempotencyKey(KEY_LENGTH_MAX))
}

async function respondToJson(call: Call, schema: ObjectSchema, bytes: Uint8Array): Promise<string> {
  // Problems are thrown after the lookup of the idempotency key: a key that another request has used is reported first.
  const readResult = await readBody(schema, bytes, call.slices).catch((error: unknown) => ({ error }))
  if (call.key === null && 'error' in readResult) throw readResult.error
  return perform(call, bytes, async (rows) => {
    if ('error' in readResult) throw readResult.error
    return operate(call, rows, readResult.body, readResult.files)
  })
}

async function respondToUpload(call: Call, received: ReceivedFile): Promise<string> {
  try {
    await authenticateAgain(call)
    // The file is stored before the transaction, because a storage may be slow.
    await received.keep()
    const fingerprint = `${received.hash}\n${received.name}`
    const text = await perform(call, fingerprint, (rows) => operate(call, rows, received))
    // The second call makes sure that the file data is still stored: cleanup may have removed it before a row referred to it.
    await received.keep()
    return text
  } finally {
    // If the temporary file cannot be removed, the request still succeeds, and the next start removes the file.
    await received.discard().catch(() => undefined)
  }
}

/** Does the work once for each idempotency key. Requests with the same idempotency key must have the same `fingerprint`. */
async function perform(
  call: Call,
  fingerprint: string | Uint8Array,
  work: (rows: Rows) => Promise<unknown>,
): Promise<string> {
  await authenticateAgain(call)
  const { endpoint, bot, key, store, now, headers } = call
  if (key === null) return store.write(bot.organization, async (rows) => resultText(await work(rows)))
  // The hashes are computed before the transaction, which holds a connection and may be repeated.
  // Only `key` may contain a line ending, so no two idempotency keys are written as the same text.
  const idempotencyKeyHash = hash('sha256', `${bot.botID}\n${endpoint}\n${key}`)
  const requestHash = hash('sha256', fingerprint)
  return store.write(bot.organization, async (rows) => {
    const earlierResponse = await rows.claimKey(idempotencyKeyHash, now)
    if (earlierResponse === 'busy') {
      throw new ApiError('idempotency_in_progress', sentences.firstIsRunning, { headers: { 'retry-after': '1' } })
    }
    if (earlierResponse === null) {
      const text = resultText(await work(rows))
      await rows.keepResponse(idempotencyKeyHash, { requestHash, answer: text, createdAt: now })
      return text
    }
    if (earlierResponse.requestHash !== requestHash) throw new ApiError('idempotency_mismatch', sentences.otherRequest)
    headers['idempotent-replayed'] = 'true'
    return earlierResponse.answer
  })
}

/** Reads a JSON body and the files that its message names. Throws one error with all problems of the body. */
async function readBody(
  schema: ObjectSchema,
  bytes: Uint8Array,
  slices: TimeSlices,
): Promise<{ readonly body: object; readonly files: readonly FileReference[] }> {
  const value = await parseJson(bytes, slices)
  const { body, problems: fieldProblems } = await slices.run(bytes.byteLength, () => read(schema, value))
  const check = (): Detail[] => [...checkMessage(body), ...checkPeople(body)]
  const problems = [...fieldProblems, ...(await slices.run(bytes.byteLength, check))]
  if (problems.length > 0) throw invalid(problems)
  return { body, files: await fileReferencesOf(body, slices) }
}

/** Runs the operation of an endpoint on its input. */
function operate(
  { endpoint, bot, siteUrl, now }: Call,
  rows: Rows,
  input: object,
  files: readonly FileReference[] = [],
): Promise<unknown> {
  // The cast is safe: a body was read by the endpoint's schema, whose fields the compiler compares with the type.
  return operations[endpoint]({ rows, bot, siteUrl, now, files }, input as never)
}

function resultText(result: unknown): string {
  return JSON.stringify({ ok: true, result })
}

/** Responds with a list or a part of it. `listedBy` is the field that the list is sorted by. */
async function respondWithList(call: Call, listedBy: string, charge: () => void): Promise<ResponseBody> {
  const { text, next } = await partOf(call, listedBy, pageOf(call.query), true)
  const first = { text: `{"ok":true,"result":[${text}`, next }
  return next === null ? first.text : partsOf(call, listedBy, first, charge)
}

const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000

/** Returns the requested part of a list: the whole list if the query has neither `limit` nor `cursor`. */
function pageOf(query: URLSearchParams): Page {
  const limit = query.get('limit')
  // Many clients send an empty cursor for the first page.
  const cursor = query.get('cursor') || null
  if (limit === null && cursor === null) return { after: '0', count: Number.POSITIVE_INFINITY }
  const count = limit === null ? PAGE_SIZE : /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > PAGE_SIZE_MAX) throw new ApiError('invalid_request', sentences.invalidLimit(PAGE_SIZE_MAX))
  const after = cursor === null ? '0' : Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,16}$/.test(after)) throw new ApiError('invalid_request', sentences.invalidCursor)
  return { after, count }
}

/** The text of a part, and the page with the rest of the list, which is null after the last part. */
interface Part {
  readonly text: string
  readonly next: Page | null
}

/** ROWS_PER_PART is the number of rows in one part. ROWS_PER_SLICE is the number of rows that are written without a pause. */
const ROWS_PER_PART = 200
const ROWS_PER_SLICE = 20

/** Characters of JSON that are written in the time in which one character of a message is parsed. */
const LENGTH_PER_SLICE_BYTE = 32

/** Reads a part of a list, and returns it as JSON. */
async function partOf(call: Call, listedBy: string, { after, count }: Page, isFirst: boolean): Promise<Part> {
  await authenticateAgain(call)
  const { bot, store, slices, inQueue = (work) => work() } = call
  const size = Math.min(count, ROWS_PER_PART)
  // One more row is read than is shown, to find out whether another part follows.
  const result = await inQueue(() => operate(call, store.rows(bot.organization), { after, count: size + 1 }))
  // The cast is safe: the result of an endpoint with `listedBy` is a list of records.
  const rows = result as readonly Readonly<Record<string, unknown>>[]
  let text = ''
  for (let at = 0; at < Math.min(rows.length, size); at += ROWS_PER_SLICE) {
    const group = rows.slice(at, Math.min(at + ROWS_PER_SLICE, size))
    const items = await slices.run(0, () => group.map((row) => JSON.stringify(row)).join())
    await slices.spend(items.length / LENGTH_PER_SLICE_BYTE)
    // The comma is written before later rows, not after earlier ones: the later rows may have been deleted meanwhile.
    text += isFirst && at === 0 ? items : `,${items}`
  }
  if (rows.length <= size) return { text: `${text}]}`, next: null }
  const last = String(rows[size - 1]?.[listedBy])
  if (count !== size) return { text, next: { after: last, count: count - size } }
  return { text: `${text}],"nextCursor":"${Buffer.from(last).toString('base64url')}"}`, next: null }
}

/** Yields all parts of a list. The bot is charged for each part before the client gets it. */
async function* partsOf(call: Call, listedBy: string, part: Part, charge: () => void): AsyncGenerator<string, void> {
  for (;;) {
    yield part.text
    if (part.next === null) return
    // The parameter is reassigned, so that only one part is in memory while the client reads slowly or not at all.
    part = await partOf(call, listedBy, part.next, false)
    charge()
  }
}
