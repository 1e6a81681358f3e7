/** Why a delimiter run can not open or close: what stands beside it (§4). */
import { traits, WHITE_SPACE } from '../../characters.js'
import { leastOf } from '../../parse/emphasis.js'
import { behindEscape, lengthBefore } from '../../parse/neighbours.js'
import type { Reader } from '../../parse/reader.js'
import { CLOSES, OPENS } from '../../parse/run.js'
import { isFlanking, SPACE } from '../../parse/units.js'
import type { Leaf } from '../leaves.js'
import { newChain, type Run, runAt } from './run.js'

/** Any letter. */
const LETTER = 120

/** What stands where it keeps a run from opening, or from closing. */
export function inTheWay(reader: Reader, leaf: Leaf, run: Run, opens: boolean): string {
  const { chars } = reader
  const chain = newChain()
  runAt(reader, run.start, chain)
  const [start, end] = isFlanking(run.char) ? [run.start, run.end] : [chain.start, chain.end]
  // The parser is asked of the same run beside another character: what has to be another is in its way.
  const canBeside = (at: number, other: number): boolean => {
    const own = chars[at] ?? 0
    chars[at] = other
    const { char, flags } = runAt(reader, run.start, newChain())
    chars[at] = own
    return (flags & (opens ? OPENS : CLOSES)) !== 0 && run.end - run.start >= leastOf(char, flags)
  }
  const isBefore = canBeside(start - 1, opens ? SPACE : LETTER)
  const isAfter = canBeside(end, opens ? LETTER : SPACE)
  const before = start > leaf.start ? nameAt(reader, start - lengthBefore(chars, start)) : 'the start'
  const after = end < leaf.end ? nameBehind(reader, end) : 'the end'
  if (isBefore === isAfter) return `it stands between ${before} and ${after}`
  return isBefore ? `${before} stands before it` : `${after} stands behind it`
}

function nameBehind(reader: Reader, end: number): string {
  const after = behindEscape(reader.chars, end)
  return after > end ? `an escaped ${nameAt(reader, after)}` : nameAt(reader, after)
}

/** Names the character that starts at `at`. */
function nameAt({ source, chars }: Reader, at: number): string {
  // The parser has put a bracket there.
  if (chars[at] !== source.charCodeAt(at - 1)) return 'a hard delimiter'
  const codePoint = source.codePointAt(at - 1) ?? 0
  const char = String.fromCodePoint(codePoint)
  if ((traits(codePoint) & WHITE_SPACE) !== 0) return 'white space'
  const kind = /\p{L}/u.test(char) ? 'the letter ' : /\p{N}/u.test(char) ? 'the digit ' : ''
  return char === '`' ? 'a backtick' : `${kind}\`${char}\``
}
