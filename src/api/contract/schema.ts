/**
 * The schemas of the contract: the part of JSON Schema 2020-12 that the endpoints need, and `read`, which applies them.
 * The API cannot import a library for JSON Schema; a test compares `read` with such a library.
 */

import { lengthOf } from '../../check/limits.js'
import type { Detail } from './errors.js'
import { fieldSentences as say } from './sentences.js'

/** The schema of a string. By its `format`, `read` converts ids to strings, normalizes names, and skips messages. */
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
  /** `markdown` marks the blocks of a post. */
  readonly format?: 'markdown'
  readonly description?: string
  readonly items: StringSchema
  readonly minItems?: number
  readonly maxItems?: number
}

/** The schema of a field. */
export type FieldSchema = StringSchema | ArraySchema

export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  /** Alternatives: at least one of these fields is required. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[]
}

/** The schema of a list of objects. */
export interface ListSchema<Item extends ObjectSchema = ObjectSchema> {
  readonly type: 'array'
  readonly items: Item
}

/** The type of the schema for values of the given type. */
export type SchemaOf<Value> = [Value] extends [string]
  ? StringSchema
  : [Value] extends [readonly string[]]
    ? ArraySchema
    : [Value] extends [readonly (infer Item)[]]
      ? ListSchema<ObjectSchemaOf<Item>>
      : ObjectSchemaOf<Value>

/** The type of the schema for an object. The compiler compares the names and types of its fields with `Fields`. */
export type ObjectSchemaOf<Fields> = ObjectSchema & {
  readonly properties: { readonly [Name in keyof Required<Fields>]: SchemaOf<NonNullable<Fields[Name]>> }
  readonly required: readonly (keyof Fields & string)[]
  readonly anyOf?: readonly { readonly required: readonly (keyof Fields & string)[] }[]
}

/** Returns the schema of an object whose fields are all required. */
export function objectOf<Fields>(properties: ObjectSchemaOf<Fields>['properties']): ObjectSchemaOf<Fields> {
  const schema: ObjectSchema = { type: 'object', properties, required: Object.keys(properties) }
  // The cast is safe: every field is required.
  return schema as ObjectSchemaOf<Fields>
}

type Path = Detail['path']

/**
 * Reads a body by its schema, and returns it with all of its problems. Integer ids become strings, and names are normalized.
 * The given object is not changed.
 */
export function read(schema: ObjectSchema, fields: object): { body: Record<string, unknown>; problems: Detail[] } {
  const problems: Detail[] = []
  const body: Record<string, unknown> = {}
  const values = new Map<string, unknown>(Object.entries(fields))
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = values.get(name)
    const isRequired = schema.required?.includes(name) === true
    // For an optional field without a value, some clients send null, and forms send an empty name or id.
    const allowsEmpty = 'minLength' in field && field.minLength === 0
    const isAbsent = value === undefined || (!isRequired && (value === null || (value === '' && allowsEmpty)))
    if (!isAbsent) body[name] = readValue(field, value, [name], problems)
    else if (isRequired) problems.push(detail([name], 'required', say.missing))
  }
  const [first, ...others] = (schema.anyOf ?? []).flatMap(({ required }) => required)
  if (first !== undefined && ![first, ...others].some((name) => name in body)) {
    const alternatives = others.map((name) => `\`${name}\``).join(' or ')
    problems.push(detail([first], 'required', (name) => say.missingOneOf(name, alternatives)))
  }
  return { body, problems }
}

function readValue(schema: FieldSchema, value: unknown, path: Path, problems: Detail[]): unknown {
  // Messages are not read here: the core checks their limits, and finds the position of every problem.
  if (schema.format === 'markdown') return value
  if (schema.type !== 'array') return readString(schema, value, path, problems)
  if (!Array.isArray(value)) {
    problems.push(detail(path, 'type', say.notAList))
    return undefined
  }
  const sizes = sizeProblems(path, 'items', value.length, schema.minItems, schema.maxItems)
  problems.push(...sizes)
  // The items of a list over the limit are not read: one problem is enough.
  if (sizes.length > 0) return undefined
  return value.map((item, index) => readString(schema.items, item, [...path, index], problems))
}

function readString(schema: StringSchema, given: unknown, path: Path, problems: Detail[]): unknown {
  const value = schema.format === 'id' && Number.isInteger(given) ? String(given) : given
  if (typeof value !== 'string') {
    problems.push(detail(path, 'type', (name) => say.notAString(name, given)))
    return undefined
  }
  const { minLength, maxLength = Number.POSITIVE_INFINITY } = schema
  // A string that is far too long is not read: normalizing it would take time quadratic in its length.
  if (value.trim().length > maxLength * COMPOSED_UNITS_MAX) {
    problems.push(...sizeProblems(path, 'characters', lengthOf(value.trim()), minLength, maxLength))
    return undefined
  }
  if (/[\0\p{Surrogate}]/u.test(value)) problems.push(detail(path, 'characters', say.unreadable))
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const choices = schema.enum.map((choice) => `\`${choice}\``).join(' or ')
    problems.push(detail(path, 'enum', (name) => say.notAChoice(name, choices)))
  }
  const isName = schema.format === 'name' || schema.format === 'channel-name'
  const text = isName ? readName(value, schema.format === 'channel-name') : value
  if (isName && !isNameVisible(text)) problems.push(detail(path, 'characters', say.hidden))
  problems.push(...sizeProblems(path, 'characters', lengthOf(text), minLength, maxLength))
  return text
}

/** Maximum code units that NFC composes to one character: at most four code points (U+1F82) of two code units each. */
const COMPOSED_UNITS_MAX = 8

function sizeProblems(path: Path, unit: string, actual: number, min = 0, max = Number.POSITIVE_INFINITY): Detail[] {
  if (actual < min) return [detail(path, 'too_short', say.empty, { limit: min, actual })]
  if (actual <= max) return []
  return [detail(path, 'too_long', (name) => say.tooLong(name, max, unit, actual), { limit: max, actual })]
}

/** Returns a problem of a field. `sentence` returns the problem's message for the field's name. */
export function detail(
  path: Path,
  code: string,
  sentence: (name: string) => string,
  size: Pick<Detail, 'limit' | 'actual'> = {},
): Detail {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join('')
  return { path, code, message: sentence(`\`${name}\``), ...size }
}

/** Normalizes a name: trims it, converts it to NFC, and removes one leading `#` if it is a channel's name. */
export function readName(name: string, isChannel: boolean): string {
  const trimmedName = name.trim().normalize('NFC')
  return isChannel && trimmedName.startsWith('#') ? trimmedName.slice(1).trim() : trimmedName
}

/**
 * Invisible and bidirectional control characters, which names may not contain. Joiners, variation selectors and the tags
 * of flags are allowed: scripts and emoji need them.
 */
export const HIDDEN: RegExp =
  /[\p{Cc}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!\p{Join_Control}|\p{Variation_Selector}|[\u034F\u{E0020}-\u{E007F}])\p{DI}/u

/** Whether a name has no hidden character, and at least one visible one. True if it is empty: the check of lengths reports that. */
export function isNameVisible(name: string): boolean {
  return !HIDDEN.test(name) && (name === '' || /[^\p{DI}\p{White_Space}]/u.test(name))
}

/**
 * Folds the case of a name, for comparisons. Conversion to upper case makes `ß` equal to `ss`; the lower case before that
 * makes `ẞ` equal to `ß`. An `ı` is not converted, because it has the same upper case as `i`.
 */
export function nameKey(name: string): string {
  const foldCase = (part: string): string => part.toLowerCase().toUpperCase().toLowerCase()
  return name.normalize('NFC').split('ı').map(foldCase).join('ı').normalize('NFC')
}
