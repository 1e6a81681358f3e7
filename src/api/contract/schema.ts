/**
 * The schemas of the contract: the part of JSON Schema 2020-12 that the endpoints need, and its reader. They are read
 * where no library may be (the client's types, the service in memory), and a test holds the reader against one.
 */

import { lengthOf } from '../../check/limits.js'
import type { Detail } from './errors.js'
import { fieldSentences as say } from './sentences.js'

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
 * Reads a value by a schema: ids that came as integers become strings, names lose what does not count, and says all
 * that is wrong with it; what came is not changed.
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
    problems.push(detail(path, 'type', say.noObject))
    return undefined
  }
  const fields: Record<string, unknown> = {}
  const given = new Map<string, unknown>(Object.entries(value))
  for (const [name, field] of Object.entries(schema.properties)) {
    const part = given.get(name)
    const isRequired = schema.required?.includes(name) === true
    // A client that has no value for an optional field may write null, and a form an empty name or id.
    const isAbsent = part === undefined || (!isRequired && (part === null || (part === '' && isTarget(field))))
    if (!isAbsent) fields[name] = readValue(field, part, [...path, name], problems)
    else if (isRequired) problems.push(detail([...path, name], 'required', say.missing))
  }
  readAlternatives(schema, fields, path, problems)
  return fields
}

/** Whether a field says which thing is meant, by its id or its name. */
function isTarget(field: Schema): boolean {
  return 'format' in field && targetFormats.includes(field.format)
}

const targetFormats: readonly (string | undefined)[] = ['id', 'name', 'channel-name']

function readAlternatives(schema: ObjectSchema, fields: Record<string, unknown>, path: Path, problems: Detail[]): void {
  const names = (schema.anyOf ?? []).flatMap(({ required }) => required)
  if (names.length === 0 || names.some((name) => name in fields)) return
  const others = names.slice(1).map((name) => `\`${name}\``)
  problems.push(detail([...path, names[0] ?? ''], 'required', (name) => say.missingOneOf(name, others.join(' or '))))
}

function readArray(schema: ArraySchema, value: unknown, path: Path, problems: Detail[]): unknown {
  if (!Array.isArray(value)) {
    problems.push(detail(path, 'type', say.noList))
    return undefined
  }
  problems.push(...sizeProblems(value.length, [schema.minItems, schema.maxItems], 'items', path))
  // What is far over the limit is not looked through: one problem says enough.
  if (schema.maxItems !== undefined && value.length > schema.maxItems) return undefined
  return value.map((item, index) => readValue(schema.items, item, [...path, index], problems))
}

function readString(schema: StringSchema, given: unknown, path: Path, problems: Detail[]): unknown {
  const value = schema.format === 'id' && Number.isInteger(given) ? String(given) : given
  if (typeof value !== 'string') {
    problems.push(detail(path, 'type', (name) => say.noString(name, kindOf(given))))
    return undefined
  }
  // What is far too long is not looked at any further: to put it into its normal form takes the square of its length.
  const lengths = [schema.minLength, schema.maxLength] as const
  if (value.trim().length > (schema.maxLength ?? value.length) * TYPED_LENGTH_MAX) {
    problems.push(...sizeProblems(lengthOf(value.trim()), lengths, 'characters', path))
    return undefined
  }
  if (/[\0\p{Surrogate}]/u.test(value)) problems.push(detail(path, 'characters', say.unreadable))
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const choices = schema.enum.map((choice) => `\`${choice}\``).join(' or ')
    problems.push(detail(path, 'enum', (name) => say.noChoice(name, choices)))
  }
  const isName = schema.format === 'name' || schema.format === 'channel-name'
  const text = isName ? readName(value, schema.format === 'channel-name') : value
  if (isName && !isShownWhole(text)) problems.push(detail(path, 'characters', say.hidden))
  problems.push(...sizeProblems(lengthOf(text), lengths, 'characters', path))
  return text
}

/** A character of the normal form is typed as four code points at most (U+1F80), each of two code units at most. */
const TYPED_LENGTH_MAX = 8

type Bounds = readonly [least: number | undefined, most: number | undefined]

function sizeProblems(
  actual: number,
  [least = 0, most = Number.POSITIVE_INFINITY]: Bounds,
  unit: string,
  path: Path,
): Detail[] {
  if (actual < least) return [{ ...detail(path, 'too_short', say.empty), limit: least, actual }]
  if (actual <= most) return []
  return [{ ...detail(path, 'too_long', (name) => say.tooLong(name, most, unit, actual)), limit: most, actual }]
}

/** A problem of a field, in one sentence; `sentence` makes it of the field's name. */
export function detail(path: Path, code: string, sentence: (name: string) => string): Detail {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join('')
  return { path, code, message: sentence(name === '' ? 'The body' : `\`${name}\``) }
}

/** What came, in a word. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A name as it is kept: without white space around it, in NFC, and a channel's without one leading `#`. */
export function readName(name: string, isChannel: boolean): string {
  const trimmed = name.trim().normalize('NFC')
  return isChannel && trimmed.startsWith('#') ? trimmed.slice(1).trim() : trimmed
}

/**
 * What a name may not hold, because nobody sees it or it turns the text around it. Joiners, variation selectors and the
 * tags of flags stay: scripts and emoji are written with them.
 */
export const HIDDEN: RegExp =
  /[\p{Cc}\p{Zl}\p{Zp}\uFFF9-\uFFFB]|(?!\p{Join_Control}|\p{Variation_Selector}|[\u034F\u{E0020}-\u{E007F}])\p{DI}/u

/** Whether a name can be read as it is; what is blank is too short, which is said elsewhere. */
export function isShownWhole(name: string): boolean {
  return !HIDDEN.test(name) && (name === '' || /[^\p{DI}\p{White_Space}]/u.test(name))
}

/**
 * What a name is compared by: its case folded. By way of upper case, because folding also joins `ß` with `ss`; `ẞ` has
 * to be `ß` before. A `ı`, whose upper case is the other letter's too, folds to itself.
 */
export function nameKey(name: string): string {
  const fold = (part: string): string => part.toLowerCase().toUpperCase().toLowerCase()
  return name.normalize('NFC').split('ı').map(fold).join('ı').normalize('NFC')
}
