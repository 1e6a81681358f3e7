/**
 * Prism between the tests and the service: a proxy that reads the OpenAPI document and returns 500 if a response of the service
 * does not match the document.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeApi } from '../../../src/api/contract/openapi.js'
import { freePort, temporaryFolder } from './backends.js'
import { portOf } from './programs.js'

type Service = (request: Request) => Promise<Response>

const program: string = new URL('../../checkers/node_modules/.bin/prism', import.meta.url).pathname

/** Whether Prism is installed: `npm --prefix test/checkers ci` installs it. */
export const isPrismInstalled: boolean = existsSync(program)

export interface Prism {
  /** Wraps a service so that its requests go through the proxy. */
  through(service: Service): Service
  close(): Promise<void>
}

/** The header that names the service of a forwarded request. */
const SERVICE = 'x-test-service'

/**
 * Starts the proxy.
 *
 * @param siteUrl - the public URL of the services
 * @returns the proxy, when it accepts requests
 */
export async function openPrism(siteUrl: string): Promise<Prism> {
  const folder = await temporaryFolder()
  const document = join(folder, 'openapi.json')
  await writeFile(document, JSON.stringify(describeApi(siteUrl)))
  const services: Service[] = []
  const target = createServer((incoming, outgoing) => void answer(services, siteUrl, incoming, outgoing))
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  const port = await freePort()
  const child = spawn(
    program,
    [
      ...['proxy', document, `http://127.0.0.1:${portOf(target)}`, '--host', '127.0.0.1', '--port', String(port)],
      // Requests of the tests are often wrong on purpose: only the responses are checked.
      ...['--errors', '--validate-request=false', '--cors=false'],
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(url, child)
  return {
    through(service) {
      const index = services.push(service) - 1
      return (request) => send(request, url, index, service)
    },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'close')
      target.close()
      target.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    if (child.exitCode !== null) throw new Error('prism does not start')
    await sleep(200)
  }
}

/** The methods of each path in the document. It has one spelling of each endpoint; the service serves both. */
const methods: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(describeApi('http://site.test')['paths'] as Record<string, object>).map(([path, operations]) => [
    path.startsWith('/api/public/') ? path : `/api/public${path}`,
    Object.keys(operations).map((method) => method.toUpperCase()),
  ]),
)

/** Larger than Prism accepts; the service accepts it. */
const BODY_BYTES_MAX = 1_000_000

/** Whether Prism can forward a request: its path and method are in the document, and its body is JSON. */
async function send(request: Request, url: string, index: number, service: Service): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? null : Buffer.from(await request.clone().arrayBuffer())
  const isJson = request.headers.get('content-type')?.startsWith('application/json') !== true || isParsed(body)
  const isSmall = (body?.byteLength ?? 0) < BODY_BYTES_MAX
  if (methods.get(pathname)?.includes(request.method) !== true || !isJson || !isSmall) return service(request)
  const headers = new Headers(request.headers)
  headers.set(SERVICE, String(index))
  return fetch(url + pathname + search, { method: request.method, headers, body })
}

function isParsed(body: Buffer | null): boolean {
  try {
    JSON.parse(String(body))
    return true
  } catch {
    return false
  }
}

async function answer(
  services: readonly Service[],
  siteUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
  const service = services[Number(incoming.headers[SERVICE])]
  const { method = 'GET', url = '/' } = incoming
  const body = method === 'GET' ? null : await buffer(incoming)
  const response = await service?.(new Request(siteUrl + url, { method, headers, body }))
  outgoing.writeHead(response?.status ?? 599, Object.fromEntries(response?.headers ?? []))
  outgoing.end(await response?.text())
}
