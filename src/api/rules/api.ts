/** The endpoints: authentication, the request, and work that is done once for each idempotency key. */

import { createHash } from 'node:crypto'
import { endpointNames, endpoints, methodsOf, pathsOf } from '../contract/endpoints.js'
import { ApiError, type Detail, invalid, notFound } from '../contract/errors.js'
import { type ObjectSchema, read } from '../contract/schema.js'
import { sentences } from '../contract/sentences.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { hashOfKey } from '../keys.js'
import type { Identity, KeyScope, Page, Rows } from '../store/store.js'
import { mediaTypeOf, parseJson, readBytes, readJsonBytes, refuseCoding } from './body.js'
import { answerList, type Read } from './list.js'
import { checkMessage, type FileReference, fileReferencesOf } from './message.js'
import { operations } from './operations/index.js'
import { checkPeople } from './operations/people.js'
import { limitedAs, type RateHeaders } from './rate.js'
import { errorOf, errorResponse, okResponse } from './response.js'
import type { TimeSlices } from './scheduler.js'
import type { Api, IncomingRequest, OperationContext, ReceivedFile, RequestContext, ServiceResponse } from './types.js'

/** Path → endpoint, both spellings of those that have two. */
const routes: ReadonlyMap<string, EndpointName> = new Map(
  endpointNames.flatMap((name) => pathsOf(name).map((path) => [path, name])),
)

/** Responds to a request to an endpoint; null if the path does not belong to the API. */
export async function answerApi(api: Api, exchange: RequestContext): Promise<ServiceResponse | null> {
  const { pathname } = exchange.url
  if (!pathname.startsWith(PATH_PREFIX)) return null
  const name = routes.get(pathname)
  if (name === undefined) throw notFound('endpoint')
  exchange.endpoint = name
  const methods = methodsOf(name)
  if (!methods.includes(exchange.request.method)) {
    const allow = methods.join(', ')
    throw new ApiError('method_not_allowed', sentences.noMethod(allow), { headers: { allow } })
  }
  const bot = await authenticate(api, exchange)
  const who = limitedAs(bot.organization, bot.botID)
  const limits = api.limits.take(who, name === 'upload', exchange.now)
  try {
    return await answerBot(api, exchange, name, bot, limits)
  } catch (thrown) {
    exchange.error = thrown
    return errorResponse(errorOf(thrown), exchange.requestID, limits)
  } finally {
    api.limits.charge(who, exchange.now, exchange.slices.milliseconds)
  }
}

/** The scheme is followed by at least one parameter (RFC 6750, 3). */
const CHALLENGE = 'Bearer realm="blockmark"'

/** The hash of the API key that a request has; null if it has none that could exist. */
export function keyHashOf(request: IncomingRequest): Buffer | null {
  return hashOfKey(keyOf(request) ?? '')
}

function keyOf({ headers }: IncomingRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
}

/** Finds the bot of a request's API key. Throws `unauthorized`. */
export async function authenticate(api: Api, exchange: RequestContext): Promise<Identity> {
  const key = keyOf(exchange.request)
  const hash = keyHashOf(exchange.request)
  const bot = hash === null ? null : await api.store.identify(hash, exchange.now)
  if (bot === 'suspended')
    throw new ApiError('unauthorized', sentences.suspended, { headers: { 'www-authenticate': CHALLENGE } })
  if (bot === null) {
    throw new ApiError('unauthorized', sentences.noKey, {
      headers: { 'www-authenticate': key === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"` },
    })
  }
  exchange.organization = bot.organization
  exchange.botID = bot.botID
  return bot
}

/** A request that has arrived to its end, and was checked. */
interface Call {
  /** The valid request, or the error with all of its problems. */
  readonly asked: Asked | { readonly error: unknown }
  /** Two requests with the same bytes here are the same. */
  readonly sameness: string | Uint8Array
  readonly received: ReceivedFile | null
}

interface Asked {
  readonly body: object
  /** The files that the message of the body names. */
  readonly files: readonly FileReference[]
}

const NOTHING_ASKED: Asked = { body: {}, files: [] }

async function answerBot(
  api: Api,
  exchange: RequestContext,
  name: EndpointName,
  bot: Identity,
  limits: RateHeaders,
): Promise<ServiceResponse> {
  const { request, url, now, slices } = exchange
  const context = { bot, now, site: api.siteUrl }
  if (endpoints[name].body === null) {
    const page = pageOf(url, name)
    // A list takes no body, but some clients send one.
    if (request.method === 'POST') await readBytes(request)
    const perform = (part: Page): Promise<unknown> =>
      api.store.read(bot.organization, (rows) =>
        operate(name, { ...context, ...{ rows, files: [], received: null, page: part } }, {}),
      )
    const { listedBy } = endpoints[name]
    if (listedBy === null) return okResponse(resultText(await perform(page)), limits)
    const charge = (earlier: number): void =>
      api.limits.charge(limitedAs(bot.organization, bot.botID), now, slices.milliseconds, earlier)
    const inTurn = api.inTurn ?? ((work) => work())
    // An endpoint whose result is listed by an id has a list of records as its result.
    const read: Read = (part) => inTurn(() => perform(part)) as ReturnType<Read>
    return answerList({ read, page, listedBy, slices, charge }, limits)
  }
  const scope = scopeOf(request, name, bot)
  const call = await readCall(api, exchange, name, bot)
  const { asked, received } = call
  const perform = async (rows: Rows): Promise<string> => {
    if ('error' in asked) throw asked.error
    const { body, files } = asked
    return resultText(await operate(name, { ...context, rows, files, received, page: NO_PAGE }, body))
  }
  try {
    // Storing takes as long as the storage needs, so it comes before the transaction.
    await received?.keep()
    if (scope === null && 'error' in asked) throw asked.error
    const found =
      scope === null
        ? okResponse(await api.store.write(bot.organization, perform), limits)
        : await answerOnce(api, { now, organization: bot.organization }, scope, call, perform, limits)
    // Since the upload, cleanup may have removed the same file data because no row referred to it. Now a row does.
    await received?.keep()
    return found
  } finally {
    // A temporary file that cannot be removed now is removed by the next start; the work is done all the same.
    await received?.discard().catch(() => undefined)
  }
}
async function readCall(api: Api, exchange: RequestContext, name: EndpointName, bot: Identity): Promise<Call> {
  const { body: schema, bodyType } = endpoints[name]
  const { request, slices } = exchange
  if (bodyType === 'multipart/form-data') {
    if (mediaTypeOf(request) !== bodyType) throw new ApiError('unsupported_media_type', sentences.noForm)
    refuseCoding(request)
    const received = await api.files.receive(request, bot.organization)
    return { asked: NOTHING_ASKED, sameness: `${received.hash}\n${received.name}`, received }
  }
  const bytes = await readJsonBytes(request)
  // Thrown only after the idempotency key was looked up: another request with the same one is a mismatch first.
  const asked = await readBody(schema, bytes, slices).catch((error: unknown) => ({ error }))
  return { asked, sameness: bytes, received: null }
}

async function readBody(schema: ObjectSchema | null, bytes: Uint8Array, slices: TimeSlices): Promise<Asked> {
  const value = await parseJson(bytes, slices)
  if (schema === null) return NOTHING_ASKED
  const reading = await slices.take(bytes.byteLength, () => read(schema, value))
  // Reading an object with an object schema always returns an object.
  const body = reading.value as object
  const check = (): Detail[] => [...checkMessage(body), ...checkPeople(body)]
  const problems = [...reading.problems, ...(await slices.take(bytes.byteLength, check))]
  if (problems.length > 0) throw invalid(problems)
  return { body, files: await fileReferencesOf(body, slices) }
}

function operate(name: EndpointName, context: OperationContext, body: object): Promise<unknown> {
  // The body was read by the schema of the same endpoint, whose fields the compiler compares with the type's.
  return operations[name](context, body as never)
}

function resultText(result: unknown): string {
  return JSON.stringify({ ok: true, result })
}

const KEY_LENGTH_MAX = 255

function scopeOf(request: IncomingRequest, name: EndpointName, bot: Identity): KeyScope | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || request.method !== 'POST' || endpoints[name].body === null) return null
  if (key.length < 1 || key.length > KEY_LENGTH_MAX) {
    throw new ApiError('invalid_request', sentences.noIdempotencyKey(KEY_LENGTH_MAX))
  }
  return { botID: bot.botID, endpoint: name, key }
}

/** Does the work of an idempotency key once; the response is stored in the same transaction as the work. */
async function answerOnce(
  api: Api,
  { now, organization }: Pick<OperationContext, 'now'> & Pick<Identity, 'organization'>,
  scope: KeyScope,
  call: Call,
  perform: (rows: Rows) => Promise<string>,
  limits: RateHeaders,
): Promise<ServiceResponse> {
  const requestHash = createHash('sha256').update(call.sameness).digest('hex')
  let isReplay = false
  const text = await api.store.write(organization, async (rows) => {
    const kept = await rows.claimKey(scope, now)
    if (kept === 'busy')
      throw new ApiError('idempotency_in_progress', sentences.firstIsRunning, { headers: { 'retry-after': '1' } })
    isReplay = kept !== null
    if (kept !== null) {
      if (kept.requestHash === requestHash) return kept.answer
      throw new ApiError('idempotency_mismatch', sentences.otherRequest)
    }
    const answer = await perform(rows)
    await rows.keepResponse(scope, { requestHash, answer, createdAt: now })
    return answer
  })
  return okResponse(text, isReplay ? { ...limits, 'idempotent-replayed': 'true' } : limits)
}

/** The context of an endpoint that lists nothing. */
const NO_PAGE: Page = { after: null, count: null }

const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000

/** The part of a list that a request asks for: all of it if it has neither `limit` nor `cursor`. */
function pageOf(url: URL, name: EndpointName): Page {
  const limit = url.searchParams.get('limit')
  // Many clients send an empty cursor for the first page.
  const cursor = url.searchParams.get('cursor') || null
  if (endpoints[name].listedBy === null || (limit === null && cursor === null)) return NO_PAGE
  const size = limit === null ? PAGE_SIZE : /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (size < 1 || size > PAGE_SIZE_MAX) throw new ApiError('invalid_request', sentences.noPageSize(PAGE_SIZE_MAX))
  const after = cursor === null ? null : Buffer.from(cursor, 'base64url').toString()
  if (after !== null && !/^\d{1,16}$/.test(after)) throw new ApiError('invalid_request', sentences.noCursor)
  return { after, count: size }
}
