/** What every renderer takes: the markdown of one block or body, a tree, or a post's blocks as they are. */
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
  if (isList(source)) return source.flatMap(blocksOf)
  if (source?.type === 'root' && Array.isArray(source.children)) return source.children
  throw new TypeError(`expected a string, a tree or an array of them, received ${typeof source}`)
}

/** `Array.isArray` does not narrow a readonly array. */
export function isList(source: Source): source is readonly (string | Root)[] {
  return Array.isArray(source)
}
