/** The limits of messages, and the length of a text. */
import { lengthBefore } from '../characters.js'
import { describe } from '../errors.js'

/** The limits of a service; lengths are in Unicode code points. */
export interface LimitOptions {
  /** The maximum number of characters of one block (default 4,000). */
  blockLength?: number
  /** The maximum number of blocks of one post (default 100). */
  blocks?: number
  /** The maximum number of characters of a chat message's body (default 40,000). */
  bodyLength?: number
}

/** The service's own limits of a message. */
export const LIMITS: Readonly<Required<LimitOptions>> = { blockLength: 4_000, blocks: 100, bodyLength: 40_000 }

/**
 * Returns the limits. A limit that is not given has its default.
 *
 * @throws {TypeError} if a limit is not a number of 1 or more
 */
export function limitsOf(options: LimitOptions): Required<LimitOptions> {
  const limits = { ...LIMITS }
  for (const name of ['blockLength', 'blocks', 'bodyLength'] as const) {
    const { [name]: limit = limits[name] } = options ?? {}
    checkCount(name, limit, 1)
    limits[name] = limit
  }
  return limits
}

/** Throws TypeError if an option is not a number of `least` or more. */
export function checkCount(name: string, count: number, least: number): void {
  if (typeof count === 'number' && count >= least) return
  throw new TypeError(`${name}: expected a number of ${least} or more, received ${describe(count)}`)
}

/** Returns the number of code points of a text. */
export function lengthOf(text: string): number {
  let length = 0
  for (let at = text.length; at > 0; at -= lengthBefore(text, at)) length += 1
  return length
}
