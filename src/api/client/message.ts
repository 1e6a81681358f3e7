/** From any source to what the service takes, before anything is sent. */

import { BlockmarkError, type Source, toBlocks, toBodies, validate } from '../../index.js'

/** The blocks of a post. Strings that the service takes as they are stay so; everything else is written anew. */
export function blocksFor(source: Source): readonly string[] {
  if (isStrings(source) && validate({ blocks: source }).length === 0) return source
  return toBlocks(source)
}

/** The body of a chat message. Throws BlockmarkError where one message can not hold it. */
export function bodyFor(source: Source): string {
  const bodies = bodiesFor(source)
  const [body, another] = bodies
  if (body !== undefined && another === undefined) return body
  const expected = 'what fits into one message (sendAll sends several)'
  throw new BlockmarkError([
    { code: 'body/too-long', path: ['body'], expected, received: `what needs ${bodies.length}` },
  ])
}

/** The bodies of as many chat messages as a source needs, in order. */
export function bodiesFor(source: Source): readonly string[] {
  if (typeof source === 'string' && validate({ body: source }).length === 0) return [source]
  return toBodies(source)
}

const BLOCKS_MAX = 100

/** The blocks of as many comments as a source needs, in order. */
export function commentsFor(source: Source): readonly (readonly string[])[] {
  if (isStrings(source) && validate({ blocks: source }).length === 0) return [source]
  const blocks = toBlocks(source, { blocks: Number.POSITIVE_INFINITY })
  const comments: string[][] = []
  for (let start = 0; start < blocks.length; ) {
    let end = Math.min(blocks.length, start + BLOCKS_MAX)
    // A heading belongs to what follows it.
    if (end < blocks.length) while (end > start + 1 && isHeading(blocks[end - 1])) end -= 1
    comments.push(blocks.slice(start, end))
    start = end
  }
  return comments
}

/** Whether a block that was written for us is a heading: what else begins so is escaped. */
function isHeading(block: string | undefined): boolean {
  return block !== undefined && /^##? /.test(block) && !block.includes('\n')
}

function isStrings(source: Source): source is readonly string[] {
  return Array.isArray(source) && source.every((part) => typeof part === 'string')
}
