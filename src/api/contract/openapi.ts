/** The OpenAPI 3.1 document of the service, written from the table of endpoints. */

import { commonErrors, type Endpoint, endpointNames, endpoints, repeatErrors, writeErrors } from './endpoints.js'
import { type ApiErrorCode, statuses } from './errors.js'
import { answerOf, examples } from './examples.js'
import { channel, results, user } from './results.js'
import type { Schema } from './schema.js'
import { BODY_BYTES_MAX, type EndpointName, PATH_PREFIX, UPLOAD_BYTES_MAX } from './types.js'

type Json = { readonly [field: string]: unknown }

const tags: Readonly<Record<Endpoint<EndpointName>['tag'], string>> = {
  Channels: 'Create channels, list them, and add members.',
  Threads: 'Post threads in channels, comment on them, and delete both.',
  Chats: 'Create chats, post messages in them, and delete both.',
  Uploads: 'Upload files for use in messages.',
  Organization: 'List the users of the organization and check an API key.',
}

/** The errors of an endpoint, by default of all its methods. */
export function errorsOf(name: EndpointName, method?: 'GET' | 'POST'): ApiErrorCode[] {
  const { methods, body, errors } = endpoints[name]
  const isRepeatable = method === undefined ? methods.includes('POST') : method === 'POST'
  return [...commonErrors, ...(body === null ? [] : writeErrors), ...(isRepeatable ? repeatErrors : []), ...errors]
}

/** Describes the API. The document is a file of the site, so the server's URL is relative to the document's URL. */
export function describeApi(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Messaging Service: Public Bot API',
      version: '1.0.0',
      description:
        'Bots post, upload and manage channels and chats in their organization. There are no events, and bots cannot read posts. Fields are only ever added: ignore those that you do not know.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ key: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(endpointNames.map((name) => [PATH_PREFIX + name, operationsOf(name)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: "A bot's API key." } },
      parameters,
      schemas: schemas(),
    },
  }
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

/** Returns the schema of a response: `fields` are required, `others` are optional. */
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
    Channel: channel,
    User: user,
    ...Object.fromEntries(named),
  }
}

/** The body of an endpoint. Its schema has no name: in named schemas, generators require fields that have a default. */
function requestOf(name: EndpointName): Json {
  const { body, bodyType } = endpoints[name]
  if (body === null) return {}
  const content = { [bodyType]: { schema: body, example: examples[name].body } }
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
  const items = listedBy === null ? result : { ...result, items: refTo(listedBy === 'userID' ? 'User' : 'Channel') }
  const nextCursor = { type: 'string', description: 'The cursor of the next page. The last page has none.' }
  const fields = { ok: { const: true }, result: items }
  return answerOfFields(`The response to “${summary}”.`, fields, listedBy === null ? {} : { nextCursor })
}

/** The operations of an endpoint, one for each method. The alias of its name is not documented. */
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
    responses: { 200: success(name), ...failures(name, method) },
  }
}

function success(name: EndpointName): Json {
  const content = { 'application/json': { schema: refTo(answerName(name)), example: answerOf(name) } }
  return { description: 'The request succeeded.', content }
}

/** The responses by status, described by the error codes with that status. */
function failures(name: EndpointName, method: 'GET' | 'POST'): Record<string, Json> {
  const codes = errorsOf(name, method)
  const limit = name === 'upload' ? UPLOAD_BYTES_MAX : BODY_BYTES_MAX
  const failure = (status: number): Json => {
    const names = codes.filter((code) => statuses[code] === status).map((code) => `\`${code}\``)
    const size = status === 413 ? `. At most ${limit} bytes are allowed by default.` : ''
    return { description: names.join(', ') + size, content: { 'application/json': { schema: refTo('Error') } } }
  }
  return Object.fromEntries(codes.map((code) => [statuses[code], failure(statuses[code])]))
}
