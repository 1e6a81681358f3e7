/** The OpenAPI 3.1 document of the service, read from the table of endpoints. */

import { commonErrors, endpointNames, endpoints, repeatErrors, writeErrors } from './endpoints.js'
import { type ApiErrorCode, statuses } from './errors.js'
import { answerOf, examples, sentenceOf } from './examples.js'
import type { ObjectSchema, Schema } from './schema.js'
import { channel, user } from './schemas.js'
import { type EndpointName, PATH_PREFIX } from './types.js'

type Json = { readonly [field: string]: unknown }

/** What each status means, in a word or two. */
const descriptions: Readonly<Record<number, string>> = {
  400: 'The request can not be read.',
  401: 'The key is missing or not valid.',
  403: 'Not allowed to this bot.',
  404: 'Not there, or not visible to this bot.',
  405: 'Another method is needed.',
  408: 'The body did not come to its end.',
  409: 'In the way of something else.',
  413: 'Too large.',
  415: 'Of a type that is not taken.',
  422: 'Fields that can not be taken; all of them are listed.',
  429: 'Too many requests.',
  500: 'Something is wrong on our side.',
  503: 'The storage is away or full; try again.',
}

/** The errors that an endpoint can answer with; of all its methods where none is given. */
export function errorsOf(name: EndpointName, method?: 'GET' | 'POST'): ApiErrorCode[] {
  const { methods, body, errors } = endpoints[name]
  const isRepeatable = method === undefined ? methods.includes('POST') : method === 'POST'
  return [...commonErrors, ...(body === null ? [] : writeErrors), ...(isRepeatable ? repeatErrors : []), ...errors]
}

/** The document. */
export function describeApi(siteUrl: string): Json {
  const tags = [...new Set(endpointNames.map((name) => endpoints[name].tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Messaging Service: Public Bot API',
      version: '1.0.0',
      description:
        'What a bot can do in its organization. Fields are only ever added; clients ignore those they do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server', url: siteUrl },
    },
    servers: [{ url: siteUrl, description: 'This server' }],
    security: [{ key: [] }],
    tags: tags.map((name) => ({ name, description: `${name} of the bot's organization.` })),
    paths: Object.fromEntries(endpointNames.flatMap(pathsOf)),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: "A bot's API key." } },
      headers: {
        RequestId: headerOf("The request's name in the log."),
        RateLimit: headerOf('What is left (httpapi draft 10).'),
        RateLimitPolicy: headerOf('How much is allowed (httpapi draft 10).'),
        Challenge: headerOf('What a key is sent with.'),
        Allow: headerOf('The methods that the path takes.'),
        RetryAfter: headerOf('Seconds to wait.', 'integer'),
        IdempotentReplayed: headerOf('`true` where this is the first answer again.'),
      },
      parameters,
      requestBodies: requestBodies(),
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
    description: 'The same key, sent again within 24 hours with the same body, does nothing and gets the same answer.',
  },
  Limit: {
    ...{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
    description: 'The length of a page.',
  },
  Cursor: {
    ...{ name: 'cursor', in: 'query', schema: { type: 'string' } },
    description: 'The nextCursor of the page before.',
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

const errorSchema: Json = {
  type: 'object',
  description: 'Why a request failed.',
  required: ['ok', 'error'],
  properties: {
    ok: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestID'],
      properties: {
        code: { type: 'string', description: 'What went wrong.', enum: Object.keys(statuses) },
        message: { type: 'string', description: 'What to change.' },
        requestID: { type: 'string', description: "The request's name in the log." },
        details: { type: 'array', description: 'Every problem of the body.', items: detailSchema },
      },
    },
  },
}

/** Every schema by the name that a generated client gives it. */
function schemas(): Json {
  const named = endpointNames.flatMap((name): [string, Json][] => {
    const { result } = endpoints[name]
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

/** Bodies stand here with their schemas, so that generators do not take a field with a default for one that is there. */
function requestBodies(): Json {
  const bodies = endpointNames.flatMap((name): [string, Json][] => {
    const { body, bodyType, summary } = endpoints[name]
    if (body === null) return []
    const content = { [bodyType]: { schema: plain(body), example: examples[name].body } }
    return [[capitalized(name), { description: `${summary}: what is sent.`, required: true, content }]]
  })
  return Object.fromEntries(bodies)
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function capitalized(name: EndpointName): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function answerName(name: EndpointName): string {
  return endpoints[name].result === null ? 'Done' : `${capitalized(name)}Answer`
}

const doneSchema: Json = {
  type: 'object',
  description: 'It is done; there is nothing else to say.',
  required: ['ok'],
  properties: { ok: { const: true } },
}

function answerSchema(name: EndpointName, result: Schema): Json {
  const { listedBy, summary } = endpoints[name]
  const items =
    listedBy === null ? plain(result) : { ...plain(result), items: refTo(listedBy === 'userID' ? 'User' : 'Channel') }
  return {
    type: 'object',
    description: `${summary}: what comes back.`,
    required: ['ok', 'result'],
    properties: {
      ok: { const: true },
      result: items,
      ...(listedBy === null
        ? {}
        : { nextCursor: { type: 'string', description: 'Where the next page begins; not there on the last one.' } }),
    },
  }
}

function pathsOf(name: EndpointName): [string, Json][] {
  const endpoint = endpoints[name]
  return endpoint.paths.map((path, index): [string, Json] => {
    const operations = endpoint.methods.map((method, place): [string, Json] => {
      const operationId = path + (place === 0 ? '' : 'ByPost')
      return [method.toLowerCase(), operationOf(name, operationId, method, index > 0)]
    })
    return [PATH_PREFIX + path, Object.fromEntries(operations)]
  })
}

function operationOf(name: EndpointName, operationId: string, method: 'GET' | 'POST', isSecondSpelling: boolean): Json {
  const { tag, summary, description = summary, body, listedBy } = endpoints[name]
  const parameters = [
    ...(listedBy === null ? [] : ['Limit', 'Cursor']),
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
  ].map((parameter) => ({ $ref: `#/components/parameters/${parameter}` }))
  return {
    operationId,
    tags: [tag],
    summary: isSecondSpelling ? `${summary} (second spelling)` : summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : { requestBody: { $ref: `#/components/requestBodies/${capitalized(name)}` } }),
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
  return { description: 'Done.', headers, content }
}

function failures(name: EndpointName, method: 'GET' | 'POST'): Record<string, Json> {
  const codes = errorsOf(name, method)
  const found = [...new Set(codes.map((code) => statuses[code]))]
  const codesOf = (status: number): ApiErrorCode[] => codes.filter((code) => statuses[code] === status)
  return Object.fromEntries(found.map((status) => [status, failure(name, status, codesOf(status))]))
}

/** What some answers carry beside what every one does. */
const failureHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('Challenge') },
  405: { Allow: header('Allow') },
  409: { 'Retry-After': header('RetryAfter') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
}

function failure(name: EndpointName, status: number, codes: readonly ApiErrorCode[]): Json {
  // Before it is known whose request it is, nothing is known of the limits.
  const isOfBot = status !== 401 && status !== 405
  return {
    description: `${descriptions[status] ?? ''} ${codes.map((code) => `\`${code}\``).join(', ')}`.trim(),
    headers: { ...(isOfBot ? everyHeader : { 'X-Request-Id': header('RequestId') }), ...failureHeaders[status] },
    content: {
      'application/json': {
        schema: refTo('Error'),
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(name, code)])),
      },
    },
  }
}

function errorExample(name: EndpointName, code: ApiErrorCode): Json {
  const error = { code, message: sentenceOf(name, code), requestID: '019aa5c2-7a10-7c3e-9b1d-2f6c1a4e8d57' }
  return { summary: code, value: { ok: false, error } }
}

/** How strings are read is ours; the rest of a schema is JSON Schema as it stands. */
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
