/** Converts any source to the strings that the service accepts. */

import { LIMITS, type LimitOptions } from '../../check/limits.js'
import { BlockmarkError, type Source, toBlocks, toBodies, validate } from '../../index.js'

/** Returns the blocks of a post. Strings that the service accepts stay as they are. */
export function blocksFor(source: Source, options: LimitOptions = {}): readonly string[] {
  if (isStrings(source) && validate({ blocks: source }).length === 0) return source
  return toBlocks(source, options)
}

/** Returns the body of a chat message. Throws BlockmarkError if the source needs several messages. */
export function bodyFor(source: Source): string {
  const bodies = bodiesFor(source)
  const [body, another] = bodies
  if (body !== undefined && another === undefined) return body
  const valid = 'text that fits into one message (sendAll posts several)'
  const received = `text for ${bodies.length} messages`
  throw new BlockmarkError([{ code: 'body/too-long', path: ['body'], valid, received }])
}

/** Returns the bodies of as many chat messages as a source needs, in order. */
export function bodiesFor(source: Source): readonly string[] {
  if (typeof source === 'string' && validate({ body: source }).length === 0) return [source]
  return toBodies(source)
}

/** Returns the blocks of as many comments as a source needs, in order. */
export function commentsFor(source: Source): readonly (readonly string[])[] {
  const blocks = blocksFor(source, { blocks: Number.POSITIVE_INFINITY })
  const count = Math.ceil(blocks.length / LIMITS.blocks)
  return Array.from({ length: count }, (_, index) => blocks.slice(index * LIMITS.blocks, (index + 1) * LIMITS.blocks))
}

function isStrings(source: Source): source is readonly string[] {
  return Array.isArray(source) && source.every((part) => typeof part === 'string')
}
