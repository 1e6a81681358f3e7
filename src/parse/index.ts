/** From a message to its tree. */
import type { Root } from '../tree.js'
import { createDocument, readDocument } from './blocks.js'

export interface ParseOptions {
  /** Whether nodes say where they stand in the source; true where it is left out. */
  position?: boolean
}

/** What a parse left behind is reused up to this length of input, so that one huge message holds no memory for ever. */
const KEPT_LENGTH_MAX = 1 << 16

let document = createDocument()

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
  if (typeof input !== 'string') throw new TypeError(`parse: expected a string, received ${kindOf(input)}`)
  const source = input.includes('\0') ? input.replaceAll('\0', '\uFFFD') : input
  const root = readDocument(document, source, options?.position !== false)
  if (source.length > KEPT_LENGTH_MAX) document = createDocument()
  return root
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
