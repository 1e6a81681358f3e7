/** What the values of a template are. */

import { describe, type Problem, throwProblems } from '../errors.js'
import { problemsOf } from '../tree/strict.js'
import { type Block, type Link, type Root, typesOf } from '../tree.js'
import { flat } from './flat.js'

/** A `URL`, or what has its fields; not every runtime knows the class itself. */
export interface UrlValue {
  readonly href: string
  readonly protocol: string
}

/**
 * The parts of a value in a row: text as strings, everything else as it is. Arrays are opened, and so is another
 * template's result that is one paragraph; a URL is a link; what is nothing is left out.
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

/** The text of a value that is no string, null where it is no text either. */
function stringFrom(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Date) return writeDate(value)
  if (fieldOf(value, 'type') === 'break') return '\n'
  const text = fieldOf(value, 'type') === 'text' ? fieldOf(value, 'value') : null
  return typeof text === 'string' ? text : null
}

/** Whether a value is a URL and no node, which may have fields of its own. */
export function isUrl(value: unknown): value is UrlValue {
  if (fieldOf(value, 'type') !== undefined) return false
  return typeof fieldOf(value, 'href') === 'string' && typeof fieldOf(value, 'protocol') === 'string'
}

function linkTo({ href }: UrlValue): Link {
  return { type: 'link', url: href, title: null, children: [{ type: 'text', value: href }] }
}

/** A date in ISO 8601, in UTC. */
export function writeDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('expected a date, received an invalid one')
  return date.toISOString()
}

/** The parts of a value that stands where nothing but text can. */
export function textsOf(value: unknown, index: number): string[] {
  if (isUrl(value)) return [value.href]
  return partsOf(value, index).map((part) => {
    if (typeof part === 'string') return part
    throw new TypeError(`md: expected text at /values/${index}, received ${describe(part)}`)
  })
}

/** Whether a part is what another template gave, which `partsOf` has checked. */
export function isRoot(part: unknown): part is Root {
  return fieldOf(part, 'type') === 'root'
}

/** Whether a part says that it is a block; it is checked before it is used. */
export function isBlock(part: unknown): part is Block {
  return typesOf('block').some((type) => type === fieldOf(part, 'type'))
}

/** Refuses a part that can not stand in a parent of this type. */
export function checkChild(part: unknown, type: 'root' | 'paragraph' | 'link', index: number): void {
  refuse(problemsOf({ type, url: '', title: null, children: [part] }, type), index, 2)
}

/** Throws the problems, if there are any; their paths begin at the values, and go on at `from`. */
export function refuse(problems: readonly Problem[], index: number, from: number): void {
  throwProblems(problems.map((problem) => ({ ...problem, path: ['values', index, ...problem.path.slice(from)] })))
}

/** A field of what may be a node. */
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
