/**
 * The last resort for what is not read as it is meant: a search through all the ways to spell a leaf that `slots.ts` knows,
 * those that are nearest to its draft first. What can not become right any more is given up at once.
 */
import { draftPlace } from './attempt.js'
import type { Draft } from './draft.js'
import { spell } from './escapes.js'
import { CODE, MARK_SIZE, readMarks } from './marks.js'
import { canBecome, type Outlook, outlookOf } from './outlook.js'
import { type Choice, type Expected, type Piece, type Ways, waysOf } from './slots.js'
import { type Budget, take } from './stars.js'

/** A leaf that is longer takes too long to read again and again. */
const LENGTH_MAX = 2_000

/** How many code units may be read in one search. */
const SEARCH_BUDGET = 100_000

/**
 * What each difference from the draft costs, counted in slots that are left behind: first nearest to the draft at all
 * costs, then as far as possible.
 */
const PRICES = [Infinity, 3]

/** A draft that is read as it is meant with backslashes before the characters at those places. */
export interface Respelled {
  readonly draft: Draft
  readonly backslashes: readonly number[]
}

/** The draft in a way that is read as it is meant; null where none has been found. */
export function search(draft: Draft, pool: Budget): Respelled | null {
  if (draft.text.length > LENGTH_MAX || pool.left <= 0) return null
  const ways = waysOf(draft)
  const outlook = outlookOf(ways.slots)
  for (const price of PRICES) {
    const path = findPath(draft, ways, outlook, Math.min(price, ways.slots.length + 1), [{ left: SEARCH_BUDGET }, pool])
    if (path !== null) return respelled(draft, ways, path)
  }
  return null
}

/** A choice for each slot up to one of them. */
interface Path {
  readonly before: Path | null
  readonly slot: number
  readonly choice: Choice
  /** What is written before it. */
  readonly source: string
  /** In how many slots it differs from the draft. */
  readonly differences: number
}

function findPath(
  draft: Draft,
  { slots, lead, rests }: Ways,
  outlook: Outlook,
  price: number,
  budgets: readonly Budget[],
): Path | null {
  const queue: Path[][] = []
  let first = 0
  const add = (before: Path | null, slot: number, source: string): void => {
    const { choices = [] } = slots[slot] ?? {}
    for (let index = choices.length - 1; index >= 0; index -= 1) {
      const choice = choices[index]
      if (choice === undefined) continue
      const differences = (before?.differences ?? 0) + (index === 0 ? 0 : 1)
      const rank = price * differences + slots.length - slot
      queue[rank] ??= []
      queue[rank]?.push({ before, slot, choice, source, differences })
      first = Math.min(first, rank)
    }
  }
  add(null, 0, lead.source)
  while (first < queue.length) {
    const path = queue[first]?.pop()
    if (path === undefined) {
      first += 1
      continue
    }
    const { slot, choice } = path
    const rest = rests[slot]?.source ?? ''
    const source = path.source + choice.source + rest
    if (!take(budgets, source.length)) return null
    if (slot + 1 === slots.length) {
      if (isRight(draft, source)) return path
    } else if (rest === '' || canGoOn(outlook, path, source, slots[slot]?.next ?? null)) add(path, slot + 1, source)
  }
  return null
}

/** Whether a source up to the next slot can be the beginning of what is meant. */
function canGoOn(outlook: Outlook, path: Path, source: string, expected: Expected | null): boolean {
  const starts: number[] = []
  const lengths: number[] = []
  const loose: number[] = []
  const bare = new Set<number>()
  for (let each: Path | null = path; each !== null; each = each.before) {
    const { slot, choice } = each
    starts[slot] = each.source.length + choice.starsAt
    lengths[slot] = choice.stars
    loose[slot] = choice.loose
    if (choice.isBare) bare.add(each.source.length)
  }
  return canBecome(outlook, source, { starts, lengths, loose }, expected === null ? null : { expected, bare })
}

/** Whether a source has the words and the marks of the draft; what is no formatting is as long as it is there. */
function isRight({ marks, words }: Draft, source: string): boolean {
  const reading = readMarks(source)
  if (reading.words !== words || reading.marks.length !== marks.length) return false
  for (let at = 0; at < marks.length; at += MARK_SIZE) {
    const [start = 0, end = 0, kind = 0] = marks.slice(at, at + MARK_SIZE)
    if (reading.marks[at + 2] !== kind) return false
    if (kind >= CODE && (reading.marks[at + 1] ?? 0) - (reading.marks[at] ?? 0) !== end - start) return false
  }
  return true
}

/** The draft with what a path has chosen. */
function respelled({ nodes, words }: Draft, { lead, rests }: Ways, last: Path): Respelled {
  const pieces: Piece[] = []
  for (let path: Path | null = last; path !== null; path = path.before) {
    const rest = rests[path.slot]
    if (rest !== undefined) pieces.push(rest)
    pieces.push(path.choice)
  }
  let text = ''
  const backslashes: number[] = []
  for (const piece of [...pieces, lead].reverse()) {
    for (const at of piece.backslashes) backslashes.push(text.length + at)
    text += piece.text
  }
  // With all its backslashes given, nobody has to know where it is text.
  const draft: Draft = { text, marks: [], nodes, literals: [], words }
  const { marks } = readMarks(spell(draft, backslashes).source)
  for (const [index, place] of marks.entries()) {
    draft.marks.push(index % MARK_SIZE === 2 ? place : draftPlace(backslashes, place))
  }
  return { draft, backslashes }
}
