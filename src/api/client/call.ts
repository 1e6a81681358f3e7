/** One call: its attempts, the pauses between them, and its outcome. */

import { notify, untilAborted } from '../../chunks.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { BlockmarkApiError, type Failure } from './errors.js'
import type { Fetch, Limit, ResponseHeaders } from './options.js'
import { NoResponse, outcomeOf, type TextResponse, textOf } from './response.js'
import { TIMER_MAX, type WaitingClock } from './waiting.js'

/** The connection to the service that all calls of a client share. */
export interface Transport {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  /** Milliseconds from the first failure of a call to its last attempt. */
  readonly retryFor: number
  readonly timeout: number
  /** The clock for the pauses between attempts. */
  readonly clock: WaitingClock
  readonly onLimit: ((limit: Limit) => void) | undefined
}

/** The body of a request. */
export interface Content {
  readonly type: string
  readonly body: string | Blob
}

export interface Call {
  readonly endpoint: EndpointName
  /** Null if the call is a GET. */
  readonly content: Content | null
  readonly idempotencyKey?: string | undefined
  /** Whether the call posts a part of a longer message, whose method gives advice about failures itself. */
  readonly isPart?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Makes a call, and repeats it if that can help and cannot do anything twice. Throws BlockmarkApiError. */
export async function perform(transport: Transport, call: Call): Promise<unknown> {
  const key = call.content === null ? undefined : (call.idempotencyKey ?? randomKey())
  const headerKey = key === undefined ? undefined : await keyInHeader(key)
  const { endpoint, content } = call
  const unsent: Failure = {
    ...{ method: methodOf(content), endpoint, idempotencyKey: key, isUnknown: false },
    ...{ status: 0, code: 'connection_failed', reason: '', requestID: null, details: [] },
  }
  let isUnknown = false
  let deadline: number | undefined
  for (let attempt = 0; ; attempt += 1) {
    call.signal?.throwIfAborted()
    let response: TextResponse | null = null
    let canHelp = true
    let latest: Failure
    try {
      response = await send(transport, call, headerKey)
      const outcome = outcomeOf(response, unsent, (text) => withoutKey(transport, text))
      if (outcome.failure === null) return outcome.result
      ;({ failure: latest, canHelp } = outcome)
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      latest = { ...unsent, code: error.code, reason: error.message, cause: error.cause }
      canHelp = error.code !== 'invalid_response'
    }
    // The service may have done an earlier attempt, even if it rejected this one.
    isUnknown ||= mayBeDone(latest)
    const wait = waitBefore(attempt, response)
    if (response?.status === 429) notify(() => transport.onLimit?.({ wait }))
    const now = transport.clock.now()
    deadline ??= now + transport.retryFor
    call.signal?.throwIfAborted()
    if (!canHelp || now + wait >= deadline) {
      throw new BlockmarkApiError({ ...latest, isUnknown }, call.isPart !== true)
    }
    await transport.clock.until(now + wait, call.signal)
  }
}

/** Whether the service may have done a call: its response did not come, or reports a failure of the server. */
function mayBeDone({ method, status, code }: Failure): boolean {
  const isSuccess = status >= 200 && status < 300
  return method === 'POST' && (status === 0 || isSuccess || status >= 500 || code === 'idempotency_in_progress')
}

/** Idempotency keys that a header can carry unchanged: visible ASCII, with spaces only inside. */
const HEADER_KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/

/** Returns the idempotency key for the header: the key itself, or its hash if a header cannot carry it. */
async function keyInHeader(key: string): Promise<string> {
  if (HEADER_KEY.test(key)) return key
  // In JSON, different keys stay different: UTF-8 alone would make all lone surrogates equal.
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(key)))
  return `sha256-${hexOf(new Uint8Array(hash))}`
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns 128 random bits in hexadecimal. Some runtimes that have `fetch` lack `randomUUID`. */
function randomKey(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)))
}

/** Makes one attempt, and removes its timer and its listener at the end. */
async function send(transport: Transport, call: Call, key: string | undefined): Promise<TextResponse> {
  const { signal } = call
  const limit = call.endpoint === 'upload' ? Number.POSITIVE_INFINITY : transport.timeout
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  const expire = (): void => controller.abort(new NoResponse('timeout', `no response came within ${limit} ms`))
  const timer = limit <= TIMER_MAX ? setTimeout(expire, limit) : undefined
  signal?.addEventListener('abort', stop, { once: true })
  try {
    signal?.throwIfAborted()
    // `untilAborted` ends the wait, because some implementations of `fetch` ignore their signal.
    return await untilAborted(request(transport, call, key, controller.signal), controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof NoResponse) throw error
    throw new NoResponse('connection_failed', withoutKey(transport, reasonsOf(error)), causeOf(transport, error))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function request(
  transport: Transport,
  { endpoint, content }: Call,
  key: string | undefined,
  signal: AbortSignal,
): Promise<TextResponse> {
  const headers: Record<string, string> = { authorization: `Bearer ${transport.apiKey}` }
  if (content !== null) headers['content-type'] = content.type
  if (key !== undefined) headers['idempotency-key'] = key
  const response = await transport.fetch(`${transport.baseUrl}${PATH_PREFIX}${endpoint}`, {
    method: methodOf(content),
    headers,
    body: content?.body ?? null,
    signal,
    // A redirect would send the API key to another URL, or turn a POST into a GET.
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await textOf(response) }
}

function methodOf(content: Content | null): 'GET' | 'POST' {
  return content === null ? 'GET' : 'POST'
}

const CAUSES_MAX = 5

/** Joins an error's message with those of its causes: `fetch failed` alone says nothing. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < CAUSES_MAX; each = each.cause) {
    reasons.push(each.message)
  }
  return reasons.filter((reason) => reason !== '').join(': ') || String(error)
}

/** Copies an error with its code and its causes, but without other properties and the API key, which may be in any of them. */
function causeOf(transport: Transport, error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth === CAUSES_MAX) return undefined
  const { name, message, cause }: Error = error
  const copy = new Error(withoutKey(transport, message), { cause: causeOf(transport, cause, depth + 1) })
  const code = 'code' in error && typeof error.code === 'string' ? { code: withoutKey(transport, error.code) } : {}
  return Object.assign(copy, { name }, code)
}

/** Minimum length of an API key that is removed from texts: a shorter one may be an ordinary word. */
const KEY_LENGTH_MIN = 8

function withoutKey({ apiKey }: Transport, text: string): string {
  return apiKey.length < KEY_LENGTH_MIN ? text : text.replaceAll(apiKey, '[API key]')
}

const FIRST_WAIT = 200
const WAIT_MAX = 5_000

/** Milliseconds before the next attempt: as the server asks, otherwise twice as long each time. */
function waitBefore(attempt: number, response: TextResponse | null): number {
  const seconds = response === null ? undefined : retryAfter(response.headers)
  if (seconds !== undefined) return seconds * 1000 + Math.random() * FIRST_WAIT
  return Math.min(WAIT_MAX, FIRST_WAIT * 2 ** attempt) * (0.5 + Math.random() / 2)
}

/** Reads the seconds of Retry-After; undefined if a response has none. */
function retryAfter(headers: ResponseHeaders): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const time = Date.parse(value)
  // A date is relative to the server's clock.
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? undefined : Math.max(0, time - (Number.isNaN(now) ? Date.now() : now)) / 1000
}
