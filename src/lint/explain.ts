/** Says why a character is what it is. All it knows of the dialect it asks the parser. */
import { describe } from '../errors.js'
import { parse } from '../parse/index.js'
import type { AnyNode, Position } from '../tree.js'
import { explainBlock, explainOutside } from './explain/block.js'
import { explainInline } from './explain/inline.js'
import { createLocator, rangeOf } from './positions.js'

/** One reason: a rule of the dialect, and what it has to do with the place. */
export interface Reason {
  /** The section of the dialect's description that holds the rule: `§4`, or in §3 a construct, as `§3.4`. */
  section: string
  /** What the rule says of this place, in a sentence. */
  message: string
  /** What the sentence is about. */
  place: Position
}

/**
 * Says why a character is what it is, or why it is not what its writer may have meant.
 *
 * @param input - the source
 * @param offset - where the character is, in UTF-16 code units
 * @returns the reasons, those of the character itself before what it stands in; none behind the last character
 * @throws {TypeError} when `input` is no string, or `offset` no integer from 0 to its length
 * @example
 * explain('snake_case', 5).map(({ section, message }) => `${section}: ${message}`)
 * // => ['§4: This `_` can not open: the letter `e` stands before it.', '§4: This `_` can not close: the letter `c` stands behind it.', '§2: In a paragraph.']
 */
export function explain(input: string, offset: number): Reason[] {
  if (typeof input !== 'string') throw new TypeError(`explain: expected a string, received ${describe(input)}`)
  const tree = parse(input)
  if (!(Number.isInteger(offset) && offset >= 0 && offset <= input.length)) {
    throw new TypeError(`explain: expected an offset from 0 to ${input.length}, received ${describe(offset)}`)
  }
  const path = pathTo(tree, offset)
  // In a list, but in no item, is the end of a line.
  const isOutside = path.length === 0 || path.at(-1)?.type === 'list'
  const told = [
    ...explainInline(input, offset),
    ...(isOutside ? explainOutside(input, offset) : explainBlock(input, offset, path)),
  ]
  const placeOf = createLocator(input)
  return told.map(([section, message, start, end]) => ({ section, message, place: placeOf(start, end) }))
}

/** The nodes at an offset, from the block to the innermost; the root is not among them. */
function pathTo(root: AnyNode, offset: number): AnyNode[] {
  const path: AnyNode[] = []
  for (let node: AnyNode | undefined = root; node !== undefined && 'children' in node; ) {
    const children: readonly AnyNode[] = node.children
    node = children.find((child) => rangeOf(child)[0] <= offset && offset < rangeOf(child)[1])
    if (node !== undefined) path.push(node)
  }
  return path
}
