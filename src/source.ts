/** The argument of every renderer: text in the dialect, a tree, or a post's blocks. */

import { wrongSource } from './describe.js'
import { parse } from './parse/index.js'
import { checkTree, isList } from './tree/check.js'
import type { Block, Root } from './tree.js'

export { isList } from './tree/check.js'

export type Source = string | Root | readonly (string | Root)[]

/**
 * Returns the blocks of a source.
 *
 * @throws {TypeError} if `source` is not a string, a tree or an array of both
 * @throws {BlockmarkError} if a tree is not valid
 */
export function blocksOf(source: Source): readonly Block[] {
  return treesOf(source).flatMap(({ children }) => children)
}

/** Returns the trees of a source. The strings of an array are parsed one by one. Throws the errors of `blocksOf`. */
function treesOf(source: Source): readonly Root[] {
  // Unlike `map` alone, `Array.from` visits the holes of an array, so that they are errors.
  const parts = isList(source) ? Array.from(source) : [source]
  return parts.map((part) => (typeof part === 'string' ? parse(part, { position: false }) : treeOf(part)))
}

/**
 * Returns the value if it is a valid tree.
 *
 * @throws {TypeError} if the value is not a root node
 * @throws {BlockmarkError} if the tree is not valid
 */
export function treeOf(value: Root): Root {
  if (!isRoot(value)) throw wrongSource(value)
  checkTree(value)
  return value
}

/** Whether a value claims to be a tree. A value that throws when it is read counts as a tree, so that the check reports it. */
function isRoot(value: Root): boolean {
  try {
    return value?.type === 'root'
  } catch {
    return true
  }
}
