/** Takes separators out of text that would pair (§8): one directly before a closing delimiter would open with it. */
import { CANCELLED, CLOSE, LINK, LINK_END, OPEN } from '../parse/tape.js'
import type { Report } from './change.js'
import { isInvisible, takeSeparators } from './guard.js'
import { joinTokens } from './join.js'
import { createToken, TEXT, type Token } from './token.js'

/**
 * The tokens without the separators at the end of formatting that is not seen, and of what it holds. Formatting and labels that
 * hold nothing else are what they hold.
 */
export function dropSeparators(tokens: readonly Token[], isMissing: ReadonlySet<Token>, report: Report): Token[] {
  const kept: Token[] = []
  const open: boolean[] = []
  let isChanged = false
  for (const token of tokens) {
    const { type, partner } = token
    // Guards are made anew: what one held may be gone.
    if (type === CANCELLED) continue
    if (type === OPEN || type === LINK) {
      open.push(open.at(-1) === true || isMissing.has(token) || (partner !== null && isMissing.has(partner)))
    }
    const isEnd = type === CLOSE || type === LINK_END
    const isFailing = isEnd && open.pop() === true
    if (isEnd && (isFailing || isChanged) && dropInvisible(kept, token)) {
      report(token.node, 'empty')
      isChanged = true
      continue
    }
    const [separators] = isFailing && type === CLOSE ? takeSeparators(kept) : []
    if (separators !== undefined) {
      report(separators.node, 'separator')
      isChanged = true
    }
    kept.push(token)
  }
  return joinTokens(kept, report)
}

/** Drops what begins where `end` ends, if it holds nothing but white space and separators; of a link its url stays. Whether it does. */
function dropInvisible(tokens: Token[], { type, partner }: Token): boolean {
  let start = tokens.length - 1
  for (let token = tokens[start]; token !== undefined && token !== partner; token = tokens[start]) {
    if (!isInvisible(token)) return false
    start -= 1
  }
  const [opener] = tokens.splice(Math.max(start, 0), 1)
  if (opener !== undefined && type === LINK_END) tokens.push(createToken(TEXT, opener.node, ` (${opener.value})`))
  return true
}
