/** Compares the responses of a service with its OpenAPI document. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeApi } from '../../../src/api/contract/openapi.js'

/** The fields of an OpenAPI document that are read, with references resolved. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: { readonly Error: object } }
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { schema: object } } }>
  >
}

/** Resolves all references of a document: `{"$ref": "#/a/b"}` becomes the value at `a`, `b`. */
function resolveReferences(document: unknown, part: unknown = document): unknown {
  if (Array.isArray(part)) return part.map((item) => resolveReferences(document, item))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    const names = part.$ref.replace(/^#\//, '').split('/')
    return resolveReferences(
      document,
      names.reduce<unknown>((whole, name) => Object(whole)[name], document),
    )
  }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolveReferences(document, value)]))
}

const { paths, components } = resolveReferences(describeApi()) as Description // The document comes from the service, so it has this form.

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new Map<object, ValidateFunction>()

/** The headers that every response with a status must have. */
const requiredHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
}

/**
 * Wraps a service: every response to a path of the API must match the document. Fields that a schema does not name are
 * errors, although clients ignore them. Failures of the service are not compared.
 */
export function checkResponses(
  service: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url } = request
    const response = await service(request)
    const { pathname } = new URL(url)
    if (!pathname.startsWith('/api/public/') || method === 'HEAD' || response.status >= 500) return response
    // A request that the document does not describe gets an error, or the response of another spelling.
    const operation = paths[pathname]?.[method.toLowerCase()]
    if (operation === undefined && response.ok) return response
    const schema = operation?.responses[response.status]?.content['application/json'].schema
    const problem = await problemOf(response, operation === undefined ? components.schemas.Error : schema)
    if (problem !== null) throw new Error(`${method} ${url} differs from the OpenAPI document: ${problem}`)
    return response
  }
}

async function problemOf(response: Response, schema: object | undefined): Promise<string | null> {
  const { status, headers } = response
  if (headers.get('content-type') !== 'application/json') return `the type is ${headers.get('content-type')}`
  if (schema === undefined) return `${status} is not described`
  const missing = ['x-request-id', ...(requiredHeaders[status] ?? [])].find((name) => !headers.has(name))
  if (missing !== undefined) return `${status} lacks ${missing}`
  const validate = validators.get(schema) ?? ajv.compile(closeSchema(schema))
  validators.set(schema, validate)
  return validate(await response.clone().json()) ? null : ajv.errorsText(validate.errors)
}

/** Returns a schema that also rejects fields without a name in it. */
function closeSchema(schema: object): object {
  const entries = Object.entries(schema).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null && !Array.isArray(part) ? closeSchema(part) : part,
  ])
  const copy = Object.fromEntries(entries)
  return 'properties' in copy && copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy
}
