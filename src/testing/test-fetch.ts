/** `fetch` without a network: from a request to the handler, with the faults that a test asks for. */

import { CLOCK } from '../api/client/clock.js'
import { PATH_PREFIX } from '../api/contract/types.js'
import { untilAborted } from '../chunks.js'
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'

/** A request that was made. */
export interface TestRequest {
  readonly method: string
  /** The endpoint's name; the path, where it is none of the API's. */
  readonly endpoint: string
  readonly idempotencyKey: string | null
  /** The answer's status; `lost` where the connection broke. */
  readonly status: number | 'lost'
  /** Whether the answer was that of an earlier request with the same key. */
  readonly isReplayed: boolean
}

/** What stands between the client and the handler. */
export interface Line {
  readonly handle: (request: Request) => Promise<Response>
  readonly faults: Faults
  readonly time: Clock
  readonly origin: string
  readonly requests: TestRequest[]
  /** Milliseconds between the work and its answer. */
  readonly delay: number
}

/**
 * Makes a `fetch`.
 *
 * @param line - what it goes through
 * @returns the function
 */
export function createFetch(line: Line): typeof globalThis.fetch {
  const send: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    if (new URL(request.url).origin !== line.origin) {
      throw broken(`this service is ${line.origin} and answers nothing else`)
    }
    return untilAborted(answer(line, request), signal)
  }
  return Object.assign(send, { [CLOCK]: line.time.waiting })
}

async function answer(line: Line, request: Request): Promise<Response> {
  const fault = line.faults.next()
  const isLost = fault.kind === 'lost'
  if (isLost && fault.of === 'request') {
    line.requests.push(entryOf(request, null))
    throw broken('read ECONNRESET')
  }
  const response = fault.kind === 'failed' ? fault.answer() : await line.handle(request)
  line.requests.push(entryOf(request, isLost ? null : response))
  response.headers.set('date', line.time.clock.now.toUTCString())
  if (line.delay > 0) await pause(line.delay, request.signal)
  if (isLost) throw broken('read ECONNRESET')
  return response
}

/** What `fetch` rejects with where the network is at fault. */
function broken(message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code: 'ECONNRESET' }) })
}

function entryOf({ method, url, headers }: Request, response: Response | null): TestRequest {
  const { pathname } = new URL(url)
  return {
    method,
    endpoint: pathname.startsWith(PATH_PREFIX) ? pathname.slice(PATH_PREFIX.length) : pathname,
    idempotencyKey: headers.get('idempotency-key'),
    status: response?.status ?? 'lost',
    isReplayed: response?.headers.get('idempotent-replayed') === 'true',
  }
}

/** Waits, but not for a request that nobody waits for any more. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
