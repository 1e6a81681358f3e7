/** Explains why a delimiter run is text (§4). Parses the run with other neighbors, to find the neighbor that matters. */
import { isFormatting } from '../delimiters.js'
import { nodesOf } from './find.js'

/** A sentence, its section of the dialect, and the range that the sentence is about. */
export type Explanation = readonly [section: string, message: string, start: number, end: number]

/** A delimiter run, and the text of its leaf before and after the run. */
interface Run {
  readonly before: string
  readonly mark: string
  readonly after: string
}

type Offsets = readonly [start: number, end: number]

/** Explains the run at `offset`. `leaf` and `text` are the ranges of the leaf and of the text node that contain the run. */
export function explainRun(input: string, offset: number, leaf: Offsets, text: Offsets): Explanation[] {
  const [start, end] = runAt(input, offset)
  if (start < text[0] || end > text[1]) return [['§4', 'Left over: the rest of its run has partners.', start, end]]
  const mark = input.slice(start, end)
  // The dialect treats the ends of a leaf as white space, so spaces are added there.
  const run = { before: ` ${input.slice(leaf[0], start)}`, mark, after: `${input.slice(end, leaf[1])} ` }
  const explanation = (message: string): Explanation => ['§4', `This \`${mark}\` ${message}.`, start, end]
  if (mark.length > 1 && !mark.startsWith('*')) {
    return [explanation(`is text: only a single \`${mark.charAt(0)}\` is a delimiter`)]
  }
  const reasons = [
    ...(canOpen(run) ? ['could open, but nothing after it closes it'] : []),
    ...(canClose(run) ? ['could close, but no opener before it fits'] : []),
  ]
  if (reasons.length > 0) return reasons.map(explanation)
  return [`cannot open: ${blockingNeighbor(run, canOpen)}`, `cannot close: ${blockingNeighbor(run, canClose)}`].map(
    explanation,
  )
}

/** Returns the offsets of the run of equal unescaped characters at `offset`. */
function runAt(input: string, offset: number): [start: number, end: number] {
  let [start, end] = [offset, offset + 1]
  while (start > 0 && input.charAt(start - 1) === input.charAt(offset)) start -= 1
  while (input.charAt(end) === input.charAt(offset)) end += 1
  return [start < offset && isEscaped(input, start) ? start + 1 : start, end]
}

/** Whether the number of backslashes before an offset is odd. */
export function isEscaped(input: string, offset: number): boolean {
  let start = offset
  while (input.charAt(start - 1) === '\\') start -= 1
  return (offset - start) % 2 === 1
}

const CHARACTER = String.raw`(?:\\[\x60*_\-[\]<#:]|.)`
const FIRST_CHARACTER = /* @__PURE__ */ new RegExp(`^${CHARACTER}`, 'su')
const LAST_CHARACTER = /* @__PURE__ */ new RegExp(`${CHARACTER}$`, 'su')
/** The delimiters and the first other character after a run, or before it, decide whether the run can open or close. */
const CONTEXT_AFTER = /* @__PURE__ */ new RegExp(`^[*_-]*(?:\`+|${CHARACTER})`, 'su')
const CONTEXT_BEFORE = /* @__PURE__ */ new RegExp(`(?:\`+|${CHARACTER})[*_-]*$`, 'su')

function canOpen({ before, mark, after }: Run): boolean {
  return isDelimiting(before, mark, `${CONTEXT_AFTER.exec(after)?.[0]}bc${mark}`)
}

function canClose({ before, mark, after }: Run): boolean {
  return isDelimiting(`a ${mark}bc${CONTEXT_BEFORE.exec(before)?.[0]}`, mark, `${CONTEXT_AFTER.exec(after)?.[0]} a`)
}

/** Whether formatting starts or ends inside `mark` when `mark` is between `before` and `after`. */
function isDelimiting(before: string, mark: string, after: string): boolean {
  const [from, to] = [before.length + 1, before.length + 1 + mark.length]
  return nodesOf(`x${before}${mark}${after}`).some((node) => {
    return isFormatting(node) && ((from <= node.start && node.start < to) || (from < node.end && node.end <= to))
  })
}

/** Names the neighbor that must be separated from the run to let it open or close. If there is not exactly one, names both. */
function blockingNeighbor({ before, mark, after }: Run, can: typeof canOpen): string {
  const [outside, inside] = [' ', 'x']
  const [beforeRun, afterRun] = can === canOpen ? [outside, inside] : [inside, outside]
  const isBlockedBefore = can({ before: before + beforeRun, mark, after })
  const isBlockedAfter = can({ before, mark, after: afterRun + after })
  const last = before === ' ' ? 'the start of the text' : nameOf(LAST_CHARACTER.exec(before)?.[0])
  const next = after === ' ' ? 'the end of the text' : nameOf(FIRST_CHARACTER.exec(after)?.[0])
  if (isBlockedBefore === isBlockedAfter) return `it is between ${last} and ${next}`
  return isBlockedBefore ? `it follows ${last}` : `${next} follows it`
}

/** Names a character, which may be escaped. */
function nameOf(char = ''): string {
  if (/^[\p{Z}\t\n\f\r]$/u.test(char)) return 'white space'
  if (char === '`') return 'a backtick'
  if (/[\p{Cf}\p{Mn}]/u.test(char)) return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  if (char.length > 1 && char.startsWith('\\')) return `an escaped \`${char.slice(1)}\``
  return `${/\p{L}/u.test(char) ? 'the letter ' : /\p{N}/u.test(char) ? 'the digit ' : ''}\`${char}\``
}
