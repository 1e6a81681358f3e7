/** The metrics page, in the text format of Prometheus. Every name starts with `blockmark_`. */

import type { Backend } from './backend.js'
import { freeBytes } from './disk.js'
import { atIntervals } from './operation-pages.js'
import type { SiteOptions } from './request-context.js'

export interface Metrics {
  readonly count: NonNullable<SiteOptions['onResponse']>
  readonly page: NonNullable<SiteOptions['metrics']>
}

const PREFIX = 'blockmark_'

/** Upper bounds of the buckets for durations, in seconds: a post takes milliseconds, and an upload may take minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** Creates the metrics. They count from now on. */
export async function createMetrics({ requests: pool }: Backend, data: string): Promise<Metrics> {
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
  new Gauge({
    ...{ registers, name: `${PREFIX}disk_free_bytes`, help: 'Free bytes on the disk of the data folder.' },
    async collect() {
      this.set(await freeBytes(data).catch(() => Number.NaN))
    },
  })
  return {
    count({ endpoint, started }, status) {
      const name = endpoint ?? 'none'
      requests.inc({ endpoint: name, status })
      seconds.observe({ endpoint: name }, (performance.now() - started) / 1000)
    },
    page: atIntervals(async () => ({
      status: 200,
      headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
      body: await registry.metrics(),
    })),
  }
}
