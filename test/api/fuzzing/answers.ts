/** Checks that a response matches the service's OpenAPI document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Described {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Described>>
}

/** The fields of an OpenAPI document that are read, with references resolved. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** A response. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Returns the error of a response; null if it matches. */
export type Judge = (operation: Operation | undefined, answered: Answered) => string | null

/** Resolves all references of a document: `{"$ref": "#/a/b"}` becomes the value at `a`, `b`. */
export function resolved(document: unknown, part: unknown = document): unknown {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    const names = part.$ref.replace(/^#\//, '').split('/')
    return resolved(
      document,
      names.reduce<unknown>((whole, name) => Object(whole)[name], document),
    )
  }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(document, value)]))
}

/**
 * Creates a checker. It rejects fields that a schema does not name, although clients ignore them. `error` is the schema
 * of responses to requests without an operation in the document.
 */
export function createJudge(error: object): Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const compiled = new Map<object, ValidateFunction>()
  const problems = (schema: object, text: string): string | null => {
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema))
    compiled.set(schema, validate)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return 'it is not JSON'
    }
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
  return (operation, { status, headers, text }) => {
    if (status >= 500) return `${status} is a failure of the service`
    if (headers.get('content-type') !== 'application/json') return `the type is ${headers.get('content-type')}`
    const schema = operation === undefined ? error : operation.responses[status]?.content?.['application/json']?.schema
    if (schema === undefined) return `${status} is not described`
    const missing = ['x-request-id', ...(needed[status] ?? [])].find((name) => !headers.has(name))
    if (missing !== undefined) return `${status} lacks ${missing}`
    return problems(schema, text)
  }
}

/** The headers of all responses with a status. */
const needed: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
}

/** Returns a schema that also rejects fields without a name in it. */
function closed(schema: object): object {
  const entries = Object.entries(schema).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null && !Array.isArray(part) ? closed(part) : part,
  ])
  const copy = Object.fromEntries(entries)
  return 'properties' in copy && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy
}
