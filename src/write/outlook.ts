/**
 * Whether stars that have been chosen up to some place leave a way to what is meant. The parser says which of them have
 * found a partner, and which are still open.
 */
import { delimitersAtEnd } from '../parse/inline.js'
import { EVENT_SIZE, type Leaf, LINK, LINK_END, RUN } from '../parse/leaf.js'
import { leafOf } from '../parse/part.js'
import { DASH, type Run, STAR, UNDERSCORE } from '../parse/run.js'
import type { Stars } from './sections.js'
import type { Expected } from './slots.js'

/** The runs of a section that have been chosen: where each starts in the source, and how long it is there. */
export interface Found {
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
  /** How many of the stars of a run are text; of most runs none. */
  readonly loose: readonly number[]
}

/** What is meant where a source ends, and which of its delimiters are text without a backslash. */
export interface End {
  readonly expected: Expected
  readonly bare: ReadonlySet<number>
}

/** What is meant behind each run of a section, for `strong` and for `emphasis`. */
export interface Outlook {
  readonly strong: readonly number[]
  readonly emphasis: readonly number[]
}

/** For each run, since which one without a gap the formatting is meant to be around what follows. */
export function outlookOf(runs: readonly Stars[]): Outlook {
  return { strong: sinceWhen(runs, 'isStrong'), emphasis: sinceWhen(runs, 'isEmphasis') }
}

function sinceWhen(runs: readonly Stars[], kind: 'isStrong' | 'isEmphasis'): number[] {
  let since = 0
  return runs.map((run, index) => {
    if (!run[kind]) since = index + 1
    return since
  })
}

/**
 * Whether a source that ends before its next run can be the beginning of what is meant.
 *
 * @param end - what is meant at its end of `_` and `-`, where that is known
 */
export function canBecome(outlook: Outlook, source: string, found: Found, end: End | null): boolean {
  const leaf = leafOf(source, '')
  const heads = delimitersAtEnd(leaf)?.heads ?? []
  if (end !== null && !endsAs(leaf, heads, end)) return false
  const count = found.starts.length
  const pairing = pair(leaf, outlook, found)
  if (pairing === null) return false
  const { left, strong, emphasis } = pairing
  const indices = new Map(found.starts.map((start, index) => [start, index]))
  // What is open can become what is meant all the way from there on; all its stars have to.
  for (const head of heads) {
    for (let run = head; run !== null; run = run.below) {
      if (run.char !== STAR) continue
      const index = indices.get(run.start)
      if (index === undefined) return false
      const loose = found.loose[index] ?? 0
      const open = run.remaining - loose
      const canBeStrong = open > 1 && isMeant(outlook.strong, index, count)
      const canBeEmphasis = open > 0 && isMeant(outlook.emphasis, index, count)
      if (open < 0 || (!canBeEmphasis && (canBeStrong ? open % 2 === 1 : open > 0))) return false
      if (canBeStrong) strong.add(index, count)
      if (canBeEmphasis) emphasis.add(index, count)
      left[index] = loose
    }
  }
  const isRest = left.every((stars, index) => stars === (found.loose[index] ?? 0))
  return isRest && strong.holds(outlook.strong) && emphasis.holds(outlook.emphasis)
}

/** Whether `_` and `-` are open, and have been closed, as it is meant. */
function endsAs(leaf: Leaf, heads: readonly (Run | null)[], { expected, bare }: End): boolean {
  const { isUnderlined, isDeleted, closers } = expected
  const open = new Set<number>()
  for (const head of heads) {
    for (let run = head; run !== null; run = run.below) {
      const isMeant = run.char === STAR || (run.char === UNDERSCORE ? isUnderlined : isDeleted)
      if (!isMeant && !bare.has(run.start)) return false
      open.add(run.char)
    }
  }
  const isOpen = (!isUnderlined || open.has(UNDERSCORE)) && (!isDeleted || open.has(DASH))
  return isOpen && countClosers(leaf) >= closers
}

/** How many `_` and `-` close something, those in labels left aside. */
function countClosers({ text, tape, tapeEnd }: Leaf): number {
  let count = 0
  let isInLabel = false
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const [kind, start = 0, , , , closed = 0] = tape.subarray(event, event + EVENT_SIZE)
    if (kind === LINK || kind === LINK_END) isInLabel = kind === LINK
    else if (kind === RUN && !isInLabel && text.charCodeAt(start) !== STAR && closed > 0) count += 1
  }
  return count
}

/** Whether the formatting is meant behind all runs from `from` up to, not including, `to`. */
function isMeant(since: readonly number[], from: number, to: number): boolean {
  return (since[to - 1] ?? 0) <= from
}

/** Ranges of runs, and how often each run is in one. */
class Cover {
  private readonly changes: number[]

  constructor(count: number) {
    this.changes = new Array<number>(count + 1).fill(0)
  }

  add(from: number, to: number): void {
    this.changes[from] = (this.changes[from] ?? 0) + 1
    this.changes[to] = (this.changes[to] ?? 0) - 1
  }

  /** Whether every run is in one that has the formatting behind it. */
  holds(since: readonly number[]): boolean {
    let depth = 0
    for (let index = 0; index + 1 < this.changes.length; index += 1) {
      depth += this.changes[index] ?? 0
      if (depth === 0 && (since[index] ?? 0) <= index) return false
    }
    return true
  }
}

interface Pairing {
  /** How many stars of each run have no partner. */
  readonly left: number[]
  readonly strong: Cover
  readonly emphasis: Cover
}

/** The stars that have a partner; null where what they make is not meant. */
function pair({ text, tape, tapeEnd, matches }: Leaf, outlook: Outlook, { starts, lengths }: Found): Pairing | null {
  const left = [...lengths]
  const strong = new Cover(lengths.length)
  const emphasis = new Cover(lengths.length)
  const openers = new Map<number, number>()
  let index = -1
  let isInLabel = false
  for (let event = 0; event < tapeEnd; event += EVENT_SIZE) {
    const [kind, start = 0, , newest = 0, first = 0, count = 0] = tape.subarray(event, event + EVENT_SIZE)
    if (kind === LINK || kind === LINK_END) isInLabel = kind === LINK
    if (kind !== RUN || isInLabel || text.charCodeAt(start) !== STAR) continue
    while ((starts[index + 1] ?? Infinity) <= start) index += 1
    for (let match = first; match < first + 2 * count; match += 2) {
      const size = matches[match] ?? 0
      const opener = openers.get(match) ?? 0
      if (!isMeant(size === 2 ? outlook.strong : outlook.emphasis, opener, index)) return null
      ;(size === 2 ? strong : emphasis).add(opener, index)
      left[index] = (left[index] ?? 0) - size
    }
    for (let match = newest; match > 0; match = matches[match + 1] ?? 0) {
      openers.set(match, index)
      left[index] = (left[index] ?? 0) - (matches[match] ?? 0)
    }
  }
  return { left, strong, emphasis }
}
