/** The values of builders and templates: text, nodes, arrays of both, and values that are left out. */
import { describe, UNREADABLE } from '../describe.js'
import { type Problem, throwProblems } from '../errors.js'
import { isList, LEVELS_MAX } from '../tree/check.js'
import { problemsOf } from '../tree/strict.js'
import { type Block, type Link, type Root, typesOf } from '../tree.js'

/** A value that is text: a date becomes ISO 8601, in UTC. */
export type TextValue = string | number | bigint | Date

/** A value that is left out, so that `isLate && text('late')` can be a child. */
export type Omitted = null | undefined | false

/** A node, an array of children, or a value that is left out. */
export type Child<Node> = Node | Omitted | readonly Child<Node>[]

/** A `URL`, or any object with these fields: not every runtime has the class. */
export interface UrlValue {
  readonly href: string
  readonly protocol: string
}

/**
 * Returns the parts of a value: strings for text, any other value as it is. Arrays are flattened, and so is another template's result
 * that is one paragraph. A URL becomes a link.
 */
export function partsOf(value: unknown, index: number): unknown[] {
  if (typeof value === 'string') return [value]
  return flat([value], ['values', index]).flatMap((each): unknown[] => {
    if (isUrl(each)) return [['http:', 'https:'].includes(each.protocol) ? linkTo(each) : each.href]
    if (!isRoot(each)) return [textFrom(each) ?? each]
    throwAtValue(problemsOf(each, 'root'), index, 0)
    const [block, ...others] = each.children
    if (block?.type === 'paragraph' && others.length === 0) return partsOf(block.children, index)
    return block === undefined ? [] : [each]
  })
}

/** Flattens arrays, without the values that are left out. `path` is their path in an error, `outer` are the arrays around them. */
export function flat(
  values: readonly unknown[],
  path: Problem['path'] = [],
  outer: readonly unknown[] = [],
): unknown[] {
  const fail = (code: Problem['code'], valid: string, received: string): void =>
    throwProblems([{ code, path, valid, received }])
  if (outer.includes(values)) fail('tree/cycle', 'tree', 'array inside itself')
  if (outer.length > LEVELS_MAX) fail('tree/depth', `at most ${LEVELS_MAX} levels`, `array on level ${LEVELS_MAX + 1}`)
  let items: unknown[] = []
  try {
    // An array may have its own methods.
    items = Array.prototype.filter.call(values, (value) => value !== null && value !== undefined && value !== false)
  } catch {
    fail('tree/child', 'array', UNREADABLE)
  }
  return items.flatMap((value) => (isList(value) ? flat(value, path, [...outer, values]) : [value]))
}

/** Returns the text of a value or of a node that is text; null if it has none. */
function textFrom(value: unknown): string | null {
  if (isTextValue(value)) return textOf(value)
  if (fieldOf(value, 'type') === 'break') return '\n'
  const text = fieldOf(value, 'type') === 'text' ? fieldOf(value, 'value') : null
  return typeof text === 'string' ? text : null
}

export function isTextValue(value: unknown): value is TextValue {
  return ['string', 'number', 'bigint'].includes(typeof value) || isDate(value)
}

function isDate(value: unknown): value is Date {
  try {
    return value instanceof Date
  } catch {
    // `instanceof` can throw on a proxy.
    return false
  }
}

/** Returns the text of a value. A value of another type is returned unchanged, and the check rejects it. */
export function textOf(value: TextValue): string {
  if (!isDate(value)) return isTextValue(value) ? String(value) : value
  if (Number.isNaN(value.getTime())) throw new RangeError('expected a date, received an invalid one')
  return value.toISOString()
}

/** Whether a value is a URL, and not a node with the same fields. */
export function isUrl(value: unknown): value is UrlValue {
  if (fieldOf(value, 'type') !== undefined) return false
  return typeof fieldOf(value, 'href') === 'string' && typeof fieldOf(value, 'protocol') === 'string'
}

function linkTo({ href }: UrlValue): Link {
  return { type: 'link', url: href, title: null, children: [{ type: 'text', value: href }] }
}

/** Returns the parts of a value that must be text. */
export function textsOf(value: unknown, index: number): string[] {
  if (isUrl(value)) return [value.href]
  return partsOf(value, index).map((part) => {
    if (typeof part === 'string') return part
    throw new TypeError(`md: expected text at /values/${index}, received ${describe(part)}`)
  })
}

/** Whether a part is the result of another template, which `partsOf` has checked. */
export function isRoot(part: unknown): part is Root {
  return fieldOf(part, 'type') === 'root'
}

/** Whether a part has the type of a block. It may still be invalid, so it must be checked before it is used. */
export function isBlock(part: unknown): part is Block {
  return typesOf('block').some((type) => type === fieldOf(part, 'type'))
}

/** Throws if a parent of this type cannot contain the part. */
export function checkChild(part: unknown, type: 'root' | 'paragraph' | 'link', index: number): void {
  const problems = problemsOf({ type, url: '', title: null, children: [part] }, type)
  const received = describeMistake(part)
  throwAtValue(received === undefined ? problems : problems.map((problem) => ({ ...problem, received })), index, 2)
}

/** Describes values that are often passed by mistake: a user, and a message that is not one paragraph. */
function describeMistake(part: unknown): string | undefined {
  if (isRoot(part)) {
    const [block, ...others] = part.children
    return others.length > 0 ? 'several blocks (truncate with lines: 1 gives one paragraph)' : block?.type
  }
  const isUser = fieldOf(part, 'type') === undefined && fieldOf(part, 'userID') !== undefined
  return isUser ? 'user (write mention(user))' : undefined
}

/** Throws the problems, if there are any. Their paths become `values`, the index, and their old keys from `from` on. */
export function throwAtValue(problems: readonly Problem[], index: number, from: number): void {
  throwProblems(problems.map((problem) => ({ ...problem, path: ['values', index, ...problem.path.slice(from)] })))
}

/** Returns a field of a value that may be a node; undefined if it has none, or cannot be read. */
export function fieldOf(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}
