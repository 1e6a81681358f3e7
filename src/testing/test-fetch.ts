/** A `fetch` without a network: passes requests to the handler, with the faults that a test adds. */

import { CLOCK, pause } from '../api/client/waiting.js'
import { PATH_PREFIX } from '../api/contract/types.js'
import { untilAborted } from '../chunks.js'
import type { Clock } from './clock.js'
import type { Faults } from './faults.js'

/** A request to the service. */
export interface TestRequest {
  readonly method: string
  /** The endpoint's name; the whole path if it does not begin with `/api/public/`. */
  readonly endpoint: string
  readonly idempotencyKey: string | null
  /** The response's status; `lost` if the connection broke. */
  readonly status: number | 'lost'
  /** Whether the response was first sent to an earlier request with the same idempotency key. */
  readonly isReplayed: boolean
}

/** The connection between the client and the handler. */
export interface Connection {
  readonly handle: (request: Request) => Promise<Response>
  readonly faults: Faults
  readonly time: Clock
  readonly origin: string
  readonly requests: TestRequest[]
  /** Milliseconds by which each response is delayed after the work of its request. */
  readonly delay: number
}

/** Creates a `fetch` on the connection to the handler. */
export function createFetch(connection: Connection): typeof globalThis.fetch {
  const send: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    if (new URL(request.url).origin !== connection.origin) {
      throw networkError(`this service is ${connection.origin}, and responds to no other URL`)
    }
    return untilAborted(respond(connection, request), signal)
  }
  return Object.assign(send, { [CLOCK]: connection.time.waiting })
}

async function respond(connection: Connection, request: Request): Promise<Response> {
  const fault = connection.faults.next(endpointOf(request))
  const isLost = fault.kind === 'lost'
  if (isLost && fault.of === 'request') {
    connection.requests.push(entryOf(request, null))
    throw networkError('read ECONNRESET')
  }
  const response = fault.kind === 'failed' ? fault.createResponse() : await connection.handle(request)
  connection.requests.push(entryOf(request, isLost ? null : response))
  response.headers.set('date', connection.time.clock.now.toUTCString())
  if (connection.delay > 0) await pause(connection.delay, request.signal).catch(() => undefined)
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
