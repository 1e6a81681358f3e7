/** Parses a message into its tree. */
import { describe } from '../describe.js'
import type { Root } from '../tree.js'
import { firstSpecial, PLAIN } from './plain.js'
import { read } from './read.js'
import { giveBack } from './reader.js'
import { plainRoot, rootOf } from './root.js'

export interface ParseOptions {
  /** Whether nodes have their positions in the source; true by default. */
  position?: boolean
}

/**
 * Parses a message: one string of a post's `blocks`, or the `body` of a chat message (§2–§5). Every string parses, in
 * time linear in its length; text without constructs stays text.
 *
 * @param input - the source
 * @param options - `position: false` leaves out the positions of nodes
 * @returns the tree; it is yours, nothing else refers to it
 * @throws {TypeError} if `input` is not a string
 * @example
 * parse('call my_var now, _please_', { position: false }).children
 * // => [{ type: 'paragraph', children: [{ type: 'text', value: 'call my_var now, ' }, { type: 'underline', children: [{ type: 'text', value: 'please' }] }] }]
 */
export function parse(input: string, options?: ParseOptions): Root {
  if (typeof input !== 'string') throw new TypeError(`parse: expected a string, received ${describe(input)}`)
  const hasPositions = options?.position !== false
  const from = firstSpecial(input)
  if (from === PLAIN) return plainRoot(input, hasPositions)
  const reader = read(input, from)
  const root = rootOf(reader, hasPositions)
  giveBack(reader)
  return root
}
