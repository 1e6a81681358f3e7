/** The service with its database, files, log and metrics, as the settings say. */

import { readPlayground } from '../page/playground.js'
import { openBackend } from './backend.js'
import type { Config } from './config.js'
import { failureOf, type Log, openLog } from './http/log.js'
import { createMetrics, type Metrics } from './metrics.js'
import type { SiteOptions } from './site.js'
import type { Database } from './store/database.js'
import { createPostgresStore } from './store/index.js'
import { migrations } from './store/migrate.js'
import { keepTidy } from './store/tidy.js'

export interface OpenService {
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
  /** Closes everything. */
  close(): Promise<void>
}

/**
 * Opens the service; URLs of pages begin with `siteUrl`. If it cannot be opened, the error states the reason in one line.
 *
 * @param add - adds the service with these parts to an application
 */
export async function openService(
  config: Config,
  siteUrl: string,
  add: (site: SiteOptions, log: Log) => void,
): Promise<OpenService> {
  const opening = openBackend(config)
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const end of closing) end()
    await (await opening.catch(() => null))?.close()
  }
  try {
    const log = openLog(config.logLevel)
    const backend = await opening
    const { database, contents, files, schemaBefore } = backend
    if (schemaBefore < migrations.length) log.event('migrated', { from: schemaBefore, to: migrations.length })
    const metrics = await createMetrics(backend, config.data)
    closing.push(metrics.stop)
    const { requests, probe } = backend
    const store = createPostgresStore(requests, { connections: config.connections, probe })
    const site: SiteOptions = {
      ...{ store, siteUrl, files, playground: readPlayground },
      connections: () => requests.connections().open,
      ...{ slots: config.connections, rateLimit: config.rateLimit, uploadRateLimit: config.uploadRateLimit },
      ...(config.metricsPort === null ? { metrics: metrics.page } : {}),
      onResponse: (answered) => {
        log.answered(answered)
        metrics.count(answered)
      },
    }
    add(site, log)
    const onTidied = (error?: unknown): void =>
      log.event('cleaned up', error === undefined ? {} : { error: failureOf(error) })
    closing.push(keepTidy(database, contents, onTidied))
    return { database, metrics, log, close }
  } catch (error) {
    await close()
    throw error
  }
}
