/** The contract: the reader of bodies, the OpenAPI document and the limits agree with one table. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpointNames, endpoints, errorsOf } from '../../src/api/contract/endpoints.js'
import { statuses } from '../../src/api/contract/errors.js'
import { describeApi } from '../../src/api/contract/openapi.js'
import { type FieldSchema, read } from '../../src/api/contract/schema.js'
import type { EndpointName } from '../../src/api/contract/types.js'
import { createKey, hashOfKey } from '../../src/api/keys.js'
import { seeded } from '../properties/property.js'

/** Values that are nearly valid: with every field of an endpoint, of the right type or of another one. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('x', '', 'x'.repeat(80), '😀'.repeat(81), 'y'.repeat(129), 'z'.repeat(1001), 'public', 'private'),
  fc.integer(),
  fc.constantFrom(true, 1.5, {}),
  fc.array(fc.oneof(fc.constantFrom('1', ''), fc.integer(), fc.constant(true)), { maxLength: 3 }),
)

/** Formats that JSON Schema cannot express: names are trimmed first, and the core checks messages. */
const own: readonly (string | undefined)[] = ['name', 'channel-name', 'markdown']

function isPlain(field: FieldSchema): boolean {
  return !own.includes(field.format)
}

test('the reader accepts exactly the values that a JSON Schema library accepts', () => {
  const ajv = new Ajv2020({ strict: false })
  let checked = 0
  for (const endpoint of endpointNames) {
    const schema = endpoints[endpoint].body
    if (schema === null || !Object.values(schema.properties).every(isPlain) || endpoint === 'upload') continue
    checked += 1
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema, (key, part) => (key === 'format' ? undefined : part))),
    )
    const fields = Object.fromEntries(Object.keys(schema.properties).map((name) => [name, value]))
    const body = fc.record(fields, { requiredKeys: [] })
    fc.assert(
      fc.property(body, (given) => {
        expect([given, read(schema, given).problems.length === 0]).toEqual([given, validate(given)])
      }),
      seeded,
    )
  }
  expect(checked).toBeGreaterThan(5)
})

test('the OpenAPI document has every endpoint by its first name and every method, and every error', () => {
  const { paths } = describeApi() as { paths: Record<string, Record<string, { operationId: string }>> }
  const described = Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations)])
  const methodsOf = (name: EndpointName): string[] => endpoints[name].methods.map((method) => method.toLowerCase())
  expect(described).toEqual(endpointNames.map((name) => [`/api/public/${name}`, methodsOf(name)]))
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((each) => each.operationId))
  expect(new Set(ids).size).toBe(ids.length)
  const documented: ReadonlySet<string> = new Set(endpointNames.flatMap(errorsOf))
  expect(Object.keys(statuses).filter((code) => !documented.has(code))).toEqual([])
})

test('an API key has 43 secret characters and a checksum that detects every single wrong character', () => {
  const key = createKey()
  expect(key).toMatch(/^wsk_[0-9A-Za-z]{49}$/)
  expect(hashOfKey(key)).toHaveLength(32)
  for (let at = 0; at < key.length; at += 1) {
    const wrong = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    expect(hashOfKey(wrong)).toBeNull()
  }
  // Another checksum would reject every API key that bots have.
  expect(hashOfKey('wsk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgsGn6nk')).toHaveLength(32)
})

test('the document has an example of every request and response, valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const document = JSON.parse(JSON.stringify(describeApi()))
  ajv.addSchema({ $id: 'document', components: document.components })
  let count = 0
  const check = (content: Record<string, { schema: object; example?: unknown }>): void => {
    for (const { schema, example } of Object.values(content)) {
      expect(example).toBeDefined()
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
      expect([example, validate(example), validate.errors]).toEqual([example, true, null])
      count += 1
    }
  }
  type Body = { content: never }
  type Operations = Record<string, { requestBody?: Body; responses: Record<string, Body> }>
  for (const operations of Object.values<Operations>(document.paths)) {
    for (const { requestBody, responses } of Object.values(operations)) {
      if (requestBody !== undefined) check(requestBody.content)
      if (responses[200] !== undefined) check(responses[200].content)
    }
  }
  expect(count).toBeGreaterThan(25)
})

test('413 names the limit of files for an upload, and the limit of bodies for other endpoints', () => {
  const { paths }: { paths: Readonly<Record<string, unknown>> } = JSON.parse(JSON.stringify(describeApi()))
  const of = (name: EndpointName): unknown => paths[`/api/public/${name}`]
  const described = (bytes: number): unknown => ({
    post: { responses: { 413: { description: expect.stringContaining(`At most ${bytes} bytes`) } } },
  })
  expect([of('upload'), of('postThread')]).toMatchObject([described(536_870_912), described(8_388_608)])
})
