/** A `fetch` without a network: passes requests to the handler, with the faults that a test adds. */

import { CLOCK, pause } from '../api/client/waiting.js'
import { PATH_PREFIX } from '../api/contract/types.js'
import { untilAborted } from '../chunks.js'
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'

/** A request to the service. */
export interface TestRequest {
  readonly method: string
  /** The endpoint's name; the path if the request is for a page. */
  readonly endpoint: string
  readonly idempotencyKey: string | null
  /** The response's status; `lost` if the connection broke. */
  readonly status: number | 'lost'
  /** Whether this was the response to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean
}

/** The connection between the client and the handler. */
export interface Connection {
  readonly handle: (request: Request) => Promise<Response>
  readonly faults: Faults
  readonly time: Clock
  readonly origin: string
  readonly requests: TestRequest[]
  /** Milliseconds by which each response is delayed after its work. */
  readonly delay: number
}

/** Creates a `fetch` on the connection to the handler. */
export function createFetch(line: Connection): typeof globalThis.fetch {
  const send: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    if (new URL(request.url).origin !== line.origin) {
      throw networkError(`this service is ${line.origin}, and responds to no other URL`)
    }
    return untilAborted(respond(line, request), signal)
  }
  return Object.assign(send, { [CLOCK]: line.time.waiting })
}

async function respond(line: Connection, request: Request): Promise<Response> {
  const fault = line.faults.next(endpointOf(request))
  const isLost = fault.kind === 'lost'
  if (isLost && fault.of === 'request') {
    line.requests.push(entryOf(request, null))
    throw networkError('read ECONNRESET')
  }
  const response = fault.kind === 'failed' ? fault.createResponse() : await line.handle(request)
  line.requests.push(entryOf(request, isLost ? null : response))
  response.headers.set('date', line.time.clock.now.toUTCString())
  if (line.delay > 0) await pause(line.delay, request.signal).catch(() => undefined)
  if (isLost) throw networkError('read ECONNRESET')
  return response
}

/** Returns the error that `fetch` throws for a network failure. */
function networkError(message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code: 'ECONNRESET' }) })
}

function endpointOf({ url }: Request): string {
  const { pathname } = new URL(url)
  return pathname.startsWith(PATH_PREFIX) ? pathname.slice(PATH_PREFIX.length) : pathname
}

function entryOf(request: Request, response: Response | null): TestRequest {
  return {
    method: request.method,
    endpoint: endpointOf(request),
    idempotencyKey: request.headers.get('idempotency-key'),
    status: response?.status ?? 'lost',
    isReplayed: response?.headers.get('idempotent-replayed') === 'true',
  }
}
