/** The paths that operate and describe the service: health, metrics, and the files of the site. */

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../api/contract/errors.js'
import type { IncomingRequest, ServiceResponse } from '../api/rules/types.js'
import { StoreError } from '../api/store/store.js'
import type { RequestContext } from './request-context.js'
import type { Operations, Site, SiteOptions } from './site.js'
import { answerStatic } from './static.js'

/** Milliseconds for which the results of checks are kept, so that frequent requests cost nothing. */
const CHECK_MILLISECONDS = 1000
/** Milliseconds after which a database or a file store counts as not ready. */
const READY_MILLISECONDS = 2000
/** Milliseconds by which the clocks of the server and the database may differ; more is reported. */
export const SKEW_MILLISECONDS_MAX = 1000

/** Describes how far the clock of this process is from the database's. */
export function clockNote(clockAhead: number): string {
  const seconds = (Math.abs(clockAhead) / 1000).toFixed(1)
  return `the clock of this server is ${seconds} s ${clockAhead < 0 ? 'behind' : 'ahead of'} the database's: synchronize both (NTP)`
}

/** Creates the handlers of the paths that operate the service. */
export function createOperations({ store, files, metrics }: SiteOptions): Operations {
  return {
    '/healthz': () => text('ok'),
    '/readyz': atIntervals(async () => {
      const [{ clockAhead }] = await within(READY_MILLISECONDS, Promise.all([store.ready(), files.ready()]))
      return text(Math.abs(clockAhead) > SKEW_MILLISECONDS_MAX ? `ready\n${clockNote(clockAhead)}` : 'ready')
    }),
    '/metrics': async () => {
      if (metrics === undefined) throw new ApiError('not_found', 'This path does not exist.')
      const { type, text: body } = await metrics()
      return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
    },
  }
}

/** Waits for a result, and throws `unavailable` if it takes longer. */
function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const timeout = sleep(milliseconds, undefined, { ref: false }).then(() => {
    throw new StoreError('unavailable', new Error(`no answer within ${milliseconds} ms`))
  })
  return Promise.race([work, timeout])
}

/** Runs a function at most once in an interval; all callers meanwhile get the same result. */
export function atIntervals<Result>(work: () => Promise<Result>): () => Promise<Result> {
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

/** Responds to a request for a path that operates or describes the service; null for any other path. */
export async function answerOperation(site: Site, context: RequestContext): Promise<ServiceResponse | null> {
  const { pathname } = context.url
  const { operations } = site
  const operation = Object.hasOwn(operations, pathname) ? operations[pathname] : undefined
  if (operation === undefined) return answerFileOfSite(context)
  context.endpoint = 'operation'
  mustRead(context.request)
  return operation()
}

/** Responds with a file that was built with the package; null if the path has none. */
async function answerFileOfSite(context: RequestContext): Promise<ServiceResponse | null> {
  const { pathname } = context.url
  if (!/^\/(?:(?:docs|assets)(?:\/|$)|(?:favicon\.ico|openapi\.json)$)/.test(pathname)) return null
  context.endpoint = 'operation'
  mustRead(context.request)
  return answerStatic(pathname, context.request)
}

/** Throws `method_not_allowed` unless the method is GET or HEAD, or one of the path's other methods. */
export function mustRead({ method }: IncomingRequest, ...others: readonly 'POST'[]): void {
  if (method === 'GET' || method === 'HEAD') return
  const allow = ['GET', 'HEAD', ...others].join(', ')
  throw new ApiError('method_not_allowed', `This path accepts only ${allow}.`, { headers: { allow } })
}

function text(body: string): ServiceResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status: 200, headers, body: `${body}\n` }
}
