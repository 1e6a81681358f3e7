/** The addresses that operate and describe the service: health, metrics, the OpenAPI document and the documentation. */

import { ApiError } from '../api/contract/errors.js'
import { describeApi } from '../api/contract/openapi.js'
import type { Answer, Exchange, IncomingRequest } from '../api/service/options.js'
import type { Service } from './site.js'

const pages: Readonly<Record<string, (service: Service) => Promise<Answer> | Answer>> = {
  '/healthz': () => text('ok'),
  '/readyz': async ({ store, files }) => {
    await Promise.all([store.ready(), files.ready()])
    return text('ready')
  },
  '/metrics': async ({ metrics }) => {
    if (metrics === undefined) throw new ApiError('not_found', 'There is nothing at this address.')
    const { type, text: body } = await metrics()
    return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
  },
  '/openapi.json': ({ siteUrl }) => json(describeApi(siteUrl)),
}

/** Answers one of these addresses; null where the path is another. */
export async function answerOperation(service: Service, exchange: Exchange): Promise<Answer | null> {
  const { pathname } = exchange.url
  const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined
  if (page === undefined) return answerDocumentation(service, exchange)
  exchange.endpoint = 'operation'
  mustRead(exchange.request)
  return page(service)
}

/** Loaded when it is first asked for, and with it what reads the documents of the packages. */
async function answerDocumentation({ siteUrl }: Service, exchange: Exchange): Promise<Answer | null> {
  const { pathname } = exchange.url
  if (!/^\/docs(?:\/|$)/.test(pathname)) return null
  const { answerDocs } = await import('./docs/index.js')
  const found = await answerDocs(pathname, siteUrl)
  if (found === null) return null
  exchange.endpoint = 'operation'
  mustRead(exchange.request)
  return found
}

/** Lets only reading requests pass, and those of the other methods of an address. Throws `method_not_allowed`. */
export function mustRead({ method }: IncomingRequest, ...others: readonly 'POST'[]): void {
  if (method === 'GET' || method === 'HEAD') return
  const allow = ['GET', 'HEAD', ...others].join(', ')
  throw new ApiError('method_not_allowed', `This address takes ${allow}.`, { headers: { allow } })
}

function text(body: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return { status: 200, headers, body: `${body}\n` }
}

function json(value: unknown): Answer {
  const headers = {
    ...{ 'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'cache-control': 'public, no-cache' },
  }
  return { status: 200, headers, body: `${JSON.stringify(value, null, 2)}\n` }
}
