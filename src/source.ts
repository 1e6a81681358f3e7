/** What every renderer takes: the markdown of one block or body, a tree, or a post's blocks as they are. */
import { parse } from './parse/index.js'
import type { Block, Root } from './tree.js'

export type Source = string | Root | readonly (string | Root)[]

/**
 * The parts of a source, which are never joined before they are parsed.
 *
 * @throws {TypeError} when the source is none
 */
export function partsOf(source: Source): readonly (string | Root)[] {
  const parts = isList(source) ? source : [source]
  for (const part of parts) {
    if (typeof part !== 'string' && part?.type !== 'root') {
      throw new TypeError(`expected a string, a tree or an array of them, received ${nameOf(part)}`)
    }
  }
  return parts
}

/** The blocks of a source. */
export function blocksOf(source: Source): readonly Block[] {
  return partsOf(source).flatMap(
    (part) => (typeof part === 'string' ? parse(part, { position: false }) : part).children,
  )
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(source: Source): source is readonly (string | Root)[] {
  return Array.isArray(source)
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return 'type' in value ? `a node of type ${String(value.type)}` : 'an object that is no tree'
}
