/** The addresses that operate and describe the service: health, metrics, the OpenAPI document and its page. */

import { ApiError } from '../contract/errors.js'
import { describeApi } from '../contract/openapi.js'
import { documentation } from '../pages/documentation.js'
import { html } from '../pages/layout.js'
import type { Service } from './index.js'
import type { Exchange } from './options.js'

const pages: Readonly<Record<string, (service: Service) => Promise<Response> | Response>> = {
  '/healthz': () => text('ok'),
  '/readyz': async ({ store, files }) => {
    await Promise.all([store.ready(), files.ready()])
    return text('ready')
  },
  '/metrics': async ({ metrics }) => {
    if (metrics === undefined) throw new ApiError('not_found', 'There is nothing at this address.')
    const { type, text: body } = await metrics()
    return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  },
  '/openapi.json': ({ siteUrl }) => json(describeApi(siteUrl)),
  '/docs': ({ siteUrl }) => html(documentation(siteUrl)),
}

/**
 * Answers one of these addresses.
 *
 * @param service - the service
 * @param exchange - the request
 * @returns the answer, or null where the path is another
 */
export async function answerOperation(service: Service, exchange: Exchange): Promise<Response | null> {
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
 * @throws {ApiError} `method_not_allowed`
 */
export function mustRead({ method }: Request): void {
  if (method === 'GET' || method === 'HEAD') return
  throw new ApiError('method_not_allowed', 'This address takes GET, HEAD.', { headers: { allow: 'GET, HEAD' } })
}

function text(body: string): Response {
  return new Response(`${body}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

function json(value: unknown): Response {
  return new Response(`${JSON.stringify(value, null, 2)}\n`, {
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  })
}
