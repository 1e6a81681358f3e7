/** The metrics page, in Prometheus's text format. */

import type { Answered, ServiceOptions } from '../service/options.js'

export interface Metrics {
  count(answered: Answered): void
  readonly page: NonNullable<ServiceOptions['metrics']>
}

/** Bounds in seconds: a post takes milliseconds, an upload minutes. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/**
 * Starts to count.
 *
 * @returns the counters and their page
 */
export async function createMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Histogram, Registry } = await loadLibrary()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labels = { registers: [registry], labelNames: ['endpoint', 'status'] as const }
  const requests = new Counter({ ...labels, name: 'http_requests_total', help: 'Requests that were answered.' })
  const seconds = new Histogram({
    registers: [registry],
    labelNames: ['endpoint'],
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to its answer.',
    buckets: BUCKETS,
  })
  return {
    count({ endpoint, status, milliseconds }) {
      const name = endpoint ?? 'none'
      requests.inc({ endpoint: name, status })
      seconds.observe({ endpoint: name }, milliseconds / 1000)
    },
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

async function loadLibrary(): Promise<typeof import('prom-client')> {
  try {
    return await import('prom-client')
  } catch (cause) {
    throw new Error('the server needs the package prom-client: npm install prom-client', { cause })
  }
}
