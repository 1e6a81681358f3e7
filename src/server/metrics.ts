/** The metrics page, in the text format of Prometheus. Every name starts with `blockmark_`. */

import type { Counter as CounterOf } from 'prom-client'
import type { Backend } from './backend.js'
import { freeBytes } from './disk.js'
import { failureOf } from './http/log.js'
import { atIntervals } from './operation-pages.js'
import type { RequestReport } from './request-context.js'
import type { SiteOptions } from './site.js'

export interface Metrics {
  count(answered: RequestReport): void
  readonly page: NonNullable<SiteOptions['metrics']>
  stop(): void
}

const PREFIX = 'blockmark_'

/** Bounds in seconds: a post takes milliseconds, an upload minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** Starts counting. */
export async function createMetrics({ requests: pool, restarts }: Backend, data: string): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: PREFIX })
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): CounterOf<Label> =>
    new Counter({ registers, name: PREFIX + name, help, labelNames })
  const requests = counter('http_requests_total', 'Requests by endpoint and status.', 'endpoint', 'status')
  const unavailable = counter('http_unavailable_total', 'Responses with status 503, by their reason.', 'reason')
  const seconds = new Histogram({
    ...{ registers, labelNames: ['endpoint'], buckets: BUCKETS },
    ...{ name: `${PREFIX}http_request_duration_seconds`, help: 'Time from the headers of a request to its response.' },
  })
  const blocked = counter('event_loop_blocked_total', 'Times that the event loop was blocked for more than 100 ms.')
  const watchdog = watch(() => blocked.inc())
  new Gauge({
    ...{ registers, labelNames: ['state'], name: `${PREFIX}database_connections` },
    help: 'Connections of the pool, and requests that wait for one.',
    collect() {
      for (const [state, count] of Object.entries(pool.connections())) this.set({ state }, count)
    },
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      ...{ registers, name: PREFIX + name, help },
      async collect() {
        this.set(await read())
      },
    })
  }
  gauge('disk_free_bytes', 'Free bytes on the disk of the data folder.', () => freeBytes(data).catch(() => Number.NaN))
  gauge('database_restarts_total', 'Restarts of the embedded PostgreSQL.', restarts)
  return {
    count({ endpoint, status, code, milliseconds, error }) {
      const name = endpoint ?? 'none'
      requests.inc({ endpoint: name, status })
      if (status === 503) unavailable.inc({ reason: failureOf(error).code || (code ?? 'unknown') })
      seconds.observe({ endpoint: name }, milliseconds / 1000)
    },
    page: atIntervals(async () => ({ type: registry.contentType, text: await registry.metrics() })),
    stop: () => clearInterval(watchdog),
  }
}

const WATCH_MILLISECONDS = 50
const BLOCKED_MILLISECONDS = 100

/** Detects that the event loop was blocked, by the delay of a timer. */
function watch(onBlocked: () => void): NodeJS.Timeout {
  let last = performance.now()
  return setInterval(() => {
    const now = performance.now()
    if (now - last - WATCH_MILLISECONDS > BLOCKED_MILLISECONDS) onBlocked()
    last = now
  }, WATCH_MILLISECONDS)
}
