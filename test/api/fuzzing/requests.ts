/** Requests generated from the service's OpenAPI document: valid, nearly valid and invalid ones. */

import fc from 'fast-check'
import { anySource, hostileText } from '../../../src/arbitraries/index.js'

/** The fields of a JSON Schema that are read. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly schema: Schema
}

export interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

/** The fields of an OpenAPI document that are read, with references resolved. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A request without the ids of the service. */
export interface Drawn {
  readonly path: string
  readonly method: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Text, or the file of a form. */
  readonly body: string | { readonly name: string; readonly content: string } | null
}

/** A placeholder for an id that the service returned for a field of this name. The sender of the request replaces it. */
const idOf = (field: string, which: number): string => `\u27e6${field} ${which}\u27e7`

/** Replaces the placeholders with ids. */
export function withIDs(text: string, ids: ReadonlyMap<string, readonly string[]>): string {
  return text.replace(/\u27e6(\w+) (\d+)\u27e7/g, (_, field: string, which: string) => {
    const known = ids.get(field) ?? []
    return known[Number(which) % Math.max(1, known.length)] ?? '7'
  })
}

/** Requests to every operation of the document. */
export function requestsOf({ paths }: Description): fc.Arbitrary<Drawn> {
  const each = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => requestOf(path, method.toUpperCase(), operation)),
  )
  const undescribed = fc.record({
    path: fc.constantFrom(...Object.keys(paths), '/api/public/', '/api/public/deleteUser'),
    method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    query: fc.constant({}),
    headers: headersOf('application/json', []),
    body: fc.constantFrom(null, '{}'),
  })
  return fc.oneof({ arbitrary: fc.oneof(...each), weight: 30 }, { arbitrary: undescribed, weight: 1 })
}

function requestOf(path: string, method: string, operation: Operation): fc.Arbitrary<Drawn> {
  const [[type, content] = ['application/json', undefined]] = Object.entries(operation.requestBody?.content ?? {})
  const parameters = operation.parameters ?? []
  const fixed = { path: fc.constant(path), method: fc.constant(method) }
  return fc.record({
    ...fixed,
    query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: headersOf(type, method === 'GET' ? [] : parameters.filter((parameter) => parameter.in === 'header')),
    body: method === 'GET' ? fc.constant(null) : type === 'multipart/form-data' ? formFile : bodyOf(content?.schema),
  })
}

const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ arbitrary: usual, weight: 15 }, { arbitrary: other, weight: 1 })

/** An object with the required fields and some of the others. */
function sometimes(
  fields: Readonly<Record<string, fc.Arbitrary<string>>>,
  requiredKeys: string[],
): fc.Arbitrary<Record<string, string>> {
  // A field can be absent, although the type of a record does not say so.
  return fc.record(fields, { requiredKeys }) as fc.Arbitrary<Record<string, string>>
}

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const odd = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('0', '-1', '1e3', ''))
  const values = parameters.map(({ name, schema }) => [name, mostly(valueFor(schema, name).map(String), odd)])
  return sometimes(Object.fromEntries(values), [])
}

/** `Bearer` alone means the valid API key, which the sender adds. */
function headersOf(type: string, parameters: readonly Parameter[]): fc.Arbitrary<Record<string, string>> {
  const visible = (text: string): string => text.replace(/[^!-~]/g, '') || 'x'
  const others = parameters.map(({ name, schema }): [string, fc.Arbitrary<string>] => [
    name.toLowerCase(),
    mostly(
      fc.oneof(
        { arbitrary: valueFor(schema, name).map(String).map(visible), weight: 6 },
        { arbitrary: fc.constantFrom('one', 'two'), weight: 1 },
      ),
      fc.constant('x'.repeat(256)),
    ),
  ])
  const wrongKeys = fc.constantFrom('', 'Bearer', 'Bearer wsk_x', `Bearer wsk_${'0'.repeat(49)}`, 'Basic x')
  const wrongTypes = fc.constantFrom(
    '',
    'text/plain',
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
  )
  return sometimes(
    {
      authorization: mostly(fc.constant('Bearer'), wrongKeys),
      'content-type': mostly(fc.constantFrom(type, `${type}; charset=utf-8`), wrongTypes),
      'content-encoding': mostly(fc.constant('identity'), fc.constant('gzip')),
      ...Object.fromEntries(others),
    },
    ['authorization', 'content-type'],
  )
}

const formFile: fc.Arbitrary<Drawn['body']> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('a.png', 'ü.svg', '..', 'x'.repeat(3000))),
      content: fc.oneof(
        hostileText,
        fc.string({ maxLength: 300 }),
        fc.constantFrom(
          '',
          '%PDF-1.7',
          '\x89PNG\r\n\x1a\n',
          'GIF89a\x01\x00\x01\x00',
          '<svg xmlns=""/>',
          '\0',
          'PK\x03\x04',
        ),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, '', '{}', '--b\r\n', 'x'.repeat(5000)) },
)

function bodyOf(schema: Schema | undefined): fc.Arbitrary<string | null> {
  const right = schema === undefined ? fc.anything().map(textOf) : valueFor(schema, '').map(textOf)
  const nearly = schema === undefined ? right : nearlyOf(schema).map(textOf)
  const wrong = fc.oneof(
    fc.jsonValue({ depthSize: 'medium' }).map(textOf),
    fc.string({ maxLength: 60 }),
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '{"a":1,}',
      '\ufeff{}',
      `${'['.repeat(70)}${']'.repeat(70)}`,
      '{"__proto__":{}}',
    ),
    right.chain((text) => fc.nat({ max: text.length }).map((end) => text.slice(0, end))),
  )
  return fc.oneof(
    { arbitrary: right, weight: 14 },
    { arbitrary: nearly, weight: 6 },
    { arbitrary: wrong, weight: 2 },
    { arbitrary: fc.constant(null), weight: 1 },
  )
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/** Values that a schema accepts. `field` is the field of the schema, whose ids the service may know. */
function valueFor(schema: Schema, field: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.includes('object')) return objectOf(schema, (part, name) => valueFor(part, name))
  if (types.includes('array')) return listOf(schema, field)
  if (types.includes('string')) return stringOf(schema, field, types.includes('integer'))
  if (types.includes('integer')) return fc.integer({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 })
  return fc.anything()
}

function objectOf(
  { properties = {}, required = [] }: Schema,
  part: (schema: Schema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, part(schema, name)])
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
}

function listOf({ items = {}, minItems = 0, maxItems = 100 }: Schema, field: string): fc.Arbitrary<unknown[]> {
  const item = valueFor(items, field.replace(/s$/, ''))
  const few = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) })
  const many = fc.tuple(item, fc.constantFrom(maxItems, maxItems - 1)).map(([one, count]) => Array(count).fill(one))
  return fc.oneof({ arbitrary: few, weight: 60 }, { arbitrary: many, weight: 1 })
}

const KNOWN_ID = /ID$|^cursor$/

function stringOf(
  { minLength = 0, maxLength = 200 }: Schema,
  field: string,
  isInteger: boolean,
): fc.Arbitrary<unknown> {
  const known = fc.nat({ max: 1000 }).map((which) => idOf(field, which))
  const ids = fc.oneof(
    { arbitrary: known, weight: 12 },
    {
      arbitrary: fc.constantFrom('7', '0', 'x', '9007199254740993', '00000000-0000-7000-8000-000000000000'),
      weight: 1,
    },
    { arbitrary: isInteger ? fc.integer() : fc.string({ minLength, maxLength: Math.min(maxLength, 40) }), weight: 1 },
  )
  if (KNOWN_ID.test(field)) return ids
  const file = fc.nat({ max: 1000 }).map((which) => `<!${idOf('fileID', which)}|>`)
  const person = fc.nat({ max: 1000 }).map((which) => `<@${idOf('userID', which)}|>`)
  const text = fc.oneof(
    { arbitrary: known, weight: 6 },
    { arbitrary: anySource.map((source) => source.slice(0, maxLength)), weight: 6 },
    { arbitrary: fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 60) }), weight: 4 },
    { arbitrary: fc.oneof(file, person), weight: 1 },
    { arbitrary: hostileText.map((found) => found.repeat(Math.ceil(maxLength / (found.length + 1)))), weight: 1 },
  )
  return text
}

/** Values that a schema nearly accepts: one part is wrong. */
function nearlyOf(schema: Schema): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom(null, true, 1.5, -0, '', ' ', '\0', '\ud800', [], {}, [[]], 'x'.repeat(50_000), 2 ** 60),
    fc.constantFrom('\u202e', '\u0301\u0323'.repeat(2000), Array(2000).fill('1'), { length: 3 }),
    fc.jsonValue(),
  )
  const names = Object.keys(schema.properties ?? {})
  const right = objectOf(schema, valueFor)
  const replaced = fc
    .tuple(right, fc.constantFrom(...names, 'more', 'toString'), odd)
    .map(([value, name, wrong]) => ({ ...value, [name]: wrong }))
  const without = fc.tuple(right, fc.constantFrom(...names)).map(([value, name]) => {
    const { [name]: _, ...others } = value
    return others
  })
  const nested = fc.tuple(right, fc.constantFrom(...names), odd).map(([value, name, wrong]) => {
    const part = value[name]
    return { ...value, [name]: Array.isArray(part) ? [...part, wrong] : [wrong] }
  })
  return fc.oneof(replaced, without, nested)
}
