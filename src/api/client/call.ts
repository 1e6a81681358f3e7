/** One call: its attempts, the pauses between them, and its outcome. */

import { notify, untilAborted } from '../../chunks.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { BlockmarkApiError, inField } from './errors.js'
import type { ClientOptions } from './options.js'
import { type Failure, noResponse, type Outcome, outcomeOf } from './response.js'
import { TIMER_MAX, type WaitingClock } from './waiting.js'

/** The connection to the service that all calls of a client share. */
export interface Transport extends Required<Pick<ClientOptions, 'apiKey' | 'fetch' | 'retryFor' | 'timeout'>> {
  readonly baseUrl: string
  readonly onLimit: ClientOptions['onLimit'] | undefined
  /** The clock for the pauses between attempts. */
  readonly clock: WaitingClock
  /** The time of the first try of each message of `sendAll` and `sendStream`, by its method and idempotency key. */
  readonly startTimes: Map<string, number>
}

/** The body of a request. */
export interface Content {
  readonly type: string
  readonly body: string | Blob
}

/** Serializes a body once for all attempts, because the service recognizes a repeated request by the bytes of its body. */
export function jsonOf(method: EndpointName, body: object): Content {
  return { type: 'application/json', body: inField(method, 'body', () => JSON.stringify(body)) }
}

export interface Call {
  readonly endpoint: EndpointName
  /** The body; null if the call is a GET. */
  readonly content: Content | null
  readonly idempotencyKey?: string | undefined
  /** Whether the call posts a part of a longer message. Errors omit the part's idempotency key, which the caller does not know. */
  readonly isPart?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Makes a call, and repeats it if that can help and cannot do anything twice. Throws BlockmarkApiError. */
export async function perform(transport: Transport, call: Call): Promise<unknown> {
  const { endpoint, content, signal } = call
  const method = content === null ? 'GET' : 'POST'
  const idempotencyKey = content === null ? undefined : (call.idempotencyKey ?? randomKey())
  const headers: Record<string, string> = { authorization: `Bearer ${transport.apiKey}` }
  if (content !== null) headers['content-type'] = content.type
  if (idempotencyKey !== undefined) headers['idempotency-key'] = await keyInHeader(idempotencyKey)
  let isUnknown = false
  let deadline: number | undefined
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await send(transport, call, { method, headers, body: content?.body ?? null })
    if ('result' in outcome) return outcome.result
    const { isTemporary, retryAfter, ...failure } = outcome
    // An earlier attempt may have succeeded, even if the service rejected this one.
    isUnknown ||= method === 'POST' && mayBeDone(outcome)
    const wait = waitBefore(attempt, retryAfter)
    if (failure.status === 429) notify(() => transport.onLimit?.({ wait }))
    const now = transport.clock.now()
    deadline ??= now + transport.retryFor
    signal?.throwIfAborted()
    if (!isTemporary || now + wait >= deadline) {
      throw new BlockmarkApiError({ ...failure, method, endpoint, idempotencyKey, isUnknown }, call.isPart !== true)
    }
    await transport.clock.until(now + wait, signal)
  }
}

/** Whether a call may have succeeded: no valid response came after the connection, the server failed, or an earlier attempt still runs. */
function mayBeDone({ status, code, cause }: Failure): boolean {
  return (
    (status === 0 && !isUnconnected(cause)) ||
    (status >= 200 && status < 300) ||
    status >= 500 ||
    code === 'idempotency_in_progress'
  )
}

/** The codes of Node.js for a connection that was never made: the service did not receive the request. */
const UNCONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']

/** Whether an error of the platform's `fetch`, or its copy by `causeOf`, says that no connection was made. */
function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && UNCONNECTED.includes(String(cause.code))
}

const FIRST_WAIT = 200
const WAIT_MAX = 5_000

/** Returns the milliseconds before the next attempt: a little more than the server asks for, or about twice as many each time. */
function waitBefore(attempt: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return retryAfter + Math.random() * FIRST_WAIT
  return Math.min(WAIT_MAX, FIRST_WAIT * 2 ** attempt) * (0.5 + Math.random() / 2)
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

/** Returns 128 random bits in hexadecimal: some runtimes that have `fetch` lack `randomUUID`, which would do the same. */
export function randomKey(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)))
}

/** Makes one attempt, and removes its timer and its listener at the end. If the call's signal aborts, throws its reason. */
async function send(
  { baseUrl, apiKey, fetch, timeout }: Transport,
  { endpoint, signal }: Call,
  request: Pick<Parameters<typeof fetch>[1], 'method' | 'headers' | 'body'>,
): Promise<Outcome> {
  signal?.throwIfAborted()
  const clean = (text: string): string => withoutKey(apiKey, text)
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  const limit = endpoint === 'upload' ? Number.POSITIVE_INFINITY : timeout
  const timer = limit <= TIMER_MAX ? setTimeout(stop, limit) : undefined
  signal?.addEventListener('abort', stop, { once: true })
  const receive = async (): Promise<Outcome> => {
    // Redirects are not followed: they would send the API key to another URL, or turn a POST into a GET.
    const init = { ...request, signal: controller.signal, redirect: 'manual' } as const
    return outcomeOf(endpoint, await fetch(`${baseUrl}${PATH_PREFIX}${endpoint}`, init), clean)
  }
  try {
    // `untilAborted` ends the wait, because some implementations of `fetch` ignore their signal.
    return await untilAborted(receive(), controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    // At this point, only the timer can have aborted the attempt.
    if (controller.signal.aborted) return noResponse('timeout', `no response came within ${limit} ms`)
    const hint = isUnconnected(error) ? `: nothing answers at ${baseUrl}: check baseUrl` : ''
    return noResponse('connection_failed', clean(reasonsOf(error) + hint), causeOf(error, clean))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

const CAUSES_MAX = 5

/** Joins the messages of an error and its causes, because `fetch failed` alone says nothing. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < CAUSES_MAX; each = each.cause) {
    reasons.push(each.message)
  }
  return reasons.filter((reason) => reason !== '').join(': ') || String(error)
}

/** Copies an error with its code and its causes, but without other properties and the API key, which may be in any of them. */
function causeOf(error: unknown, clean: (text: string) => string, depth = 0): unknown {
  if (!(error instanceof Error) || depth === CAUSES_MAX) return undefined
  const { name, message, cause }: Error = error
  const copy = new Error(clean(message), { cause: causeOf(cause, clean, depth + 1) })
  const code = 'code' in error && typeof error.code === 'string' ? { code: clean(error.code) } : {}
  return Object.assign(copy, { name }, code)
}

/** Minimum length of an API key that is removed from texts: a shorter one may be an ordinary word. */
const KEY_LENGTH_MIN = 8

function withoutKey(apiKey: string, text: string): string {
  return apiKey.length < KEY_LENGTH_MIN ? text : text.replaceAll(apiKey, '[API key]')
}
