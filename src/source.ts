/** What every renderer takes: the markdown of one block or body, a tree, or a post's blocks as they are. */
import { wrongSource } from './describe.js'
import { parse } from './parse/index.js'
import type { Block, Root } from './tree.js'

export type Source = string | Root | readonly (string | Root)[]

/**
 * The blocks of a source. The strings of an array are parsed one by one, never joined before.
 *
 * @throws {TypeError} when the source is none
 */
export function blocksOf(source: Source): readonly Block[] {
  if (typeof source === 'string') return parse(source, { position: false }).children
  return isList(source) ? source.flatMap(blocksOf) : childrenOf(source)
}

/**
 * The blocks of a tree, which may be somebody else's.
 *
 * @throws {TypeError} when it is none
 */
export function childrenOf(tree: Root): readonly Block[] {
  if (tree?.type === 'root' && Array.isArray(tree.children)) return tree.children
  throw wrongSource(tree)
}

/** `Array.isArray` does not narrow a readonly array. */
export function isList(source: Source): source is readonly (string | Root)[] {
  return Array.isArray(source)
}
