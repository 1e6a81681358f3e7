/** The service with its database, files, log and metrics, as the settings say. */

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type Backend, openBackend } from './backend.js'
import type { Config } from './config.js'
import { addSite } from './http/app.js'
import { listen } from './http/listen.js'
import { failureOf, logResponse } from './http/log.js'
import { oncePerSecond } from './operation-pages.js'
import type { ReceivedRequest, SiteOptions } from './request-context.js'
import type { Database } from './store/database.js'
import { createPostgresStore } from './store/index.js'
import { migrations } from './store/migrate.js'
import { keepTidy } from './store/tidy.js'

/**
 * Opens the service and adds it to `app`. Closing `app` closes the service.
 *
 * @returns the database, for the operator
 * @throws {Error} with the reason in one line, if the service cannot be opened
 */
export async function addService(
  app: FastifyInstance,
  config: Config & { readonly siteUrl: string },
  log: Logger,
  addressOf?: SiteOptions['addressOf'],
): Promise<Database> {
  const { host, metricsPort } = config
  const backend = await openBackend(config)
  app.addHook('onClose', backend.close)
  const { database, requests, probe, contents, schemaBefore } = backend
  if (schemaBefore < migrations.length) log.info({ from: schemaBefore, to: migrations.length }, 'migrated')
  const metrics = await createMetrics(backend)
  addSite(app, {
    ...{ ...config, addressOf, contents },
    store: createPostgresStore(requests, probe),
    openConnections: requests.connections,
    ...(metricsPort === null ? { metrics: metrics.page } : {}),
    onResponse(context, status) {
      logResponse(log, context, status)
      metrics.count(context, status)
    },
  })
  if (metricsPort !== null) {
    const server = await listen({ host, port: metricsPort, variable: 'METRICS_PORT' }, async (incoming, outgoing) => {
      if (incoming.url !== '/metrics') return void outgoing.writeHead(404).end()
      const { headers, body } = await metrics.page()
      outgoing.writeHead(200, headers).end(body)
    })
    app.addHook('onClose', async () => void server.close().closeAllConnections())
  }
  const stopTidying = keepTidy(database, contents, (error) =>
    log.info(error === undefined ? {} : { error: failureOf(error) }, 'cleaned up'),
  )
  app.addHook('onClose', async () => stopTidying())
  return database
}

/** The start of the names of all metrics. */
const PREFIX = 'blockmark_'

/** Upper bounds of the buckets for durations, in seconds: a post takes milliseconds, and an upload may take minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** Creates the metrics of this process, and a page that shows them in the text format of Prometheus. */
async function createMetrics({ requests: pool }: Backend) {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: PREFIX })
  const requests = new Counter({
    ...{ registers, labelNames: ['endpoint', 'status'], name: `${PREFIX}http_requests_total` },
    help: 'Requests by endpoint and status.',
  })
  const seconds = new Histogram({
    ...{ registers, labelNames: ['endpoint'], buckets: BUCKETS, name: `${PREFIX}http_request_duration_seconds` },
    help: 'Time from the headers of a request to its response.',
  })
  new Gauge({
    ...{ registers, name: `${PREFIX}database_connections`, help: 'Open connections of requests to the database.' },
    collect() {
      this.set(pool.connections())
    },
  })
  return {
    count({ endpoint, arrivedAt }: ReceivedRequest, status: number) {
      const name = endpoint ?? 'none'
      requests.inc({ endpoint: name, status })
      seconds.observe({ endpoint: name }, (performance.now() - arrivedAt) / 1000)
    },
    page: oncePerSecond(async () => ({
      status: 200,
      headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
      body: await registry.metrics(),
    })),
  }
}
