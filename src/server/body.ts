/** The body of a request from Node's http. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../api/contract/errors.js'
import { sentences } from '../api/contract/sentences.js'

/** The longest pause within a body. */
const IDLE_MILLISECONDS = 30_000

/**
 * Yields the parts of a body; it can be read only once. A client that waits with its body (`Expect: 100-continue`) is asked
 * for it with the first read. If the reader stops early, the rest is dropped and the connection stays open for the response;
 * Node's own iterator either ends the connection or keeps the rest.
 */
export function bodyOf(incoming: IncomingMessage, outgoing: ServerResponse): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => new Parts(incoming, outgoing) }
}

/** Whether a client waits with its body until it gets `100 Continue`. */
export function isExpecting({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue'
}

class Parts implements AsyncIterator<Uint8Array> {
  readonly #incoming: IncomingMessage
  readonly #parts: Uint8Array[] = []
  #error: Error | null = null
  #wake: () => void = () => undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming
    if (isExpecting(incoming)) outgoing.writeContinue()
    incoming.on('data', this.#take)
    incoming.once('end', () => this.#wake())
    incoming.once('error', (error) => this.#fail(error))
    const fail = (): void => this.#fail(new Error('the connection ended'))
    incoming.once('close', fail)
    // The connection may have ended while the API key was checked. No further event reports that.
    if (incoming.destroyed) fail()
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const value = this.#parts.shift()
      if (value !== undefined) return { value, done: false }
      if (this.#incoming.readableEnded) return { value: undefined, done: true }
      if (this.#error !== null) throw this.#error
      await this.#more()
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#incoming.off('data', this.#take).resume()
    this.#wake()
    return { value: undefined, done: true }
  }

  readonly #take = (part: Uint8Array): void => {
    this.#parts.push(part)
    this.#incoming.pause()
    this.#wake()
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#wake()
  }

  async #more(): Promise<void> {
    const message = sentences.idle(IDLE_MILLISECONDS / 1000)
    const late = (): void => this.#fail(new ApiError('timeout', message, { headers: { connection: 'close' } }))
    const timer = setTimeout(late, IDLE_MILLISECONDS)
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      this.#incoming.resume()
    })
    clearTimeout(timer)
  }
}
