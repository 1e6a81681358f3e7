/** The service as one function from a Request to a Response, without a server. */

import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { ApiError } from '../../api/contract/errors.js'
import { sentences } from '../../api/contract/sentences.js'
import { errorResponse } from '../../api/rules/response.js'

/** Returns a function that passes requests to an application, which must be ready. The function never rejects. */
export function createFetchHandler(app: Pick<FastifyInstance, 'inject'>): (request: Request) => Promise<Response> {
  return (request) =>
    respond(app, request).catch((cause: unknown) => {
      // An error means that the body of the request broke off.
      const { body, ...rest } = errorResponse(new ApiError('invalid_request', sentences.brokenBody, { cause }))
      return new Response(body, rest)
    })
}

const STATUSES_WITHOUT_BODY = [204, 303, 304, 308]

async function respond(app: Pick<FastifyInstance, 'inject'>, request: Request): Promise<Response> {
  const { method, url, headers, body } = request
  const { host, pathname, search } = new URL(url)
  const response = await app.inject({
    // The cast is safe, because the router responds to any other method with 405.
    method: method as NonNullable<InjectOptions['method']>,
    ...{ url: pathname + search, payloadAsStream: true },
    headers: { ...Object.fromEntries(headers), host, ...(body === null ? {} : { 'transfer-encoding': 'chunked' }) },
    // The cast is safe: the two declarations of a web stream describe the same class.
    ...(body === null ? {} : { payload: Readable.fromWeb(body as NodeStream) }),
  })
  const stream = response.stream()
  // If the reader stops, the response ends, so that the rest of it is not produced.
  stream.once('close', () => response.raw.res.destroy())
  const isEmpty = method === 'HEAD' || STATUSES_WITHOUT_BODY.includes(response.statusCode)
  return new Response(isEmpty ? null : webStreamOf(stream), {
    status: response.statusCode,
    headers: Object.entries(response.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  })
}

/** Converts a stream. If the reader stops, the stream is destroyed: `ReadableStream.from` would not do so before the first read. */
function webStreamOf(stream: Readable): ReadableStream<Uint8Array> {
  const parts: AsyncIterator<Uint8Array> = stream.iterator()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void stream.destroy(),
    },
    { highWaterMark: 0 },
  )
}
