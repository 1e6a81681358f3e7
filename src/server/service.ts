/** The service with its database, files, log and metrics, as the settings say. */

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openBackend } from './backend.js'
import type { Config } from './config.js'
import { addSite } from './http/app.js'
import { failureOf, logResponse } from './http/log.js'
import { createMetrics, type Metrics } from './metrics.js'
import type { SiteOptions } from './site.js'
import type { Database } from './store/database.js'
import { createPostgresStore } from './store/index.js'
import { migrations } from './store/migrate.js'
import { keepTidy } from './store/tidy.js'

export interface OpenService {
  readonly database: Database
  readonly metrics: Metrics
}

/**
 * Opens the service and adds it to an application, which closes it. If it cannot be opened, the error states the reason in
 * one line.
 */
export async function addService(
  app: FastifyInstance,
  config: Config,
  log: Logger,
  frame: Pick<SiteOptions, 'siteUrl' | 'addressOf'>,
): Promise<OpenService> {
  const backend = await openBackend(config)
  app.addHook('onClose', backend.close)
  const { database, requests, probe, contents, files, schemaBefore } = backend
  if (schemaBefore < migrations.length) log.info({ from: schemaBefore, to: migrations.length }, 'migrated')
  const { connections, rateLimit, uploadRateLimit } = config
  const metrics = await createMetrics(backend, config.data)
  addSite(app, {
    ...frame,
    ...{ files, slots: connections, rateLimit, uploadRateLimit },
    store: createPostgresStore(requests, { connections, probe }),
    connections: () => requests.connections().open,
    ...(config.metricsPort === null ? { metrics: metrics.page } : {}),
    onResponse(context, status) {
      logResponse(log, context, status)
      metrics.count(context, status)
    },
  })
  const stopTidying = keepTidy(database, contents, (error) =>
    log.info(error === undefined ? {} : { error: failureOf(error) }, 'cleaned up'),
  )
  app.addHook('onClose', async () => stopTidying())
  return { database, metrics }
}
