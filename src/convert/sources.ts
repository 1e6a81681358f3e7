/** The trees of a message (see `Source`), by what the package offers to everybody: an entry brings no second parser. */
import { wrongSource } from '../describe.js'
import { parse, type Root, type Source } from '../index.js'

/**
 * The trees of a source; the strings of an array are parsed one by one.
 *
 * @throws {TypeError} when the source is none
 */
export function treesOf(source: Source): readonly Root[] {
  if (typeof source === 'string') return [parse(source, { position: false })]
  if (isList(source)) return source.flatMap(treesOf)
  if (source?.type === 'root') return [source]
  throw wrongSource(source)
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(source: Source): source is readonly (string | Root)[] {
  return Array.isArray(source)
}
