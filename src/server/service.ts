/** The service with its database, files, log and metrics, as the settings say. */

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openBackend } from './backend.js'
import type { Config } from './config.js'
import { addSite } from './http/app.js'
import { listen } from './http/listen.js'
import { failureOf, logResponse } from './http/log.js'
import { createMetrics } from './metrics.js'
import type { SiteOptions } from './request-context.js'
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
  const { host, metricsPort, connections } = config
  const backend = await openBackend(config)
  app.addHook('onClose', backend.close)
  const { database, requests, probe, contents, schemaBefore } = backend
  if (schemaBefore < migrations.length) log.info({ from: schemaBefore, to: migrations.length }, 'migrated')
  const metrics = await createMetrics(backend, config.data)
  addSite(app, {
    ...{ ...config, addressOf, contents },
    store: createPostgresStore(requests, { connections, probe }),
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
