/** From a message to its tree, or to whatever else an {@link Output} makes of it. */
import { withoutNull } from '../characters.js'
import type { Root } from '../tree.js'
import { readSource } from './blocks.js'
import { endPoint } from './lines.js'
import type { Output } from './output.js'
import { isPlain } from './specials.js'
import { plainRoot, TreeOutput } from './tree-output.js'

/** @internal */
export type { Leaf } from './leaf.js'
/** @internal */
export type { Output, ParentType } from './output.js'
/** @internal */
export { isPlain } from './specials.js'

export interface ParseOptions {
  /** Whether nodes say where they stand in the source; true where it is left out. */
  position?: boolean
}

/**
 * Parses a message: one string of a post's `blocks`, or the `body` of a chat message (§2–§5). Every string parses, in
 * time linear in its length; what is no construct is text.
 *
 * @param input - the source
 * @param options - `position: false` leaves out where the nodes stand
 * @returns the tree; it is yours, nothing else refers to it
 * @throws {TypeError} when `input` is no string
 * @example
 * parse('call my_var now, _please_', { position: false }).children
 * // => [{ type: 'paragraph', children: [{ type: 'text', value: 'call my_var now, ' }, { type: 'underline', children: [{ type: 'text', value: 'please' }] }] }]
 */
export function parse(input: string, options?: ParseOptions): Root {
  if (typeof input !== 'string') throw new TypeError(`parse: expected a string, received ${typeof input}`)
  const hasPositions = options?.position !== false
  if (isPlain(input)) return plainRoot(input, hasPositions)
  const output = new TreeOutput(hasPositions)
  const lines = readSource(withoutNull(input), output)
  return output.root(endPoint(lines))
}

/**
 * Parses a message without making a tree: the output is told of everything in the order of the source.
 *
 * @internal
 */
export function read(input: string, output: Output): void {
  readSource(withoutNull(input), output)
}
