/** A source as blocks and bodies: each string as it is, each tree as it is written. */

import { BlockmarkError, type LimitOptions, type Root, type Source, stringify, validate } from '../../index.js'

/** The strings of a source as a post's blocks. */
export function toBlocks(source: Source, _limits: LimitOptions = {}): string[] {
  const blocks = partsOf(source).flatMap((part) =>
    typeof part === 'string' ? [part] : part.children.map((child) => stringify({ type: 'root', children: [child] })),
  )
  const problems = validate({ blocks }, { blocks: Number.POSITIVE_INFINITY })
  const [first, ...others] = problems
  if (first !== undefined) throw new BlockmarkError([first, ...others])
  return blocks
}

/** The strings of a source as the bodies of chat messages. */
export function toBodies(source: Source): string[] {
  const bodies = partsOf(source).map((part) => (typeof part === 'string' ? part : stringify(part)))
  const [first, ...others] = bodies.flatMap((body) => validate({ body }))
  if (first !== undefined) throw new BlockmarkError([first, ...others])
  return bodies
}

function partsOf(source: Source): readonly (string | Root)[] {
  const parts: readonly (string | Root)[] = typeof source === 'string' || 'type' in source ? [source] : source
  const wrong = parts.find((part) => typeof part !== 'string' && part?.type !== 'root')
  if (wrong !== undefined)
    throw new TypeError(`expected a string, a tree or an array of them, received ${typeof wrong}`)
  return parts
}
