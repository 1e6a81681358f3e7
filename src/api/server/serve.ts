/** The service on Node's http: it listens, answers, and stops when what is under way is done. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FirstKey } from '../operator/first-key.js'
import { ensureFirstKey, purge } from '../operator/organizations.js'
import { postWelcome, type Welcome } from '../operator/welcome.js'
import { createHandler } from '../service/index.js'
import { createPostgresStore } from '../store/postgres/index.js'
import { openBackend } from './backend.js'
import { type Config, siteUrlOf } from './config.js'
import { requestOf, send, unreadable } from './http.js'
import { type Handler, listen, stopListening } from './listen.js'
import { openLog } from './log.js'
import { createMetrics } from './metrics.js'
import { requirePackages } from './packages.js'
import { readPlayground } from './playground.js'

/** A server that takes requests. */
export interface RunningServer {
  readonly siteUrl: string
  readonly port: number
  /** What the first start made; null on every later one. */
  readonly first: FirstKey | null
  /** What the first start posted, where it was to; null on every later one. */
  readonly welcome: Welcome | null
  /** Takes no new connections, finishes the requests under way, and lets go of everything. */
  close(): Promise<void>
}

const PURGE_MILLISECONDS = 60 * 60 * 1000

/**
 * Starts a server.
 *
 * @param config - its settings
 * @param options - `welcome`: whether the first start makes a channel with a thread that shows what there is
 * @returns the server, when it takes requests
 * @throws {Error} where it can not start, in one line that says why
 */
export async function serve(config: Config, options: { welcome?: boolean } = {}): Promise<RunningServer> {
  requirePackages()
  // What comes before everything is open waits for it; a port that is taken is known before anything is.
  let open: (handler: Handler) => void = () => undefined
  const opened = new Promise<Handler>((resolve) => {
    open = resolve
  })
  const server = await listen(config, async (incoming, outgoing) => (await opened)(incoming, outgoing))
  const opening = openBackend(config)
  try {
    const port = portOf(server)
    const siteUrl = siteUrlOf(config, port)
    const [backend, log, metrics] = await Promise.all([opening, openLog(config.logLevel), createMetrics()])
    const first = await ensureFirstKey(backend.database, siteUrl)
    const service = createHandler({
      ...{ store: createPostgresStore(backend.database), files: backend.files, siteUrl },
      ...{ rateLimit: config.rateLimit, uploadRateLimit: config.uploadRateLimit, metrics: metrics.page },
      playground: readPlayground,
      onAnswer: (answered) => {
        log.answered(answered)
        metrics.count(answered)
      },
    })
    const purging = setInterval(
      () => void purge(backend.database, new Date()).catch(() => undefined),
      PURGE_MILLISECONDS,
    )
    let isStopping = false
    open(async (incoming, outgoing) => {
      const request = requestOf(incoming, siteUrl, config.trustsProxy)
      const answer = request === null ? unreadable() : await service(request)
      if (isStopping) outgoing.setHeader('connection', 'close')
      await send(answer, incoming, outgoing)
    })
    const isWelcome = first !== null && options.welcome === true
    const welcome = isWelcome ? await postWelcome(service, first.key, siteUrl) : null
    const close = async (): Promise<void> => {
      isStopping = true
      clearInterval(purging)
      await stopListening(server)
      await backend.close()
    }
    return { siteUrl, port, first, welcome, close }
  } catch (error) {
    server.close()
    server.closeAllConnections()
    const backend = await opening.catch(() => null)
    await backend?.close()
    throw error
  }
}

function portOf(server: Server): number {
  // A server that listens on a port has an address of this kind.
  return (server.address() as AddressInfo).port
}
