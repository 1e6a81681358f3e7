/** A proxy that sometimes lies about a server, to show that a check can fail. */

import { createServer, type IncomingMessage } from 'node:http'
import { portOf } from '../support/programs.js'

/** A request. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response. */
export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Handles a request that `pass` would forward. */
export type Lie = (asked: Asked, pass: (asked: Asked) => Promise<Told>) => Promise<Told>

/** Starts to lie about a server. */
export async function openLiar(target: string, lie: Lie): Promise<{ url: string; close(): void }> {
  const pass = async ({ method, path, headers, body }: Asked): Promise<Told> => {
    const response = await fetch(target + path, { method, headers, ...(method === 'GET' ? {} : { body }) })
    const replayed = response.headers.get('idempotent-replayed')
    return {
      status: response.status,
      headers: replayed === null ? {} : { 'idempotent-replayed': replayed },
      body: await response.text(),
    }
  }
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { status, headers, body } = await lie(await askedOf(incoming), pass)
      outgoing.writeHead(status, headers).end(body)
    } catch {
      outgoing.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // A server that listens on a port has an address of this kind.
    url: `http://127.0.0.1:${portOf(server)}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function askedOf(incoming: IncomingMessage): Promise<Asked> {
  const { method = 'GET', url = '/', headers } = incoming
  let body = ''
  for await (const chunk of incoming) body += String(chunk)
  const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { method, path: url, headers: Object.fromEntries(kept), body }
}
