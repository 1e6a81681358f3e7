/** One call: its attempts, the waiting between them, and what its answer means. */

import { untilAborted } from '../../chunks.js'
import type { ErrorAnswer } from '../contract/errors.js'
import { type EndpointName, PATH_PREFIX } from '../contract/types.js'
import { TIMER_MAX, type WaitingClock } from './clock.js'
import { BlockmarkApiError, type ClientErrorCode, type Failure } from './errors.js'
import { type Gate, retryAfter } from './limits.js'

/** What all calls of a client share. */
export interface Line {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
  readonly retries: number
  readonly timeout: number
  /** What it waits by between attempts. */
  readonly clock: WaitingClock
  /** The limits of uploads, and of everything else. */
  readonly gates: { readonly upload: Gate; readonly other: Gate }
  /** How far the service's clock is ahead of ours, as its last answer says. */
  clockAhead: number
}

/** What is sent. */
export interface Content {
  readonly type: string
  /** Opens the content, for each attempt anew. */
  open(): string | Blob | ReadableStream<Uint8Array>
  /** Whether it can be opened only once. */
  readonly isOnce?: boolean
}

export interface Call {
  readonly endpoint: EndpointName
  /** Null for a list, which is asked for by GET. */
  readonly content: Content | null
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
}

/** Makes a call, again and again where that can help and can not do anything twice. Throws BlockmarkApiError. */
export async function perform(line: Line, call: Call): Promise<unknown> {
  const gate = line.gates[call.endpoint === 'upload' ? 'upload' : 'other']
  const key = call.content === null ? undefined : (call.idempotencyKey ?? randomKey())
  for (let attempt = 0; ; attempt += 1) {
    call.signal?.throwIfAborted()
    await gate.enter(call.signal)
    let response: Answer | null = null
    try {
      response = await send(line, call, key)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      const last = attempt === line.retries || call.content?.isOnce === true
      if (last) throw new BlockmarkApiError({ ...failed(call), code: error.code, reason: error.message })
    } finally {
      gate.leave(response)
    }
    const outcome = response === null ? null : read(line, call, response)
    if (outcome !== null && !(outcome instanceof BlockmarkApiError)) return outcome.result
    const wait = waitBefore(attempt, response)
    if (
      outcome !== null &&
      (!canHelp(outcome) || attempt === line.retries || call.content?.isOnce || wait === Number.POSITIVE_INFINITY)
    ) {
      throw outcome
    }
    await line.clock.pause(wait, call.signal)
  }
}

/** 122 random bits; `randomUUID` is not everywhere where fetch is. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** No answer, or not all of it. */
class Unanswered extends Error {
  readonly code: ClientErrorCode

  constructor(code: ClientErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** One attempt. Whatever becomes of it, no timer and no listener stays. */
async function send(
  line: Line,
  { endpoint, content, signal, timeout }: Call,
  key: string | undefined,
): Promise<Answer> {
  const limit = timeout ?? (endpoint === 'upload' ? Number.POSITIVE_INFINITY : line.timeout)
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  const expire = (): void => controller.abort(new Unanswered('timeout', `no answer came within ${limit} ms`))
  const timer = limit <= TIMER_MAX ? setTimeout(expire, limit) : undefined
  signal?.addEventListener('abort', stop, { once: true })
  try {
    signal?.throwIfAborted()
    return await untilAborted(request(line, endpoint, content, key, controller.signal), controller.signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof Unanswered ? error : new Unanswered('connection_failed', withoutKey(line, reasonsOf(error)))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

async function request(
  line: Line,
  endpoint: EndpointName,
  content: Content | null,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${line.apiKey}` }
  if (content !== null) headers['content-type'] = content.type
  if (key !== undefined) headers['idempotency-key'] = key
  const body = content === null ? null : content.open()
  const response = await line.fetch(`${line.baseUrl}${PATH_PREFIX}${endpoint}`, {
    ...{ method: methodOf(content), headers, body, signal },
    // A redirect would carry the key to another address, or turn a POST into a GET.
    redirect: 'manual',
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })
  const text = await response.text()
  const time = Date.parse(response.headers.get('date') ?? '')
  if (!Number.isNaN(time)) line.clockAhead = time - Date.now()
  return { status: response.status, headers: response.headers, text }
}

function methodOf(content: Content | null): 'GET' | 'POST' {
  return content === null ? 'GET' : 'POST'
}

/** `fetch failed` alone says nothing: what is behind it does. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each instanceof Error && reasons.length < 5; each = each.cause) reasons.push(each.message)
  return reasons.filter((reason) => reason !== '').join(': ') || String(error)
}

/** A word is no key, and may stand in any message. */
const KEY_LENGTH_MIN = 8

function withoutKey({ apiKey }: Line, text: string): string {
  return apiKey.length < KEY_LENGTH_MIN ? text : text.replaceAll(apiKey, '[key]')
}

function failed({ endpoint, content }: Call): Failure {
  return {
    ...{ method: methodOf(content), endpoint, status: 0, code: 'connection_failed', reason: '' },
    ...{ requestID: null, details: [] },
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

type Body = { readonly ok: true; readonly result?: unknown } | ErrorAnswer

function read(line: Line, call: Call, { status, headers, text }: Answer): { result: unknown } | BlockmarkApiError {
  const answered = bodyOf(text)
  if (answered?.ok === true && isSuccess(status)) return { result: answered.result }
  const body = bodyOf(withoutKey(line, text))
  const requestID = headers.get('x-request-id')
  const failure = { ...failed(call), status, requestID }
  if (body?.ok === false) {
    const { code, message, requestID: named, details = [] } = body.error
    return new BlockmarkApiError({ ...failure, code, reason: message, requestID: requestID ?? named, details })
  }
  // A browser hides where a redirect leads, and that it is one.
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const reason = isRedirect ? 'the address leads elsewhere; change baseUrl' : 'what answered is not the service'
  return new BlockmarkApiError({ ...failure, code: 'unexpected_answer', reason })
}

function bodyOf(text: string): Body | null {
  try {
    const body: Partial<ErrorAnswer> | Body | null = JSON.parse(text)
    if (body?.ok === true || (body?.ok === false && typeof body.error?.code === 'string')) return body as Body
    return null
  } catch {
    return null
  }
}

/** What passes by itself: limits, trouble of the server, a first attempt that is still under way, an answer cut off. */
function canHelp({ status, code }: BlockmarkApiError): boolean {
  const isCutOff = isSuccess(status) && code === 'unexpected_answer'
  return status === 429 || status >= 500 || code === 'idempotency_in_progress' || isCutOff
}

const FIRST_WAIT = 200
const WAIT_MAX = 10_000
/** Whoever asks for a longer pause is not waited for. */
const RETRY_AFTER_SECONDS_MAX = 120

/** Milliseconds before the next attempt: as the server says, else twice as long each time; never for all at once. */
function waitBefore(attempt: number, answer: Answer | null): number {
  const backoff = Math.min(WAIT_MAX, FIRST_WAIT * 2 ** attempt)
  const seconds = answer === null ? undefined : retryAfter(answer.headers)
  if (seconds === undefined) return backoff * (0.5 + Math.random() / 2)
  return seconds > RETRY_AFTER_SECONDS_MAX ? Number.POSITIVE_INFINITY : seconds * 1000 + Math.random() * FIRST_WAIT
}
