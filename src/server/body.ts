/** The body of a request from Node's http. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../api/contract/errors.js'
import { sentences } from '../api/contract/sentences.js'

/** The longest pause within a body. */
const IDLE_MILLISECONDS = 30_000

/** Whether a client waits with its body until it gets `100 Continue`. */
export function isExpecting({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue'
}

/**
 * Yields the parts of a body; it can be read only once. A client that waits with its body (`Expect: 100-continue`) is asked
 * for it with the first read. If the reader stops early, the rest is dropped and the connection stays open for the response;
 * Node's own iterator either ends the connection or keeps the rest.
 */
export async function* bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): AsyncGenerator<Uint8Array> {
  if (isExpecting(incoming)) outgoing.writeContinue()
  let wake: () => void = () => undefined
  const onEvent = (): void => wake()
  for (const event of EVENTS) incoming.on(event, onEvent)
  try {
    while (!incoming.readableEnded) {
      // Everything that has arrived, in one part: a client may send chunks of one byte.
      const part: Uint8Array | null = incoming.read()
      if (part !== null) yield part
      else if (incoming.destroyed) throw new Error('the connection ended')
      else await eventBefore(IDLE_MILLISECONDS, (next) => (wake = next))
    }
  } finally {
    for (const event of EVENTS) incoming.off(event, onEvent)
    incoming.resume()
  }
}

/** Each of them may be the next thing that happens to a body. */
const EVENTS = ['readable', 'end', 'error', 'close'] as const

/** Waits until the function that `listen` gets is called. Throws `timeout` if that takes too long. */
function eventBefore(milliseconds: number, listen: (next: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const message = sentences.idle(milliseconds / 1000)
    const late = (): void => reject(new ApiError('timeout', message, { headers: { connection: 'close' } }))
    const timer = setTimeout(late, milliseconds)
    listen(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
