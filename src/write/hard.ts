/** Which formatting of a leaf is written hard (§3.6): what the parser does not see between plain delimiters, and no other. */
import { CLOSE, OPEN } from '../parse/tape.js'
import type { Token } from './token.js'

/** Formatting that is open: whether it is not seen, and whether something in it is not. */
interface Pair {
  readonly opener: Token
  holdsMissing: boolean
}

/** Writes formatting hard that is not seen and holds none that is not, but for what has to be plain. Whether there is any. */
export function harden(tokens: readonly Token[], isMissing: ReadonlySet<Token>, plain: ReadonlySet<Token>): boolean {
  const open: Pair[] = []
  let isHardened = false
  for (const token of tokens) {
    if (token.type === OPEN) open.push({ opener: token, holdsMissing: false })
    const pair = token.type === CLOSE ? open.pop() : undefined
    if (pair === undefined) continue
    const { opener, holdsMissing } = pair
    const fails = !token.isHard && !plain.has(opener) && (isMissing.has(opener) || isMissing.has(token))
    if (fails && !holdsMissing) isHardened = opener.isHard = token.isHard = true
    const outer = open.at(-1)
    if (outer !== undefined) outer.holdsMissing ||= fails || holdsMissing
  }
  return isHardened
}
