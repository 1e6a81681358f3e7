/** A source of strings as blocks and bodies, each string as it is. */

import { BlockmarkError, type LimitOptions, type Source, validate } from '../../index.js'

/** The strings of a source as a post's blocks. */
export function toBlocks(source: Source, _limits: LimitOptions = {}): string[] {
  const blocks = stringsOf(source)
  const problems = validate({ blocks }, { blocks: Number.POSITIVE_INFINITY })
  const [first, ...others] = problems
  if (first !== undefined) throw new BlockmarkError([first, ...others])
  return blocks
}

/** The strings of a source as the bodies of chat messages. */
export function toBodies(source: Source): string[] {
  const bodies = stringsOf(source)
  const [first, ...others] = bodies.flatMap((body) => validate({ body }))
  if (first !== undefined) throw new BlockmarkError([first, ...others])
  return bodies
}

function stringsOf(source: Source): string[] {
  const parts: readonly unknown[] = Array.isArray(source) ? source : [source]
  return parts.map((part) => {
    if (typeof part !== 'string') throw new TypeError(`expected strings, received ${typeof part}`)
    return part
  })
}
