/** Requests generated from the table of endpoints: valid, nearly valid and invalid ones. */

import fc from 'fast-check'
import { endpointNames, endpoints, pathsOf } from '../../../src/api/contract/endpoints.js'
import type { FieldSchema, ObjectSchema, StringSchema } from '../../../src/api/contract/schema.js'
import type { EndpointName } from '../../../src/api/contract/types.js'
import { anySource, hostileText } from '../../../src/arbitraries/index.js'

/** A request without the ids of the service. */
export interface GeneratedRequest {
  readonly path: string
  readonly method: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Text, or the file of a form. */
  readonly body: string | { readonly name: string; readonly content: string } | null
}

/** Generates a placeholder for an id that the service returned for a field of this name. The sender of the request replaces it. */
const idOf = (field: string): fc.Arbitrary<string> =>
  fc.nat({ max: 1000 }).map((which) => `\u27e6${field} ${which}\u27e7`)

/** Replaces the placeholders with ids. */
export function withIDs(text: string, ids: ReadonlyMap<string, readonly string[]>): string {
  return text.replace(/\u27e6(\w+) (\d+)\u27e7/g, (_, field: string, which: string) => {
    const known = ids.get(field) ?? []
    return known[Number(which) % Math.max(1, known.length)] ?? '7'
  })
}

const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: 15 }, { arbitrary: other, weight: 1 })

/** Generates requests to every endpoint, by every method, and a few to paths and with methods that do not exist. */
export function anyRequest(): fc.Arbitrary<GeneratedRequest> {
  return mostly(
    fc.oneof(...endpointNames.flatMap((name) => endpoints[name].methods.map((method) => requestOf(name, method)))),
    fc.record({
      path: fc.constantFrom(...endpointNames.flatMap(pathsOf), '/api/public/', '/api/public/deleteUser'),
      method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      query: fc.constant({}),
      headers: headersOf('application/json'),
      body: fc.constantFrom(null, '{}'),
    }),
  )
}

function requestOf(name: EndpointName, method: 'GET' | 'POST'): fc.Arbitrary<GeneratedRequest> {
  const { body, bodyType, listedBy } = endpoints[name]
  const limit = mostly(fc.integer({ min: 1, max: 1000 }).map(String), fc.constantFrom('0', '-1', '1e3', '', 'x'))
  const cursor = mostly(idOf('cursor'), fc.string({ maxLength: 30 }))
  const query = listedBy === null ? fc.constant({}) : fc.record({ limit, cursor }, { requiredKeys: [] })
  return fc.record({
    path: fc.constant(pathsOf(name)[0]),
    method: fc.constant(method),
    // A parameter can be absent, although the type of a record does not say so.
    query: query as fc.Arbitrary<Record<string, string>>,
    headers: headersOf(bodyType),
    body: method === 'GET' ? fc.constant(null) : name === 'upload' ? formFile : bodyOf(body),
  })
}

/** Generates headers with valid and wrong values. `Bearer` alone is a placeholder for the valid API key, which the sender adds. */
function headersOf(type: string): fc.Arbitrary<Record<string, string>> {
  const wrongKeys = fc.constantFrom('', 'Bearer', 'Bearer wsk_x', `Bearer wsk_${'0'.repeat(49)}`, 'Basic x')
  const wrongTypes = ['', 'text/plain', 'application/json', 'multipart/form-data', 'multipart/form-data; boundary=']
  const fields = {
    authorization: mostly(fc.constant('Bearer'), wrongKeys),
    'content-type': mostly(fc.constantFrom(type, `${type}; charset=utf-8`), fc.constantFrom(...wrongTypes)),
    'content-encoding': mostly(fc.constant('identity'), fc.constant('gzip')),
    'idempotency-key': mostly(fc.stringMatching(/^[!-~]{1,20}$/), fc.constantFrom('one', 'two', 'x'.repeat(256))),
  }
  // The other headers can be absent, although the type of a record does not say so.
  const drawn = fc.record(fields, { requiredKeys: ['authorization', 'content-type'] })
  return drawn as fc.Arbitrary<Record<string, string>>
}

const signatures = [
  '',
  '%PDF-1.7',
  '\x89PNG\r\n\x1a\n',
  'GIF89a\x01\x00\x01\x00',
  '<svg xmlns=""/>',
  '\0',
  'PK\x03\x04',
]

const formFile: fc.Arbitrary<GeneratedRequest['body']> = mostly<GeneratedRequest['body']>(
  fc.record({
    name: fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('a.png', 'ü.svg', '..', 'x'.repeat(3000))),
    content: fc.oneof(hostileText, fc.string({ maxLength: 300 }), fc.constantFrom(...signatures)),
  }),
  fc.constantFrom(null, '', '{}', '--b\r\n', 'x'.repeat(5000)),
)

const broken = ['', '{', '[]', 'null', '{"a":1,}', '\ufeff{}', `${'['.repeat(70)}${']'.repeat(70)}`, '{"__proto__":{}}']

function bodyOf(schema: ObjectSchema | null): fc.Arbitrary<string | null> {
  const right = (schema === null ? fc.anything() : objectOf(schema)).map((value) => JSON.stringify(value) ?? 'null')
  const nearly = schema === null ? right : nearlyValidOf(schema).map((value) => JSON.stringify(value))
  const wrong = fc.oneof(
    fc.jsonValue({ depthSize: 'medium' }).map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 60 }),
    fc.constantFrom(null, ...broken),
    right.chain((text) => fc.nat({ max: text.length }).map((end) => text.slice(0, end))),
  )
  return fc.oneof({ arbitrary: mostly(right, wrong), weight: 3 }, nearly)
}

/** Generates bodies that a schema accepts. */
function objectOf({ properties, required = [] }: ObjectSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, field]) => [name, fieldOf(field, name)])
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
}

/** Generates values that a field accepts; the service may know ids for its name. */
function fieldOf(schema: FieldSchema, name: string): fc.Arbitrary<unknown> {
  if (schema.type !== 'array') return stringOf(schema, name)
  const { items, minItems = 0, maxItems = 100 } = schema
  const item = stringOf(items, name.replace(/s$/, ''))
  const few = fc.array(item, { minLength: minItems, maxLength: minItems + 4 })
  return fc.oneof(
    { arbitrary: few, weight: 60 },
    item.map((one) => Array(maxItems).fill(one)),
  )
}

function stringOf({ enum: choices, format, maxLength = 200 }: StringSchema, name: string): fc.Arbitrary<unknown> {
  if (choices !== undefined) return fc.constantFrom(...choices)
  const odd = ['7', '0', 'x', '9007199254740993', '00000000-0000-7000-8000-000000000000', 7]
  if (format === 'id') return mostly<unknown>(idOf(name), fc.oneof(fc.constantFrom(...odd), fc.integer()))
  const file = idOf('fileID').map((id) => `<!${id}|>`)
  const person = idOf('userID').map((id) => `<@${id}|>`)
  return fc.oneof(
    { arbitrary: idOf(name), weight: 6 },
    { arbitrary: anySource.map((source) => source.slice(0, maxLength)), weight: 6 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 60) }), weight: 4 },
    { arbitrary: fc.oneof(file, person), weight: 1 },
    { arbitrary: hostileText.map((found) => found.repeat(Math.ceil(maxLength / (found.length + 1)))), weight: 1 },
  )
}

/** Generates bodies that a schema nearly accepts: one field is wrong or missing. */
function nearlyValidOf(schema: ObjectSchema): fc.Arbitrary<object> {
  const odd = fc.oneof(
    fc.constantFrom(null, true, 1.5, -0, '', ' ', '\0', '\ud800', [], {}, [[]], 'x'.repeat(50_000), 2 ** 60),
    fc.constantFrom('\u202e', '\u0301\u0323'.repeat(2000), Array(2000).fill('1'), { length: 3 }),
    fc.jsonValue(),
  )
  const names = fc.constantFrom(...Object.keys(schema.properties), 'more', 'toString')
  return fc.tuple(objectOf(schema), names, odd, fc.nat(2)).map(([body, name, wrong, how]) => {
    const { [name]: value, ...others } = body
    if (how === 0) return others
    return { ...body, [name]: how === 1 ? wrong : [...(Array.isArray(value) ? value : []), wrong] }
  })
}
