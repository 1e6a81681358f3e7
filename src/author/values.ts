/** The values of a template. */

import { describe, type Problem, throwProblems } from '../errors.js'
import { LEVELS_MAX } from '../tree/check.js'
import { problemsOf } from '../tree/strict.js'
import { type Block, type Link, type Root, typesOf } from '../tree.js'

/** A `URL`, or any object with these fields: not every runtime has the class. */
export interface UrlValue {
  readonly href: string
  readonly protocol: string
}

/**
 * Returns the parts of a value: strings for text, any other value as it is. Arrays are flattened, and so is another template's result
 * that is one paragraph. A URL becomes a link.
 */
export function partsOf(value: unknown, index: number, parts: unknown[] = []): unknown[] {
  if (typeof value === 'string') parts.push(value)
  else if (isUrl(value)) parts.push(['http:', 'https:'].includes(value.protocol) ? linkTo(value) : value.href)
  else if (Array.isArray(value)) for (const each of flat(value, ['values', index])) partsOf(each, index, parts)
  else if (isRoot(value)) {
    refuse(problemsOf(value, 'root'), index, 0)
    const [block, ...others] = value.children
    if (block?.type === 'paragraph' && others.length === 0) partsOf(block.children, index, parts)
    else if (block !== undefined) parts.push(value)
  } else if (value !== null && value !== undefined && value !== false) parts.push(stringFrom(value) ?? value)
  return parts
}

/** Returns the values of nested arrays in sequence. `path` is their path in an error, `outer` the arrays around them. */
export function flat(
  values: readonly unknown[],
  path: Problem['path'] = [],
  outer: readonly unknown[] = [],
): unknown[] {
  if (outer.includes(values)) {
    throwProblems([{ code: 'tree/cycle', path, expected: 'tree', received: 'array inside itself' }])
  }
  if (outer.length > LEVELS_MAX) {
    const received = `array on level ${LEVELS_MAX + 1}`
    throwProblems([{ code: 'tree/depth', path, expected: `at most ${LEVELS_MAX} levels`, received }])
  }
  return values.flatMap((value) => (Array.isArray(value) ? flat(value, path, [...outer, values]) : [value]))
}

/** Returns the text of a value that is not a string, null if it has none. */
function stringFrom(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return writeDate(value)
  if (fieldOf(value, 'type') === 'break') return '\n'
  const text = fieldOf(value, 'type') === 'text' ? fieldOf(value, 'value') : null
  return typeof text === 'string' ? text : null
}

/** Whether a value is a URL, and not a node with the same fields. */
export function isUrl(value: unknown): value is UrlValue {
  if (fieldOf(value, 'type') !== undefined) return false
  return typeof fieldOf(value, 'href') === 'string' && typeof fieldOf(value, 'protocol') === 'string'
}

function linkTo({ href }: UrlValue): Link {
  return { type: 'link', url: href, title: null, children: [{ type: 'text', value: href }] }
}

/** Returns a date in ISO 8601, in UTC. */
export function writeDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('expected a date, received an invalid one')
  return date.toISOString()
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

/** Whether a part says that it is a block; it is checked before it is used. */
export function isBlock(part: unknown): part is Block {
  return typesOf('block').some((type) => type === fieldOf(part, 'type'))
}

/** Throws if a parent of this type cannot contain the part. */
export function checkChild(part: unknown, type: 'root' | 'paragraph' | 'link', index: number): void {
  refuse(problemsOf({ type, url: '', title: null, children: [part] }, type), index, 2)
}

/** Throws the problems, if there are any. Their paths begin at the values and continue at `from`. */
export function refuse(problems: readonly Problem[], index: number, from: number): void {
  throwProblems(problems.map((problem) => ({ ...problem, path: ['values', index, ...problem.path.slice(from)] })))
}

/** Returns a field of a value that may be a node. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
