/** The OpenAPI 3.1 document of the service, written from the table of endpoints. */

import { endpointNames, endpoints, errorsOf } from './endpoints.js'
import { statuses } from './errors.js'
import { channel, results, user } from './results.js'
import type { ObjectSchema } from './schema.js'
import { BODY_BYTES_MAX, type EndpointName, PATH_PREFIX, UPLOAD_BYTES_MAX } from './types.js'

type Json = { readonly [field: string]: unknown }

/** Returns the OpenAPI document. The document is a file of the site, so the server's URL is relative to the document's URL. */
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
    tags: [...new Set(endpointNames.map((name) => endpoints[name].tag))].map((name) => ({ name })),
    paths: Object.fromEntries(endpointNames.map((name) => [PATH_PREFIX + name, operationsOf(name)])),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: "A bot's API key." } },
      schemas: { Error: errorSchema, Channel: channel, User: user },
    },
  }
}

const idempotencyKey: Json = {
  ...{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 1, maxLength: 255 } },
  description:
    'Makes the request safe to repeat. The same idempotency key with the same body returns the first response for 24 hours and changes nothing.',
}
const limit: Json = {
  ...{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
  description: 'The maximum number of items in a page.',
}
const cursor: Json = {
  ...{ name: 'cursor', in: 'query', schema: { type: 'string' } },
  description: 'The `nextCursor` of the previous page.',
}

/** Returns the schema of an object. `fields` are required, and `others` are optional. */
function objectSchema(fields: Json, others: Json = {}): Json {
  return { type: 'object', required: Object.keys(fields), properties: { ...fields, ...others } }
}

const integer: Json = { type: 'integer' }
const string: Json = { type: 'string' }
const path: Json = { type: 'array', items: { type: ['string', 'integer'] } }

/** The response to a request that failed. */
const errorSchema: Json = objectSchema({
  ok: { const: false },
  error: objectSchema(
    {
      code: { type: 'string', description: 'The kind of error. Decide by this code.', enum: Object.keys(statuses) },
      message: { type: 'string', description: 'A sentence that says what to change.' },
      requestID: { type: 'string', description: "The id of the request in the service's log." },
    },
    {
      details: {
        type: 'array',
        description: 'All problems of the body.',
        items: objectSchema({ path, code: string, message: string }, { limit: integer, actual: integer }),
      },
    },
  ),
})

const refTo = (schema: string): Json => ({ $ref: `#/components/schemas/${schema}` })

/** Returns the operations of an endpoint, one for each method. The alias of its name is not documented. */
function operationsOf(name: EndpointName): Json {
  const operations = endpoints[name].methods.map((method, index) => {
    return [method.toLowerCase(), operationOf(name, name + (index === 0 ? '' : 'ByPost'))]
  })
  return Object.fromEntries(operations)
}

function operationOf(name: EndpointName, operationId: string): Json {
  const { tag, summary, description, listedBy, body, bodyType } = endpoints[name]
  return {
    ...{ operationId, tags: [tag], summary, description },
    parameters: listedBy !== null ? [limit, cursor] : body !== null ? [idempotencyKey] : [],
    // The schema has no name: in named schemas, generators require fields that have a default.
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { [bodyType]: { schema: body, example: exampleOf(body) } } } }),
    responses: responsesOf(name),
  }
}

/** Returns the responses by status. The description of an error lists the codes with its status. */
function responsesOf(name: EndpointName): Json {
  const codes = errorsOf(name)
  const limit = name === 'upload' ? UPLOAD_BYTES_MAX : BODY_BYTES_MAX
  const failure = (status: number): Json => {
    const names = codes.filter((code) => statuses[code] === status).map((code) => `\`${code}\``)
    const size = status === 413 ? `. At most ${limit} bytes are allowed by default.` : ''
    return {
      description: names.join(', ') + size,
      content: { 'application/json': { schema: refTo('Error') } },
    }
  }
  const content = { 'application/json': { schema: successOf(name), example: exampleResponse(name) } }
  return {
    200: { description: 'The request succeeded.', content },
    ...Object.fromEntries(codes.map((code) => [statuses[code], failure(statuses[code])])),
  }
}

function successOf(name: EndpointName): Json {
  const ok = { const: true }
  const { listedBy } = endpoints[name]
  const result = results[name]
  if (result === null) return objectSchema({ ok })
  if (listedBy === null) return objectSchema({ ok, result })
  const items = refTo(listedBy === 'userID' ? 'User' : 'Channel')
  const nextCursor = { type: 'string', description: 'The cursor of the next page. The last page has none.' }
  return objectSchema({ ok, result: { type: 'array', items } }, { nextCursor })
}

const exampleSiteUrl = 'https://messages.example.com'
const exampleToken = 's=Zk3vQ9sT1mXw7RbYc2LhPg'
const chatID = '019aa5c2-7a10-7c3e-9b1d-2f6c1a4e8d57'
const chatMessageID = '019aa5c2-9e44-7f02-8c35-0b7d9e2a6f13'

/** The example values of fields, by their names. The examples leave out all other fields. */
const exampleValues: Json = {
  ...{ name: 'Deploys', organization: 'Acme', userID: '100002', email: 'bot-100002@messages.example.com' },
  ...{ description: 'Releases and their dates', privacy: 'public' },
  ...{ userIDs: ['100003'], memberIDs: ['100002', '100003'] },
  channel: 'welcome',
  ...{ channelID: '100004', channelURL: `${exampleSiteUrl}/100004` },
  ...{ threadID: '100005', threadURL: `${exampleSiteUrl}/100005?${exampleToken}` },
  ...{ commentID: '100006', commentURL: `${exampleSiteUrl}/100006?${exampleToken}` },
  blocks: ['# v7 is out', '**All** checks passed, <@100003|>.'],
  ...{ chatID, chatURL: `${exampleSiteUrl}/${chatID}` },
  ...{ chatMessageID, messageID: chatMessageID, chatMessageURL: `${exampleSiteUrl}/${chatID}/${chatMessageID}` },
  body: 'Build 7 _failed_, see [the log](https://ci.example.com/7).',
  ...{ data: 'latency.png', fileID: '100007' },
}

/** Returns an example of an object, with the fields in the order of its schema. */
export function exampleOf({ properties }: ObjectSchema): Json {
  // The example of postThread names its channel: `welcome` exists on a service that was started with `--welcome`.
  const isUsed = (name: string): boolean => !(name === 'channelID' && 'channel' in properties)
  const names = Object.keys(properties).filter((name) => name in exampleValues && isUsed(name))
  return Object.fromEntries(names.map((name) => [name, exampleValues[name]]))
}

/** Returns an example of the successful response of an endpoint. */
export function exampleResponse(name: EndpointName): Json {
  const result = results[name]
  if (result === null) return { ok: true }
  return { ok: true, result: result.type === 'array' ? [exampleOf(result.items)] : exampleOf(result) }
}
