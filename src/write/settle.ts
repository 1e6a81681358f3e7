/**
 * From a leaf to its source with few escapes. The parser reads the draft; what it takes for markup and is meant as text
 * gets a backslash; and so on, until it reads what is meant.
 *
 * Where that comes to no end, everything that could be markup gets one, and those that can go are taken away again.
 * What is not read as it is meant even then can not stand where it does, and is left out.
 */

import type { Formatting, Link } from '../tree.js'
import { type Attempt, attempt } from './attempt.js'
import { compose, exceptionsOf, type Leaf } from './compose.js'
import { hasEscapableEnd } from './constructs.js'
import type { Change, Draft, Report } from './draft.js'
import { canBeTrimmed } from './edges.js'
import { escapablePlaces } from './escapes.js'
import { BARE_LINK, CLOSE, CODE, isAsMeant, LINK, LINK_END, MARK_SIZE, readMarks } from './marks.js'
import { search } from './search.js'
import { type Budget, respell, take } from './stars.js'

/** Most leaves need no round or one; what needs more is hostile. */
const ROUNDS_MAX = 8

/** Code units that may be read in search of something better: enough for every small leaf, and linear in a long one. */
const BUDGET = 60_000
const BUDGET_PER_UNIT = 40

/** What the leaves of a tree may read in search, beside what their lengths allow: many small ones have to share it. */
export interface Pool extends Budget {
  /** What may be read in the last resort. */
  readonly search: Budget
}

const POOL_SIZE = 1_000_000
const POOL_PER_UNIT = 10
const SEARCH_POOL_SIZE = 600_000

export function createPool(): Pool {
  return { left: POOL_SIZE, search: { left: SEARCH_POOL_SIZE } }
}

/** From this turn on everything that does not fit is left out at once, so that the work stays linear. */
const PATIENCE = 10

/** The source of a leaf, or null if nothing of it can be seen. */
export function settle(leaf: Leaf, report: Report, pool: Pool): string | null {
  const budget: Budget = { left: BUDGET }
  for (let turn = 0; ; turn += 1) {
    const changes: [object, Change][] = []
    const draft = compose(leaf, (node, change) => changes.push([node, change]))
    if (turn === 0 && draft !== null) {
      pool.left += POOL_PER_UNIT * draft.text.length
      budget.left += BUDGET_PER_UNIT * draft.text.length
    }
    const source = draft === null ? null : sourceOf(leaf, draft, turn, budget, pool)
    if (draft !== null && source === null) continue
    for (const [node, change] of changes) report(node, change)
    return source
  }
}

/** The source that is read as the draft is meant; or null, and what can not stand as it could is known. */
function sourceOf(leaf: Leaf, draft: Draft, turn: number, budget: Budget, pool: Pool): string | null {
  const settled = settleDraft(draft, pool)
  if (settled.isRight) return settled.source
  if (respellLinks(leaf, draft, settled, 0)) return null
  const respelled = respell(draft, [budget, pool])
  const resettled = respelled === null ? settled : settleDraft(respelled, pool)
  if (resettled.isRight) return resettled.source
  const found = lastResort(leaf, draft, pool)
  if (found !== null) return found
  makeWay(leaf, respelled ?? draft, resettled, turn)
  return null
}

/** The source that a search finds, unless something has been given up already; of links as they are and as they could be. */
function lastResort(leaf: Leaf, draft: Draft, pool: Pool): string | null {
  const exceptions = exceptionsOf(leaf)
  if (exceptions.isSearched) return null
  exceptions.isSearched = true
  const hasSpelledLinks = exceptions.named.size + exceptions.escaped.size > 0
  const bare = hasSpelledLinks ? compose({ ...leaf, exceptions: null }, () => {}) : null
  for (const each of bare === null ? [draft] : [draft, bare]) {
    const found = search(each, pool.search)
    if (found !== null) return withoutSpare(each, found, pool)
  }
  return null
}

/** A source that is right, without the backslashes that can go. */
function withoutSpare(draft: Draft, source: string, pool: Pool): string {
  const places = Array.from(source.matchAll(/\\/g), ({ index }) => index)
  const { urls } = readMarks(source)
  let best = source
  shrink(places, places, places.length, source.length, pool, (kept) => {
    const left = new Set(kept)
    const fewer = source.replaceAll(/\\/g, (backslash, at: number) => (left.has(at) ? backslash : ''))
    const reading = readMarks(fewer)
    // In a url a backslash is no escape, and need not be seen in marks or words.
    const isSame =
      isAsMeant(reading, draft.marks, draft.words) && reading.urls.every((url, index) => url === urls[index])
    if (isSame) best = fewer
    return isSame
  })
  return best
}

/** Finds out what can not stand as it could: links and code before what is left out. */
function makeWay(leaf: Leaf, draft: Draft, settled: Attempt, turn: number): void {
  if (turn < PATIENCE / 2 && respellLinks(leaf, draft, settled, 1)) return
  const exceptions = exceptionsOf(leaf)
  if (turn > PATIENCE || exceptions.joinsCode || !holdsCodes(draft)) leaveOut(leaf, draft, settled, turn)
  else exceptions.joinsCode = true
}

function holdsCodes({ marks }: Draft): boolean {
  return marks.filter((kind, index) => index % MARK_SIZE === 2 && kind === CODE).length > 1
}

/** The draft with the escapes that it needs; or with all that there can be, if they are not enough. */
function settleDraft(draft: Draft, pool: Pool): Attempt {
  let last = attempt(draft, [])
  if (last.isRight) return last
  const escapes = new Set<number>()
  for (let round = 0; !last.isRight && round < ROUNDS_MAX; round += 1) {
    const { size } = escapes
    for (const place of last.eaten) escapes.add(place)
    if (escapes.size === size) break
    last = attempt(draft, inOrder(escapes))
  }
  if (last.isRight) return escapes.size > 1 ? withoutDoubtful(draft, inOrder(escapes), last, pool) : last
  const all = escapablePlaces(draft)
  const full = attempt(draft, all)
  if (full.isRight) return fewest(draft, all, full, all, all.length, pool)
  return full
}

function inOrder(places: ReadonlySet<number>): number[] {
  return [...places].sort((left, right) => left - right)
}

/**
 * Takes away what escapes can go of those that were found one by one. Most are needed, and show it when every other one is
 * taken away; only the rest is tried alone.
 */
function withoutDoubtful(draft: Draft, escapes: readonly number[], right: Attempt, pool: Pool): Attempt {
  const doubtful: number[] = []
  for (const parity of [0, 1]) {
    const kept = escapes.filter((_, index) => index % 2 !== parity)
    const eaten = new Set(attempt(draft, kept).eaten)
    for (const [index, place] of escapes.entries()) if (index % 2 === parity && !eaten.has(place)) doubtful.push(place)
  }
  return fewest(draft, escapes, right, doubtful, 1, pool)
}

/** Takes away what escapes can go of the candidates, in pieces of `size` at first. */
function fewest(
  draft: Draft,
  escapes: readonly number[],
  right: Attempt,
  candidates: readonly number[],
  size: number,
  pool: Pool,
): Attempt {
  let best = right
  shrink(escapes, candidates, size, draft.text.length, pool, (kept) => {
    const tried = attempt(draft, kept)
    if (tried.isRight) best = tried
    return tried.isRight
  })
  return best
}

/**
 * Takes away what can go of some places, in as many attempts as a small leaf or a small number need.
 *
 * @param candidates - those that may go
 * @param size - how many are taken away at once at first
 * @param cost - how many code units each attempt reads
 */
function shrink(
  places: readonly number[],
  candidates: readonly number[],
  size: number,
  cost: number,
  pool: Pool,
  isEnough: (kept: readonly number[]) => boolean,
): void {
  let kept = places
  let rest = candidates
  const budget: Budget = { left: BUDGET + BUDGET_PER_UNIT * cost }
  for (let length = size; length > 0; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    let at = 0
    while (at < rest.length && budget.left > 0 && pool.left > 0) {
      const piece = new Set(rest.slice(at, at + length))
      const fewer = kept.filter((place) => !piece.has(place))
      take([budget, pool], cost)
      if (isEnough(fewer)) {
        kept = fewer
        rest = rest.filter((place) => !piece.has(place))
      } else at += length
    }
  }
}

/**
 * Bare links that are not read as such, or stand `near` a marker that is not, are written with an escape at their end, or
 * else with their name. Whether there was one.
 */
function respellLinks(leaf: Leaf, { marks, nodes }: Draft, { missing }: Attempt, near: 0 | 1): boolean {
  const { escaped, named } = exceptionsOf(leaf)
  const links = new Set<Link>()
  for (const index of missing) {
    for (let at = index - near; at <= index + near; at += 1) {
      if (marks[at * MARK_SIZE + 2] === BARE_LINK) links.add(nodes[at] as Link)
    }
  }
  for (const link of links) {
    if (!escaped.has(link) && hasEscapableEnd(link.url)) escaped.add(link)
    else named.add(link)
  }
  return links.size > 0
}

/** Leaves out what can not stand where it does: the innermost first, since what is around it may have failed because of it. */
function leaveOut(leaf: Leaf, { marks, nodes, joined }: Draft, { missing }: Attempt, turn: number): void {
  const { dropped, trimmed, escaped, named } = exceptionsOf(leaf)
  // Links may have been respelled because of what goes now.
  escaped.clear()
  named.clear()
  const isMissing = new Set(missing)
  /** Of each pair that is open: whether its start is missing, and whether something in it is. */
  const open: { isMissing: boolean; holdsMissing: boolean }[] = []
  for (let index = 0; index < nodes.length; index += 1) {
    const kind = marks[index * MARK_SIZE + 2] ?? 0
    if (kind < CLOSE || kind === LINK) open.push({ isMissing: isMissing.has(index), holdsMissing: false })
    else if (kind < LINK || kind === LINK_END) {
      const pair = open.pop() ?? { isMissing: false, holdsMissing: false }
      const fails = pair.isMissing || isMissing.has(index)
      const isLeftOut = turn > 2 * PATIENCE || (fails && (turn > PATIENCE || !pair.holdsMissing))
      const node = nodes[index]
      if (isLeftOut && node !== undefined) {
        const isFirst = turn <= PATIENCE && kind < LINK && !trimmed.has(node)
        const exceptions = isFirst && canBeTrimmed(node as Formatting) ? trimmed : dropped
        exceptions.add(node)
      }
      const outer = open.at(-1)
      if (outer !== undefined) outer.holdsMissing ||= fails || pair.holdsMissing
    }
  }
  // What is left of formatting that has become one may well be able to stand: but not for ever.
  if (turn > PATIENCE) for (const [node, first] of joined) if (dropped.has(first)) dropped.add(node)
}
