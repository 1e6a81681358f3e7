/** §3.6, forced formatting: how the separators pair; §4: what a delimiter makes. */

import { isUnescaped, isWhiteSpace, placeOf, type Reader, valueAt } from './tokens.js'

/** U+2063, the invisible separator. */
export const separator = '\u2063'

/** "two stars before one". */
const delimiters = ['**', '*', '_', '-'] as const

export type Delimiter = (typeof delimiters)[number]

export type FormattingType = 'strong' | 'emphasis' | 'underline' | 'delete'

export const formattingTypes: Readonly<Record<Delimiter, FormattingType>> = {
  '**': 'strong',
  '*': 'emphasis',
  _: 'underline',
  '-': 'delete',
}

/** A separator, followed by a delimiter, that has not met its partner. */
export interface ForcedOpener {
  type: 'forced'
  delimiter: Delimiter
  leafIndex: number
  tokenIndex: number
}

/** "U+2063 … directly before `**`, `*`, `_` or `-` … opens". Separator and delimiter are text until the pair is closed. */
export function openForced(reader: Reader, at: number): void {
  const delimiter = delimiters.find((each) =>
    [...each].every((character, index) => valueAt(reader, at + 1 + index) === character),
  )
  if (delimiter === undefined) return
  reader.openers.push({ type: 'forced', delimiter, leafIndex: at, tokenIndex: reader.tokens.length })
}

/**
 * "a U+2063 directly after the delimiter, unescaped, of the nearest forced opener that is still open (whatever brackets are
 * open after it) closes it, if something is between that neither begins nor ends with white space (as written)". Returns
 * whether it did.
 */
export function closeForcedPair(reader: Reader, at: number): boolean {
  const index = reader.openers.findLastIndex(({ type }) => type === 'forced')
  const opener = reader.openers[index]
  if (opener?.type !== 'forced') return false
  const { delimiter, leafIndex, tokenIndex } = opener
  const contentStart = tokenIndex + 1 + delimiter.length
  const contentEnd = reader.tokens.length - delimiter.length
  // The closing delimiter shares no star with the opening one.
  if (contentEnd < contentStart) return false
  if (!reader.tokens.slice(contentEnd).every((token) => isUnescaped(token, delimiter))) return false
  const written = reader.leaf.slice(leafIndex + 1 + delimiter.length, at - delimiter.length)
  if (isWhiteSpace(written.slice(0, 1)) || isWhiteSpace(written.slice(-1))) return false
  const content = reader.tokens.slice(contentStart, contentEnd)
  reader.tokens.length = tokenIndex
  reader.tokens.push({ type: 'forced', delimiter, content, ...placeOf(reader, leafIndex, at + 1) })
  // "Pairs and links never cross: what is left open inside either is as if never found".
  reader.openers.length = index
  return true
}
