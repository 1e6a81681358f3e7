/** The trees of a message (see `Source`), by what the package offers to everybody: an entry brings no second parser. */
import { parse, type Root, type Source, toText } from '../index.js'
import { isList } from '../source.js'

/**
 * The trees of a source; the strings of an array are parsed one by one.
 *
 * @throws {TypeError} if `source` is not a source
 * @throws {BlockmarkError} if a tree is not valid
 */
export function treesOf(source: Source): readonly Root[] {
  // The core's own check, by a function that every entry shares: a second copy would throw another class of errors.
  toText(source)
  return (isList(source) ? source : [source]).map((part) => {
    return typeof part === 'string' ? parse(part, { position: false }) : part
  })
}
