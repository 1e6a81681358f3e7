/** Node's http on one side, Request and Response on the other. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** After an early answer the rest of the body is read and dropped for so long, so that the client sees the answer. */
const LINGER_MILLISECONDS = 5_000

/** What a body may hold that nobody has read yet. */
const BUFFER_BYTES = 65_536

/**
 * Makes a Request of what Node received.
 *
 * @param incoming - what Node received
 * @param siteUrl - what paths are below
 * @returns the request, or null where it is none that can be answered
 */
export function requestOf(incoming: IncomingMessage, siteUrl: string): Request | null {
  const { method = 'GET', url = '/' } = incoming
  const headers = new Headers()
  const isBodiless = method === 'GET' || method === 'HEAD'
  try {
    for (const [name, value] of Object.entries(incoming.headers)) {
      for (const part of Array.isArray(value) ? value : [value ?? '']) headers.append(name, part)
    }
    const address = url.startsWith('/') ? siteUrl + url : url
    return new Request(address, {
      method,
      headers,
      ...(isBodiless ? {} : { body: bodyOf(incoming), duplex: 'half' }),
    })
  } catch {
    return null
  }
}

/** A body that is read no faster than it is used. Whoever stops reading it leaves the connection open for the answer. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        incoming.on('data', (chunk: Uint8Array) => {
          if (isOver) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        })
        incoming.once('end', () => {
          if (!isOver) controller.close()
          isOver = true
        })
        incoming.once('close', () => {
          if (!isOver) controller.error(new Error('the connection broke off'))
          isOver = true
        })
        incoming.on('error', () => undefined)
        incoming.pause()
      },
      pull() {
        incoming.resume()
      },
      cancel() {
        isOver = true
        incoming.resume()
      },
    },
    { highWaterMark: BUFFER_BYTES, size: (chunk) => chunk?.byteLength ?? 1 },
  )
}

/**
 * Sends a Response.
 *
 * @param response - what to send
 * @param incoming - the request, whose body may not have been read to its end
 * @param outgoing - where to
 */
export async function send(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.once('finish', () => linger(incoming))
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (response.body === null || incoming.method === 'HEAD') {
    await response.body?.cancel()
    outgoing.writeHead(response.status, headers).end()
    return
  }
  if (response.headers.has('content-length')) {
    outgoing.writeHead(response.status, headers)
    // A client that goes away, or a file that breaks off, ends the connection: the length that was promised is not met.
    await pipeline(Readable.from(response.body), outgoing).catch(() => outgoing.destroy())
    return
  }
  const body = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, { ...headers, 'content-length': body.byteLength }).end(body)
}

function linger(incoming: IncomingMessage): void {
  if (incoming.complete) return
  const timer = setTimeout(() => incoming.socket.destroy(), LINGER_MILLISECONDS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.resume()
}
