/** One call: its attempts, the pauses between them, and its outcome. */

import { untilAborted } from '../../chunks.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { BlockmarkApiError, type ClientErrorCode, type Failure } from './errors.js'
import { type Gate, retryAfter } from './limits.js'
import { type Answer, outcomeOf, TooLargeError, textOf } from './response.js'
import { TIMER_MAX, type WaitingClock } from './waiting.js'

/** The connection that all calls of a client share. */
export interface Line {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds from the first failure of a call to its last attempt. */
  readonly retryFor: number
  readonly timeout: number
  /** The clock for the pauses between attempts. */
  readonly clock: WaitingClock
  /** The limits of uploads, and those of all other calls. */
  readonly gates: { readonly upload: Gate; readonly other: Gate }
  /** Milliseconds by which the service's clock is ahead of ours, by its last response. */
  clockAhead: number
}

/** The body of a request. */
export interface Content {
  readonly type: string
  /** Opens the body; called again for each attempt. */
  open(): string | Blob | ReadableStream<Uint8Array>
  /** Whether the body can be opened only once. */
  readonly isOnce?: boolean
}

export interface Call {
  readonly endpoint: EndpointName
  /** Null if the call is a GET. */
  readonly content: Content | null
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
}

/** Makes a call, and repeats it if that can help and cannot do anything twice. Throws BlockmarkApiError. */
export async function perform(line: Line, call: Call): Promise<unknown> {
  const gate = line.gates[call.endpoint === 'upload' ? 'upload' : 'other']
  const key = call.content === null ? undefined : (call.idempotencyKey ?? randomKey())
  let deadline: number | undefined
  let error: BlockmarkApiError | undefined
  for (let attempt = 0; ; attempt += 1) {
    call.signal?.throwIfAborted()
    const pause = await gate.enter(call.signal, line.retryFor)
    if (pause !== null) throw error ?? limited(call, pause)
    let answer: Answer | null = null
    let canHelp = true
    try {
      answer = await send(line, call, key)
      const outcome = outcomeOf(answer, failureOf(call), (text) => withoutKey(line, text))
      if (outcome.error === null) return outcome.result
      ;({ error, canHelp } = outcome)
    } catch (cause) {
      if (!(cause instanceof Unanswered)) throw cause
      error = new BlockmarkApiError({ ...failureOf(call), code: cause.code, reason: cause.message })
      canHelp = cause.code !== 'invalid_response'
    } finally {
      gate.leave(answer)
    }
    const now = line.clock.now()
    const next = now + waitBefore(attempt, answer)
    deadline ??= now + line.retryFor
    call.signal?.throwIfAborted()
    if (!canHelp || call.content?.isOnce || next >= deadline) throw error
    await line.clock.until(next, call.signal)
  }
}

/** The error of a call that is not sent, because the service asked for a longer pause than the call may last. */
function limited(call: Call, pause: number): BlockmarkApiError {
  const reason = `the service asked for a pause, and ${Math.ceil(pause / 1000)} s of it are left`
  return new BlockmarkApiError({ ...failureOf(call), status: 429, code: 'rate_limited', reason })
}

/** Returns 122 random bits; some runtimes with `fetch` lack `randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** An attempt without a whole response. */
class Unanswered extends Error {
  readonly code: ClientErrorCode

  constructor(code: ClientErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Makes one attempt. No timer and no listener outlives it. */
async function send(line: Line, call: Call, key: string | undefined): Promise<Answer> {
  const { signal } = call
  const limit = call.timeout ?? (call.endpoint === 'upload' ? Number.POSITIVE_INFINITY : line.timeout)
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  const expire = (): void => controller.abort(new Unanswered('timeout', `no response came within ${limit} ms`))
  const timer = limit <= TIMER_MAX ? setTimeout(expire, limit) : undefined
  signal?.addEventListener('abort', stop, { once: true })
  try {
    signal?.throwIfAborted()
    // Some implementations of fetch ignore their signal.
    return await untilAborted(request(line, call, key, controller.signal), controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Unanswered) throw error
    if (error instanceof TooLargeError) throw new Unanswered('invalid_response', error.message)
    throw new Unanswered('connection_failed', withoutKey(line, reasonsOf(error)))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function request(
  line: Line,
  { endpoint, content }: Call,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${line.apiKey}` }
  if (content !== null) headers['content-type'] = content.type
  if (key !== undefined) headers['idempotency-key'] = key
  const body = content === null ? null : content.open()
  const response = await line.fetch(`${line.baseUrl}${PATH_PREFIX}${endpoint}`, {
    ...{ method: methodOf(content), headers, body, signal },
    // A redirect would send the API key to another URL, or turn a POST into a GET.
    redirect: 'manual',
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
  const text = await textOf(response)
  const time = Date.parse(response.headers.get('date') ?? '')
  if (!Number.isNaN(time)) line.clockAhead = time - Date.now()
  return { status: response.status, headers: response.headers, text }
}

function methodOf(content: Content | null): 'GET' | 'POST' {
  return content === null ? 'GET' : 'POST'
}

/** Joins an error's message with those of its causes: `fetch failed` alone says nothing. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < 5; each = each.cause) reasons.push(each.message)
  return reasons.filter((reason) => reason !== '').join(': ') || String(error)
}

/** A shorter key may be a word, and part of any message. */
const KEY_LENGTH_MIN = 8

function withoutKey({ apiKey }: Line, text: string): string {
  return apiKey.length < KEY_LENGTH_MIN ? text : text.replaceAll(apiKey, '[API key]')
}

function failureOf({ endpoint, content }: Call): Failure {
  return {
    ...{ method: methodOf(content), endpoint, status: 0, code: 'connection_failed', reason: '' },
    ...{ requestID: null, details: [] },
  }
}

const FIRST_WAIT = 200
const WAIT_MAX = 5_000

/** Milliseconds before the next attempt: as the server asks, otherwise twice as long each time. */
function waitBefore(attempt: number, answer: Answer | null): number {
  const seconds = answer === null ? undefined : retryAfter(answer.headers)
  if (seconds !== undefined) return seconds * 1000 + Math.random() * FIRST_WAIT
  return Math.min(WAIT_MAX, FIRST_WAIT * 2 ** attempt) * (0.5 + Math.random() / 2)
}
