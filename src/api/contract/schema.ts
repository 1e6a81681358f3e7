/**
 * The schemas of the contract: the part of JSON Schema 2020-12 that the endpoints need, and its reader. They are read
 * where no library may be (the client's types, the service in memory), and a test holds the reader against one.
 */

import type { Detail } from './errors.js'

/** A string; `format` says how it is read before it is measured. */
export interface StringSchema {
  readonly type: 'string' | readonly ['string', 'integer']
  readonly description?: string
  readonly format?: 'id' | 'name' | 'channel-name' | 'markdown' | 'email' | 'uri' | 'binary'
  readonly enum?: readonly string[]
  /** Lengths count code points, as JSON Schema's do. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: string
}

export interface ArraySchema {
  readonly type: 'array'
  /** A post's blocks. */
  readonly format?: 'markdown'
  readonly description?: string
  readonly items: Schema
  readonly minItems?: number
  readonly maxItems?: number
}

export interface ObjectSchema {
  readonly type: 'object'
  readonly description?: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** At least one of these fields has to be there. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[]
}

export type Schema = StringSchema | ArraySchema | ObjectSchema

/** An object's schema whose fields are those of a declared type, so that the compiler compares the two. */
export interface SchemaOf<Fields> extends ObjectSchema {
  readonly properties: { readonly [Name in keyof Required<Fields>]: Schema }
  readonly required?: readonly (keyof Fields & string)[]
  readonly anyOf?: readonly { readonly required: readonly (keyof Fields & string)[] }[]
}

type Path = readonly (string | number)[]

/** What a value was read as, with everything that is wrong with it. */
export interface Reading {
  readonly value: unknown
  readonly problems: readonly Detail[]
}

/**
 * Reads a value by a schema: ids that came as integers become strings, names lose what does not count.
 *
 * @param schema - what is expected
 * @param value - what came, as JSON gives it; it is not changed
 * @returns the value with only the schema's fields, and all problems
 */
export function read(schema: Schema, value: unknown): Reading {
  const problems: Detail[] = []
  return { value: readValue(schema, value, [], problems), problems }
}

function readValue(schema: Schema, value: unknown, path: Path, problems: Detail[]): unknown {
  // A message is the core's to check: its limits, and the place of every problem.
  if ('format' in schema && schema.format === 'markdown') return value
  if (schema.type === 'object') return readObject(schema, value, path, problems)
  if (schema.type === 'array') return readArray(schema, value, path, problems)
  return readString(schema, value, path, problems)
}

function readObject(schema: ObjectSchema, value: unknown, path: Path, problems: Detail[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(detail(path, 'type', 'must be an object'))
    return undefined
  }
  const fields: Record<string, unknown> = {}
  const given = new Map<string, unknown>(Object.entries(value))
  for (const [name, field] of Object.entries(schema.properties)) {
    const part = given.get(name)
    // A client that has no value for an optional field may write null.
    const isAbsent = part === undefined || (part === null && schema.required?.includes(name) !== true)
    if (!isAbsent) fields[name] = readValue(field, part, [...path, name], problems)
    else if (schema.required?.includes(name) === true) problems.push(detail([...path, name], 'required', 'is required'))
  }
  readAlternatives(schema, fields, path, problems)
  return fields
}

function readAlternatives(schema: ObjectSchema, fields: Record<string, unknown>, path: Path, problems: Detail[]): void {
  const names = (schema.anyOf ?? []).flatMap(({ required }) => required)
  if (names.length === 0 || names.some((name) => name in fields)) return
  problems.push(detail([...path, names[0] ?? ''], 'required', `is required, or ${names.slice(1).join(' or ')}`))
}

function readArray(schema: ArraySchema, value: unknown, path: Path, problems: Detail[]): unknown {
  if (!Array.isArray(value)) {
    problems.push(detail(path, 'type', 'must be an array'))
    return undefined
  }
  checkSize(value.length, schema.minItems, schema.maxItems, 'items', path, problems)
  // What is far over the limit is not looked through: one problem says enough.
  if (schema.maxItems !== undefined && value.length > schema.maxItems) return undefined
  return value.map((item, index) => readValue(schema.items, item, [...path, index], problems))
}

function readString(schema: StringSchema, given: unknown, path: Path, problems: Detail[]): unknown {
  const value = schema.format === 'id' && Number.isInteger(given) ? String(given) : given
  if (typeof value !== 'string') {
    problems.push(detail(path, 'type', 'must be a string'))
    return undefined
  }
  if (/[\0\p{Surrogate}]/u.test(value)) {
    problems.push(detail(path, 'characters', 'must hold neither U+0000 nor a lone surrogate'))
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    problems.push(detail(path, 'enum', `must be one of ${schema.enum.join(', ')}`))
  }
  const isName = schema.format === 'name' || schema.format === 'channel-name'
  const text = isName ? readName(value, schema.format === 'channel-name') : value
  if (isName && /\p{Cc}/u.test(text)) problems.push(detail(path, 'characters', 'must hold no control character'))
  checkSize(codePoints(text), schema.minLength, schema.maxLength, 'characters', path, problems)
  return text
}

function checkSize(
  actual: number,
  least: number | undefined,
  most: number | undefined,
  unit: string,
  path: Path,
  problems: Detail[],
): void {
  if (least !== undefined && actual < least) {
    problems.push({ ...detail(path, 'too_short', `needs at least ${least} ${unit}`), limit: least, actual })
  }
  if (most !== undefined && actual > most) {
    problems.push({
      ...detail(path, 'too_long', `takes at most ${most} ${unit}, this has ${actual}`),
      limit: most,
      actual,
    })
  }
}

/** How many code points a string has, counted without making an array of them. */
function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1
  return count
}

/**
 * A problem of a field, in one sentence that begins with the field's name.
 *
 * @param path - the field
 * @param code - what kind of problem it is
 * @param what - the sentence behind the name
 * @returns the problem as an answer's details hold it
 */
export function detail(path: Path, code: string, what: string): Detail {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join('')
  return { path, code, message: `${name === '' ? 'The body' : name} ${what}.` }
}

/**
 * A name as it is kept: without white space around it, in NFC, and a channel's without one leading `#`.
 *
 * @param name - as it was typed
 * @param isChannel - whether a leading `#` is how people write it
 * @returns the name
 */
export function readName(name: string, isChannel: boolean): string {
  const trimmed = name.normalize('NFC').trim()
  return isChannel && trimmed.startsWith('#') ? trimmed.slice(1).trim() : trimmed
}

/**
 * What a name is compared by: its case folded. By way of upper case, because folding also joins `ß` with `ss`; `ẞ` has to
 * be `ß` before. A `ı`, whose upper case is the other letter's too, folds to itself.
 *
 * @param name - as `readName` gives it
 * @returns the key
 */
export function nameKey(name: string): string {
  const fold = (part: string): string => part.toLowerCase().toUpperCase().toLowerCase()
  return name.normalize('NFC').split('ı').map(fold).join('ı').normalize('NFC')
}
