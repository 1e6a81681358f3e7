/** The endpoints: who asks, what they ask, and once where a key says so. */

import { createHash } from 'node:crypto'
import { endpointNames, endpoints } from '../contract/endpoints.js'
import { ApiError, invalid, notFound } from '../contract/errors.js'
import { type ObjectSchema, read } from '../contract/schema.js'
import { sentences } from '../contract/sentences.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { hashOfKey } from '../keys.js'
import { type Identity, KEPT_MILLISECONDS, type KeyScope, type Page, type Rows } from '../store/store.js'
import { errorAnswer, errorOf, listText, okAnswer } from './answer.js'
import { mediaTypeOf, parseJson, readBytes, readJsonBytes, refuseCoding } from './body.js'
import { checkMessage } from './message.js'
import type { Context } from './operations/context.js'
import { operations } from './operations/index.js'
import { checkPeople } from './operations/people.js'
import type { Answer, Api, Exchange, IncomingRequest, ReceivedFile } from './options.js'
import type { RateHeaders } from './rate.js'

/** Path → endpoint, both spellings of those that have two. */
const routes: ReadonlyMap<string, EndpointName> = new Map(
  endpointNames.flatMap((name) => endpoints[name].paths.map((path) => [PATH_PREFIX + path, name])),
)

/** Answers a request to an endpoint; null where the path is none of the API's. */
export async function answerApi(api: Api, exchange: Exchange): Promise<Answer | null> {
  const { pathname } = exchange.url
  if (!pathname.startsWith(PATH_PREFIX)) return null
  const name = routes.get(pathname)
  if (name === undefined) throw notFound('endpoint')
  exchange.endpoint = name
  const { methods } = endpoints[name]
  if (!methods.some((method) => method === exchange.request.method)) {
    const allow = methods.join(', ')
    throw new ApiError('method_not_allowed', sentences.noMethod(allow), { headers: { allow } })
  }
  const bot = await authenticate(api, exchange)
  const limits = api.limits.take(`${bot.organization} ${bot.botID}`, name === 'upload', exchange.now)
  try {
    return await answerBot(api, exchange, name, bot, limits)
  } catch (thrown) {
    exchange.error = thrown
    return errorAnswer(errorOf(thrown), exchange.requestID, limits)
  }
}

/** The scheme is followed by at least one parameter (RFC 6750, 3). */
const CHALLENGE = 'Bearer realm="blockmark"'

/** Finds whose key a request carries. Throws `unauthorized`. */
export async function authenticate(api: Api, exchange: Exchange): Promise<Identity> {
  const key = /^bearer +(\S+) *$/i.exec(exchange.request.headers.get('authorization') ?? '')?.[1]
  const hash = key === undefined ? null : hashOfKey(key)
  const bot = hash === null ? null : await api.store.identify(hash, exchange.now)
  if (bot === null) {
    throw new ApiError('unauthorized', sentences.noKey, {
      headers: { 'www-authenticate': key === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"` },
    })
  }
  exchange.organization = bot.organization
  exchange.botID = bot.botID
  return bot
}

/** A request that has arrived to its end. */
interface Call {
  /** Says what it asks for, or throws all that is wrong with it. */
  read(): Promise<object>
  /** What makes two requests the same. */
  readonly sameness: string | Uint8Array
  readonly received: ReceivedFile | null
}

async function answerBot(
  api: Api,
  exchange: Exchange,
  name: EndpointName,
  bot: Identity,
  limits: RateHeaders,
): Promise<Answer> {
  const scope = scopeOf(exchange.request, name, bot)
  const page = pageOf(exchange.url, name)
  const call = await readCall(api, exchange, name, bot)
  try {
    const perform = (rows: Rows, body: object): Promise<string> => {
      const context: Context = { rows, bot, page, now: exchange.now, site: api.siteUrl, received: call.received }
      return resultText(name, context, body)
    }
    if (scope !== null)
      return await answerOnce(api, { now: exchange.now, organization: bot.organization }, scope, call, perform, limits)
    const body = await call.read()
    const isReading = endpoints[name].body === null
    const run = isReading ? api.store.read : api.store.write
    return okAnswer(await run(bot.organization, (rows) => perform(rows, body)), limits)
  } finally {
    // What can not be forgotten now is found by the next start, and makes nothing of what was done undone.
    await call.received?.discard().catch(() => undefined)
  }
}

async function readCall(api: Api, exchange: Exchange, name: EndpointName, bot: Identity): Promise<Call> {
  const { body: schema, bodyType } = endpoints[name]
  const { request, url } = exchange
  if (schema === null) return readList(request, url)
  if (bodyType === 'multipart/form-data') {
    if (mediaTypeOf(request) !== bodyType) throw new ApiError('unsupported_media_type', sentences.noForm)
    refuseCoding(request)
    const received = await api.files.receive(request, bot.organization)
    return { read: async () => ({}), sameness: `${received.hash}\n${received.name}`, received }
  }
  const bytes = await readJsonBytes(request)
  return { read: () => readBody(schema, bytes), sameness: bytes, received: null }
}

/** A list takes no body; what some clients send with it says only whether two requests are the same. */
async function readList(request: IncomingRequest, { search }: URL): Promise<Call> {
  const bytes = request.method === 'POST' ? await readBytes(request) : new Uint8Array()
  return { read: async () => ({}), sameness: Buffer.concat([Buffer.from(`${search}\n`), bytes]), received: null }
}

async function readBody(schema: ObjectSchema, bytes: Uint8Array): Promise<object> {
  const reading = read(schema, await parseJson(bytes))
  // Of an object an object's schema makes an object.
  const body = reading.value as object
  const problems = [...reading.problems, ...checkMessage(body), ...checkPeople(body)]
  if (problems.length > 0) throw invalid(problems)
  return body
}

async function resultText(name: EndpointName, context: Context, body: object): Promise<string> {
  // The body was read by the schema of the same endpoint, whose fields the compiler compares with the type's.
  const result: unknown = await operations[name](context, body as never)
  if (!Array.isArray(result)) return JSON.stringify({ ok: true, result })
  const { count } = context.page
  // One more than asked for was read, to know whether there is a next page.
  const items = result.slice(0, (count ?? Number.POSITIVE_INFINITY) - 1)
  const text = `{"ok":true,"result":[${await listText(items)}]`
  if (items.length === result.length) return `${text}}`
  const last: Record<string, unknown> = { ...items.at(-1) }
  const nextCursor = Buffer.from(String(last[endpoints[name].listedBy ?? ''])).toString('base64url')
  return `${text},"nextCursor":"${nextCursor}"}`
}

const KEY_LENGTH_MAX = 255

function scopeOf(request: IncomingRequest, name: EndpointName, bot: Identity): KeyScope | null {
  const key = request.headers.get('idempotency-key')
  if (key === null || request.method !== 'POST') return null
  if (key.length < 1 || key.length > KEY_LENGTH_MAX) {
    throw new ApiError('invalid_request', sentences.noIdempotencyKey(KEY_LENGTH_MAX))
  }
  return { botID: bot.botID, endpoint: name, key }
}

/** Does what the key stands for, unless it was done; its answer is kept in the transaction of the work itself. */
async function answerOnce(
  api: Api,
  { now, organization }: Pick<Context, 'now'> & Pick<Identity, 'organization'>,
  scope: KeyScope,
  call: Call,
  perform: (rows: Rows, body: object) => Promise<string>,
  limits: RateHeaders,
): Promise<Answer> {
  const requestHash = createHash('sha256').update(call.sameness).digest('hex')
  let isReplay = false
  const text = await api.store.write(organization, async (rows) => {
    const kept = await rows.claimKey(scope)
    if (kept === 'busy')
      throw new ApiError('idempotency_in_progress', sentences.firstUnderWay, { headers: { 'retry-after': '1' } })
    isReplay = kept !== null && now.getTime() - kept.createdAt.getTime() < KEPT_MILLISECONDS
    if (kept !== null && isReplay) {
      if (kept.requestHash === requestHash) return kept.answer
      throw new ApiError('idempotency_mismatch', sentences.otherRequest)
    }
    const answer = await perform(rows, await call.read())
    await rows.keepAnswer(scope, { requestHash, answer, createdAt: now })
    return answer
  })
  return okAnswer(text, isReplay ? { ...limits, 'idempotent-replayed': 'true' } : limits)
}

const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000

/** What part of a list is asked for: all of it, where neither `limit` nor `cursor` is there. */
function pageOf(url: URL, name: EndpointName): Page {
  const limit = url.searchParams.get('limit')
  const cursor = url.searchParams.get('cursor')
  if (endpoints[name].listedBy === null || (limit === null && cursor === null)) return { after: null, count: null }
  const size = limit === null ? PAGE_SIZE : /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (size < 1 || size > PAGE_SIZE_MAX) throw new ApiError('invalid_request', sentences.noPageSize(PAGE_SIZE_MAX))
  const after = cursor === null ? null : Buffer.from(cursor, 'base64url').toString()
  if (after !== null && !/^\d{1,16}$/.test(after)) throw new ApiError('invalid_request', sentences.noCursor)
  return { after, count: size + 1 }
}
