/** The OpenAPI 3.1 document of the service, written from the table of endpoints. */

import { commonErrors, type Endpoint, endpointNames, endpoints, repeatErrors, writeErrors } from './endpoints.js'
import { type ApiErrorCode, statuses } from './errors.js'
import { answerOf, examples } from './examples.js'
import { channel, results, user } from './results.js'
import type { ObjectSchema, Schema } from './schema.js'
import { BODY_BYTES_MAX, type EndpointName, PATH_PREFIX, UPLOAD_BYTES_MAX } from './types.js'

type Json = { readonly [field: string]: unknown }

const tags: Readonly<Record<Endpoint<EndpointName>['tag'], string>> = {
  Channels: 'Create channels, list them, and add members.',
  Threads: 'Post threads in channels, comment on them, and delete both.',
  Chats: 'Create chats, post messages in them, and delete both.',
  Uploads: 'Upload files for use in messages.',
  Organization: 'List the users of the organization and check an API key.',
}

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The API key is missing or not valid.',
  403: 'This bot may not do this.',
  404: 'The object does not exist, or this bot cannot see it.',
  405: 'The endpoint does not accept this method.',
  408: 'The body stopped before its end.',
  409: 'The request conflicts with another object or request.',
  413: 'The body is too large.',
  415: 'The type of the body or file is not supported.',
  422: 'Fields of the body are not valid. `details` lists all of them.',
  429: 'The bot sent too many requests.',
  500: 'The service failed.',
  503: 'The storage does not respond or is full. Try again later.',
}

/** The errors of an endpoint, by default of all its methods. */
export function errorsOf(name: EndpointName, method?: 'GET' | 'POST'): ApiErrorCode[] {
  const { methods, body, errors } = endpoints[name]
  const isRepeatable = method === undefined ? methods.includes('POST') : method === 'POST'
  return [...commonErrors, ...(body === null ? [] : writeErrors), ...(isRepeatable ? repeatErrors : []), ...errors]
}

export function describeApi(siteUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Messaging Service: Public Bot API',
      version: '1.0.0',
      description:
        'Bots post, upload and manage channels and chats in their organization. There are no events, and bots cannot read posts. Fields are only ever added: ignore those that you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server', url: siteUrl },
    },
    servers: [{ url: siteUrl, description: 'This server' }],
    security: [{ key: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(endpointNames.map((name) => [PATH_PREFIX + name, operationsOf(name)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: "A bot's API key." } },
      headers: {
        RequestId: headerOf("The id of the request in the service's log."),
        RateLimit: headerOf('The remaining requests (httpapi draft 10).'),
        RateLimitPolicy: headerOf('The rate limits (httpapi draft 10).'),
        Challenge: headerOf('The authentication scheme.'),
        Allow: headerOf('The methods that the endpoint accepts.'),
        RetryAfter: headerOf('The seconds to wait before the next request.', 'integer'),
        IdempotentReplayed: headerOf('`true` if this is the first response, sent again.'),
      },
      parameters,
      schemas: schemas(),
    },
  }
}

function headerOf(description: string, type = 'string'): Json {
  return { description, schema: { type } }
}

const parameters: Json = {
  IdempotencyKey: {
    ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } },
    description:
      'Makes the request safe to repeat. The same idempotency key with the same body returns the first response for 24 hours and changes nothing.',
  },
  Limit: {
    ...{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
    description: 'The maximum number of items in a page.',
  },
  Cursor: {
    ...{ name: 'cursor', in: 'query', schema: { type: 'string' } },
    description: 'The `nextCursor` of the previous page.',
  },
}

const integer: Json = { type: 'integer' }
const string: Json = { type: 'string' }

const detailSchema: Json = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: { type: 'array', items: { type: ['string', 'integer'] } },
    ...{ code: string, message: string, limit: integer, actual: integer },
  },
}

/** The schema of a response; it has all of these fields, and perhaps others. */
function answerOfFields(description: string, fields: Json, others: Json = {}): Json {
  return { type: 'object', description, required: Object.keys(fields), properties: { ...fields, ...others } }
}

const errorSchema: Json = answerOfFields('The response to a request that failed.', {
  ok: { const: false },
  error: {
    type: 'object',
    required: ['code', 'message', 'requestID'],
    properties: {
      code: { type: 'string', description: 'The kind of error. Decide by this code.', enum: Object.keys(statuses) },
      message: { type: 'string', description: 'A sentence that says what to change.' },
      requestID: { type: 'string', description: "The id of the request in the service's log." },
      details: { type: 'array', description: 'All problems of the body.', items: detailSchema },
    },
  },
})

/** Every schema by the name that generated clients use. */
function schemas(): Json {
  const named = endpointNames.flatMap((name): [string, Json][] => {
    const result = results[name]
    return result === null ? [] : [[answerName(name), answerSchema(name, result)]]
  })
  return {
    Error: errorSchema,
    Done: doneSchema,
    Channel: plain(channel),
    User: plain(user),
    ...Object.fromEntries(named),
  }
}

/** The body of an endpoint. Its schema has no name: generators would treat a named field with a default as required. */
function requestOf(name: EndpointName): Json {
  const { body, bodyType } = endpoints[name]
  if (body === null) return {}
  const content = { [bodyType]: { schema: plain(body), example: examples[name].body } }
  return { requestBody: { required: true, content } }
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function capitalized(name: EndpointName): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function answerName(name: EndpointName): string {
  return results[name] === null ? 'Done' : `${capitalized(name)}Answer`
}

const doneSchema: Json = answerOfFields('The response to a successful request without a result.', {
  ok: { const: true },
})

function answerSchema(name: EndpointName, result: Schema): Json {
  const { listedBy, summary } = endpoints[name]
  const items =
    listedBy === null ? plain(result) : { ...plain(result), items: refTo(listedBy === 'userID' ? 'User' : 'Channel') }
  const nextCursor = { type: 'string', description: 'The cursor of the next page. The last page has none.' }
  const fields = { ok: { const: true }, result: items }
  return answerOfFields(`The response to “${summary}”.`, fields, listedBy === null ? {} : { nextCursor })
}

/** The operations of an endpoint. Only the first spelling of its name is documented. */
function operationsOf(name: EndpointName): Json {
  const operations = endpoints[name].methods.map((method, index): [string, Json] => {
    return [method.toLowerCase(), operationOf(name, name + (index === 0 ? '' : 'ByPost'), method)]
  })
  return Object.fromEntries(operations)
}

function operationOf(name: EndpointName, operationId: string, method: 'GET' | 'POST'): Json {
  const { tag, summary, description, listedBy } = endpoints[name]
  const parameters = [
    ...(listedBy === null ? [] : ['Limit', 'Cursor']),
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
  ].map((parameter) => ({ $ref: `#/components/parameters/${parameter}` }))
  return {
    ...{ operationId, tags: [tag], summary, description },
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestOf(name),
    responses: { 200: success(name, method), ...failures(name, method) },
  }
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

const everyHeader: Json = {
  'X-Request-Id': header('RequestId'),
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
}

function success(name: EndpointName, method: 'GET' | 'POST'): Json {
  const headers =
    method === 'POST' ? { ...everyHeader, 'Idempotent-Replayed': header('IdempotentReplayed') } : everyHeader
  const content = { 'application/json': { schema: refTo(answerName(name)), example: answerOf(name) } }
  return { description: 'The request succeeded.', headers, content }
}

function failures(name: EndpointName, method: 'GET' | 'POST'): Record<string, Json> {
  const codes = errorsOf(name, method)
  const found = [...new Set(codes.map((code) => statuses[code]))]
  const codesOf = (status: number): ApiErrorCode[] => codes.filter((code) => statuses[code] === status)
  return Object.fromEntries(found.map((status) => [status, failure(name, status, codesOf(status))]))
}

const failureHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('Challenge') },
  405: { Allow: header('Allow') },
  409: { 'Retry-After': header('RetryAfter') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
}

function failure(name: EndpointName, status: number, codes: readonly ApiErrorCode[]): Json {
  // The limits are a bot's: they are unknown before the API key is checked.
  const isOfBot = status !== 401 && status !== 405
  const limit = name === 'upload' ? UPLOAD_BYTES_MAX : BODY_BYTES_MAX
  const size = status === 413 ? ` At most ${limit} bytes are allowed by default.` : ''
  return {
    description: `${descriptions[status] ?? ''}${size} ${codes.map((code) => `\`${code}\``).join(', ')}`.trim(),
    headers: { ...(isOfBot ? everyHeader : { 'X-Request-Id': header('RequestId') }), ...failureHeaders[status] },
    content: { 'application/json': { schema: refTo('Error') } },
  }
}

/** Formats that are not JSON Schema's: they say how the service reads a string. */
const OWN_FORMATS: readonly string[] = ['id', 'name', 'channel-name', 'markdown']

function plain(schema: Schema): Json {
  if (schema.type === 'object') return plainObject(schema)
  const { format, ...rest } = schema
  const kept = format === undefined || OWN_FORMATS.includes(format) ? rest : { ...rest, format }
  return schema.type === 'array' ? { ...kept, items: plain(schema.items) } : kept
}

function plainObject({ properties, ...rest }: ObjectSchema): Json {
  const parts = Object.entries(properties).map(([name, part]) => [name, plain(part)])
  return { ...rest, properties: Object.fromEntries(parts) }
}
