/** Responds to the paths of health and metrics. */

import type { ServiceResponse } from '../api/rules/types.js'
import { StoreError } from '../api/store/store.js'
import { within } from './http/request.js'
import type { SiteOptions } from './request-context.js'

/** Milliseconds for which the results of checks are kept, so that frequent requests cost nothing. */
const CHECK_MILLISECONDS = 1000
/** Milliseconds after which a database or a file store counts as not ready. */
const READY_MILLISECONDS = 2000
/** Milliseconds by which the clocks of the server and the database may differ; a larger difference is reported. */
export const SKEW_MILLISECONDS_MAX = 1000

/** Describes how far the clock of this process is from the database's. */
export function clockNote(clockAhead: number): string {
  const seconds = (Math.abs(clockAhead) / 1000).toFixed(1)
  return `the clock of this server is ${seconds} s ${clockAhead < 0 ? 'behind' : 'ahead of'} the database's: synchronize both (NTP)`
}

/** The functions that respond to the paths of health and metrics, by path. */
export type Operations = Readonly<Record<string, () => Promise<ServiceResponse> | ServiceResponse>>

/** The parts of the service whose state is shown. */
type Parts = Pick<SiteOptions, 'store' | 'contents' | 'metrics'>

export function createOperations({ store, contents, metrics }: Parts): Operations {
  const timeout = (): Error => new StoreError('unavailable', new Error(`no response within ${READY_MILLISECONDS} ms`))
  return {
    '/healthz': () => text('ok'),
    '/readyz': oncePerSecond(async () => {
      const checks = Promise.all([store.ready(), contents.ready()])
      const [{ clockAhead }] = await within(READY_MILLISECONDS, checks, timeout)
      return text(Math.abs(clockAhead) > SKEW_MILLISECONDS_MAX ? `ready\n${clockNote(clockAhead)}` : 'ready')
    }),
    ...(metrics === undefined ? {} : { '/metrics': metrics }),
  }
}

/** Wraps a function, so that it runs at most once per second. All calls within the second return the same result. */
export function oncePerSecond<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | null = null
  return () => {
    if (latest === null) {
      latest = work()
      const forget = (): void => {
        latest = null
      }
      setTimeout(forget, CHECK_MILLISECONDS).unref()
    }
    return latest
  }
}

function text(body: string): ServiceResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status: 200, headers, body: `${body}\n` }
}
