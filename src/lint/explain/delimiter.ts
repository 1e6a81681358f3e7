/** Why a delimiter opens or closes something, or is text (§3.6, §4). */
import { delimiters, delimiterText } from '../../delimiters.js'
import { leastOf } from '../../parse/emphasis.js'
import { splitRuns, toNormalForm } from '../../parse/normal-form.js'
import type { Reader } from '../../parse/reader.js'
import { CLOSES, CLOSES_LATE, NEEDS_OPEN_STAR, OPENS } from '../../parse/run.js'
import { CANCELLED, CLOSE, EVENT_SIZE, OPEN } from '../../parse/tape.js'
import { isFlanking, kindOf } from '../../parse/units.js'
import { inTheWay } from './beside.js'
import type { ReadLeaf } from './leaf.js'
import { could } from './partner.js'
import { markOf, newChain, type Run, runAt } from './run.js'
import type { Told } from './told.js'

/** Explains the delimiter at `at`, whose run has found partners, or which is hard. */
export function explainMarker({ reader, watch }: ReadLeaf, at: number): Told[] {
  if (reader.hasRuns) splitRuns(reader)
  const event = markerAt(reader, at)
  const { run } = watch
  if (event < 0) {
    return run === null ? [] : [['§4', 'Left over: the rest of its run has found partners.', run.start, run.end]]
  }
  const [type, start = 0, end = 0, kind = 0] = reader.tape.subarray(event, event + EVENT_SIZE)
  const delimiter = delimiters[kind]
  if (delimiter === undefined) return []
  const { node, length } = delimiter
  const opens = type === OPEN
  const told: Told[] = []
  if (end - start > length) {
    const separator = opens ? start : end - 1
    const where = opens ? 'behind it open' : 'before it close'
    const message = `The separator makes the \`${delimiterText(delimiter)}\` ${where}, whatever stands around it.`
    told.push(['§3.6', `${opens ? 'Opens' : 'Closes'} ${node}.`, start, end])
    told.push(['§3.6', message, separator, separator + 1])
  } else {
    const isLate = !opens && run !== null && (run.flags & CLOSES) === 0
    told.push(['§4', `${opens ? 'Opens' : 'Closes'} ${node}${isLate ? ', late' : ''}.`, start, end])
  }
  toNormalForm(reader)
  const isNode = reader.tape[event] !== CANCELLED
  return isNode ? told : [...told, ['§4', `Is one with the ${node} around or beside it.`, start, end]]
}

/** The event of the delimiter at `at`; -1 if it is none. */
function markerAt({ tape, tapeEnd }: Reader, at: number): number {
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const isMarker = tape[event] === OPEN || tape[event] === CLOSE
    if (isMarker && (tape[event + 1] ?? 0) <= at && at < (tape[event + 2] ?? 0)) return event
  }
  return -1
}

/** Explains the run at `at`, which is text. */
export function explainRun(leaf: ReadLeaf, at: number): Told[] {
  const { reader, watch } = leaf
  // The parser does not come to most of those that can neither open nor close.
  const run = watch.run ?? runAt(reader, at, newChain())
  const told = (message: string): Told => ['§4', `This ${markOf(run)} ${message}.`, run.start, run.end]
  const reason = whyNoMarker(run)
  if (reason !== null) return [told(`is text: ${reason}`)]
  const opens = (run.flags & OPENS) !== 0
  const reasons: Told[] = []
  if (opens) reasons.push(watch.opener ?? could(run, 'open', 'nothing closes it'))
  else if (!watch.closes) reasons.push(told(`can not open: ${inTheWay(reader, leaf, run, true)}`))
  if (watch.closes) reasons.push(watch.closer ?? could(run, 'close', 'nothing is open'))
  else if ((run.flags & NEEDS_OPEN_STAR) !== 0) reasons.push(told(`can not close: ${NO_OPEN_STAR}`))
  else if (!opens) reasons.push(told(`can not close: ${inTheWay(reader, leaf, run, false)}`))
  if (!watch.closes && (run.flags & CLOSES_LATE) !== 0) reasons.push(['§4', NOT_LATE, run.start, run.end])
  return reasons
}

const NO_OPEN_STAR = 'a `*` is directly behind it, and none is open'
const NOT_LATE = 'Nor can it close late: no such run is open, or no word is between the two.'

/** Why a run of this length is none of the table of delimiters. */
function whyNoMarker({ char, start, end, flags }: Run): string | null {
  const length = end - start
  if (!isFlanking(char)) return length > 1 ? 'only one of it is a marker' : null
  if (length >= leastOf(char, flags)) return null
  return kindOf(char, 1) < 0 ? 'only two of it are a marker' : 'it stands alone in a word'
}
