/** The addresses that operate and describe the service: health, metrics, the OpenAPI document and its page. */

import { ApiError } from '../contract/errors.js'
import { describeApi } from '../contract/openapi.js'
import { documentation } from '../pages/documentation.js'
import { html } from '../pages/layout.js'
import type { Service } from './index.js'
import type { Answer, Exchange, IncomingRequest } from './options.js'

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
  '/docs': ({ siteUrl }) => html(documentation(siteUrl), { cache: 'public' }),
}

/**
 * Answers one of these addresses.
 *
 * @param service - the service
 * @param exchange - the request
 * @returns the answer, or null where the path is another
 */
export async function answerOperation(service: Service, exchange: Exchange): Promise<Answer | null> {
  const { pathname } = exchange.url
  const page = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined
  if (page === undefined) return null
  exchange.endpoint = 'operation'
  mustRead(exchange.request)
  return page(service)
}

/**
 * Lets only reading requests pass.
 *
 * @param request - a request for a page
 * @param others - the methods that the address takes beside those that read
 * @throws {ApiError} `method_not_allowed`
 */
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
  const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
  return { status: 200, headers, body: `${JSON.stringify(value, null, 2)}\n` }
}
