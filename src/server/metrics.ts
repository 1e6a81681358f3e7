/** The metrics page, in Prometheus's text format. */

import type { Answered } from '../api/service/options.js'
import type { Backend } from './backend.js'
import { freeBytes } from './disk.js'
import type { ServiceOptions } from './site.js'

export interface Metrics {
  count(answered: Answered): void
  countUpload(bytes: number): void
  readonly page: NonNullable<ServiceOptions['metrics']>
  stop(): void
}

/** Bounds in seconds: a post takes milliseconds, an upload minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** Starts to count. */
export async function createMetrics({ requests: pool, restarts }: Backend, data: string): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = (name: string, help: string): InstanceType<typeof Counter> => new Counter({ registers, name, help })
  const requests = new Counter({
    ...{ registers, labelNames: ['endpoint', 'status'] as const },
    ...{ name: 'http_requests_total', help: 'Requests that were answered.' },
  })
  const seconds = new Histogram({
    ...{ registers, labelNames: ['endpoint'], buckets: BUCKETS },
    ...{ name: 'http_request_duration_seconds', help: 'From the first byte of a request to its answer.' },
  })
  const uploads = counter('uploads_total', 'Files that arrived.')
  const uploadBytes = counter('upload_bytes_total', 'Their bytes.')
  const blocked = counter('event_loop_blocked_total', 'How often everybody waited for more than 100 ms.')
  const watchdog = watch(() => blocked.inc())
  new Gauge({
    ...{ registers, labelNames: ['state'], name: 'database_connections', help: 'Of the pool; waiting are requests.' },
    collect() {
      for (const [state, count] of Object.entries(pool.connections())) this.set({ state }, count)
    },
  })
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      ...{ registers, name, help },
      async collect() {
        this.set(await read())
      },
    })
  }
  gauge('disk_free_bytes', 'On the disk of the data folder.', () => freeBytes(data).catch(() => Number.NaN))
  gauge('database_restarts_total', 'How often our own PostgreSQL was started again.', restarts)
  return {
    count({ endpoint, status, milliseconds }) {
      const name = endpoint ?? 'none'
      requests.inc({ endpoint: name, status })
      seconds.observe({ endpoint: name }, milliseconds / 1000)
    },
    countUpload(bytes) {
      uploads.inc()
      uploadBytes.inc(bytes)
    },
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
    stop: () => clearInterval(watchdog),
  }
}

const WATCH_MILLISECONDS = 50
const BLOCKED_MILLISECONDS = 100

/** Sees by its own lateness that nobody had a turn. */
function watch(onBlocked: () => void): NodeJS.Timeout {
  let last = performance.now()
  return setInterval(() => {
    const now = performance.now()
    if (now - last - WATCH_MILLISECONDS > BLOCKED_MILLISECONDS) onBlocked()
    last = now
  }, WATCH_MILLISECONDS)
}
