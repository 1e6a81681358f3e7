/** The values of builders and templates: text, nodes, arrays of both, and omitted values. */
import { describe, UNREADABLE } from '../describe.js'
import { type Problem, throwProblems } from '../errors.js'
import { groupOf, isList, LEVELS_MAX } from '../tree/check.js'
import { problemsOf } from '../tree/strict.js'
import type { Block, Link, Root } from '../tree.js'

/** A value that becomes text. A date becomes its ISO 8601 form, in UTC. */
export type TextValue = string | number | bigint | Date

/** A value that adds nothing, so that `isLate && text('late')` can be a child. */
export type Omitted = null | undefined | false

/** A node, an array of children, or an omitted value. */
export type Child<Node> = Node | Omitted | readonly Child<Node>[]

/** A `URL`, or any object with these fields, because not every runtime has the class `URL`. */
export interface UrlValue {
  readonly href: string
  readonly protocol: string
}

/**
 * Flattens a value into parts: array → its elements; text → a string; http or https URL → a link; any other URL → a string; a
 * template's result that is a single paragraph → its children; any other value → the value. `index` names the value in errors.
 */
export function partsOf(value: unknown, index: number): unknown[] {
  if (typeof value === 'string') return [value]
  return flattenChildren<unknown>([value], ['values', index]).flatMap((each): unknown[] => {
    if (isUrl(each)) return [['http:', 'https:'].includes(each.protocol) ? bareLink(each.href) : each.href]
    if (!isRoot(each)) return [textOrNull(each) ?? each]
    throwAtValue(problemsOf(each, 'root'), index, 0)
    const [block, ...others] = each.children
    if (block?.type === 'paragraph' && others.length === 0) return partsOf(block.children, index)
    return block === undefined ? [] : [each]
  })
}

/** Flattens arrays and removes omitted values. `path` is the path in errors, `outer` contains the arrays around `values`. */
export function flattenChildren<Node>(
  values: readonly Child<Node>[],
  path: Problem['path'] = [],
  outer: readonly unknown[] = [],
): Node[] {
  const fail = (code: Problem['code'], valid: string, received: string): void =>
    throwProblems([{ code, path, valid, received }])
  if (outer.includes(values)) fail('tree/cycle', 'tree', 'array inside itself')
  if (outer.length > LEVELS_MAX) fail('tree/depth', `at most ${LEVELS_MAX} levels`, `array on level ${LEVELS_MAX + 1}`)
  let items: readonly Child<Node>[] = []
  try {
    // The standard `filter` is called, because an array may have its own.
    items = Array.prototype.filter.call(values, (value) => value !== null && value !== undefined && value !== false)
  } catch {
    fail('tree/child', 'array', UNREADABLE)
  }
  // The omitted values have been removed, and arrays contain the same type of children, so the cast holds.
  return items.flatMap((value) => (isList(value) ? flattenChildren(value, path, [...outer, values]) : [value as Node]))
}

/** Returns the text of a text value, a text node or a break; null for any other value. */
function textOrNull(value: unknown): string | null {
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
    // `instanceof` can throw on a proxy, which is not a date.
    return false
  }
}

/** Returns a value as a string. Throws RangeError for an invalid date. Returns other types unchanged, for the check to reject. */
export function textOf(value: TextValue): string {
  if (!isDate(value)) return isTextValue(value) ? String(value) : value
  return value.toISOString()
}

/** Whether a value is a URL, and not a node with the same fields. */
export function isUrl(value: unknown): value is UrlValue {
  if (fieldOf(value, 'type') !== undefined) return false
  return typeof fieldOf(value, 'href') === 'string' && typeof fieldOf(value, 'protocol') === 'string'
}

/** Returns a link that shows its URL. */
export function bareLink(url: string): Link {
  return { type: 'link', url, title: null, children: [{ type: 'text', value: url }] }
}

/** Returns the parts of a value as strings. Throws TypeError if a part is not text. */
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
  return groupOf(fieldOf(part, 'type')) === 'block'
}

/** Throws if a parent of this type cannot contain the part. */
export function checkChild(part: unknown, type: 'root' | 'paragraph' | 'link', index: number): void {
  const problems = problemsOf({ type, url: '', title: null, children: [part] }, type)
  // A user is often passed instead of a mention, so the error names `mention`.
  const isUser = fieldOf(part, 'type') === undefined && fieldOf(part, 'userID') !== undefined
  const received = 'user (write mention(user))'
  throwAtValue(isUser ? problems.map((problem) => ({ ...problem, received })) : problems, index, 2)
}

/** Throws the problems, if any. Each path becomes `values`, `index`, and the keys of the old path after the first `from` keys. */
export function throwAtValue(problems: readonly Problem[], index: number, from: number): void {
  throwProblems(problems.map((problem) => ({ ...problem, path: ['values', index, ...problem.path.slice(from)] })))
}

/** Returns a field of any value; undefined if the value does not have the field or cannot be read. */
export function fieldOf(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}
