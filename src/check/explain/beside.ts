/** Why a delimiter run can not open or close: what stands beside it (§4). */
import { traitsAt, WHITE_SPACE } from '../../characters.js'
import { isEscaped } from '../../parse/escape.js'
import type { Leaf } from '../../parse/leaf.js'
import { behindEscape, examineRun, type Run, STAR } from '../../parse/run.js'
import type { Told } from './leaf.js'

/** The run with what stands beside it. */
interface Beside {
  readonly run: Run
  /** The character before it and the one behind it, with the backslashes that escape them. */
  readonly before: string
  readonly after: string
  /** Asks the parser of the same run between others. */
  readonly ask: (before: string, after: string) => Run
}

/** Explains the run at `at`, which neither opens nor closes. */
export function explainBeside({ text, start, end }: Leaf, at: number): Told[] {
  const chain = { start: 0, end: 0, after: 0 }
  const run = examineRun(text, startOfRun(text, at), chain)
  const told = (message: string, section = '§4'): Told => [section, message, run.start, run.end]
  if (run.char !== STAR && run.length > 1) return [told(`${nameOfRun(run)} is text: only one of it is a marker.`)]
  if (run.isInWord && run.length === 1) return [told(`${nameOfRun(run)} is text: it stands alone in a word.`)]
  if (run.opens || run.closes) return [told('Text: part of a shrug.', '§3.1')]
  const [from, to, behind] =
    run.char === STAR ? [run.start, run.end, behindEscape(text, run.end)] : [chain.start, chain.end, chain.after]
  const beside: Beside = {
    run,
    before: text.slice(Math.max(start, from - 2), from),
    after: behind < end ? text.slice(to, behind) + String.fromCodePoint(text.codePointAt(behind) ?? 0) : '',
    ask: (before, after) => {
      const other = { start: 0, end: 0, after: 0 }
      return examineRun(before + text.slice(from, to) + after, before.length + run.start - from, other)
    },
  }
  const reasons = [told(whyNot(beside, true)), told(whyNot(beside, false))]
  if (run.closesLate) reasons.push(told(NOT_LATE))
  return reasons
}

export const NOT_LATE = 'Nor can it close late: no such run is open, or no word is between the two.'

function startOfRun(text: string, at: number): number {
  let start = at
  while (text.charAt(start - 1) === text.charAt(at)) start -= 1
  return start < at && isEscaped(text, start) ? start + 1 : start
}

/** What has to be another for the run to open, or to close, is in its way. */
function whyNot({ run, before, after, ask }: Beside, opens: boolean): string {
  const isBefore = opens ? ask(' ', after).opens : ask('x', after).closes
  const isAfter = opens ? ask(before, 'x').opens : ask(before, ' ').closes
  const [front, back] = [nameOf(before, 'the start'), nameOf(after, 'the end')]
  const where =
    isBefore === isAfter
      ? `it stands between ${front} and ${back}`
      : isBefore
        ? `${front} stands before it`
        : `${back} stands behind it`
  return `${nameOfRun(run)} can not ${opens ? 'open' : 'close'}: ${where}.`
}

export function nameOfRun(run: Run): string {
  return `This ${markOf(run)}`
}

export function markOf({ char, length }: Run): string {
  return `\`${String.fromCharCode(char).repeat(length)}\``
}

/** Names the last character of a text, or its end where there is none. */
function nameOf(text: string, end: string): string {
  const char = [...text].at(-1) ?? ''
  if (char === '') return end
  if ((traitsAt(char, 0) & WHITE_SPACE) !== 0) return 'white space'
  const kind = /\p{L}/u.test(char) ? 'the letter ' : /\p{N}/u.test(char) ? 'the digit ' : ''
  return char === '`' ? 'a backtick' : `${kind}\`${char}\``
}
