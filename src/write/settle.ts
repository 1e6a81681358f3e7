/**
 * From a leaf to its source with few escapes. The parser reads the draft; what it takes for markup and is meant as text
 * gets a backslash; and so on, until it reads what is meant.
 *
 * Where that comes to no end, everything that could be markup gets one, and those that can go are taken away again.
 * What is not read as it is meant even then can not stand where it does, and is left out.
 */

import type { Link } from '../tree.js'
import { type Attempt, attempt } from './attempt.js'
import { compose, exceptionsOf, type Leaf } from './compose.js'
import { hasEscapableEnd } from './constructs.js'
import type { Change, Draft, Report } from './draft.js'
import { escapablePlaces } from './escapes.js'
import { BARE_LINK, CLOSE, EMPHASIS, LINK, LINK_END, MARK_SIZE } from './marks.js'
import { writeSimple } from './simple.js'
import { SPARES } from './spares.js'

/** Most leaves need no round or one; what needs more is hostile. */
const ROUNDS_MAX = 8

/** Code units that may be read in search of something better: enough for every small leaf, and linear in a long one. */
const BUDGET = 20_000
const BUDGET_PER_UNIT = 40

interface Search {
  readonly leaf: Leaf
  readonly pool: Pool
  budget: number
}

/** What the leaves of a tree may read in search, beside what their lengths allow: many small ones have to share it. */
export interface Pool {
  left: number
}

const POOL_SIZE = 1_000_000
const POOL_PER_UNIT = 10

export function createPool(): Pool {
  return { left: POOL_SIZE }
}

/** From this turn on everything that does not fit is left out at once, so that the work stays linear. */
const PATIENCE = 10

/** The source of a leaf, or null if nothing of it can be seen. */
export function settle(leaf: Leaf, report: Report, pool: Pool): string | null {
  const simple = writeSimple(leaf.type, leaf.children)
  if (simple !== null) return simple
  let changes: [object, Change][] = []
  const note: Report = (node, change) => changes.push([node, change])
  const search: Search = { leaf, budget: BUDGET, pool }
  for (let turn = 0; ; turn += 1) {
    changes = []
    const draft = compose(leaf, note)
    if (turn === 0 && draft !== null) pool.left += POOL_PER_UNIT * draft.text.length
    const settled = draft === null ? null : settleDraft(draft, pool)
    if (draft === null || settled === null || settled.isRight) {
      for (const [node, change] of changes) report(node, change)
      return settled?.source ?? null
    }
    if (turn === 0) search.budget += BUDGET_PER_UNIT * draft.text.length
    if (respellLinks(leaf, draft, settled) || addSpares(search, draft, settled)) continue
    const exceptions = exceptionsOf(leaf)
    if (turn > 0 || exceptions.joinsCode) leaveOut(leaf, draft, settled, turn)
    else exceptions.joinsCode = true
  }
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

/**
 * Takes away what escapes can go, in pieces of `size` at first, as many attempts as a small leaf or a small number need.
 *
 * @param candidates - those of the escapes that may go
 */
function fewest(
  draft: Draft,
  escapes: readonly number[],
  right: Attempt,
  candidates: readonly number[],
  size: number,
  pool: Pool,
): Attempt {
  let kept = escapes
  let rest = candidates
  let best = right
  let budget = BUDGET + BUDGET_PER_UNIT * draft.text.length
  for (let length = size; length > 0; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    let at = 0
    while (at < rest.length && budget > 0 && pool.left > 0) {
      const piece = new Set(rest.slice(at, at + length))
      const fewer = kept.filter((place) => !piece.has(place))
      const tried = attempt(draft, fewer)
      budget -= draft.text.length
      pool.left -= draft.text.length
      if (tried.isRight) {
        kept = fewer
        rest = rest.filter((place) => !piece.has(place))
        best = tried
      } else at += length
    }
  }
  return best
}

/**
 * A bare link that is not read as such, or next to a marker that is not, is written with an escape at its end, or else with
 * its name. Whether there was one.
 */
function respellLinks(leaf: Leaf, { marks, nodes }: Draft, { missing }: Attempt): boolean {
  const { escaped, named } = exceptionsOf(leaf)
  const size = escaped.size + named.size
  /** The links, and whether they themselves are missing. */
  const links = new Map<Link, boolean>()
  for (const index of missing) {
    for (const at of [index - 1, index, index + 1]) {
      const node = nodes[at]
      if (marks[at * MARK_SIZE + 2] === BARE_LINK)
        links.set(node as Link, at === index || links.get(node as Link) === true)
    }
  }
  for (const [link, isMissing] of links) {
    if (!escaped.has(link) && hasEscapableEnd(link.url)) escaped.add(link)
    else if (isMissing) named.add(link)
  }
  return escaped.size + named.size > size
}

/**
 * Emphasis and strong that are not read with their own stars alone may be with more of them, where the rule of three or
 * what closes late is in the way. Tries all ways to spell those around the first that fails; whether one of them is better.
 */
function addSpares(search: Search, draft: Draft, { missing }: Attempt): boolean {
  const { leaf, pool } = search
  const stars = starsAround(draft, missing)
  if (stars.length === 0) return false
  let least = Math.max(1, missing.length)
  let best: number[] | null = null
  for (const counts of waysToSpell(stars.length)) {
    if (search.budget <= 0 || pool.left <= 0 || least === 0) break
    setSpares(leaf, stars, counts)
    const varied = compose(leaf, () => {})
    if (varied === null) continue
    const tried = attempt(varied, escapablePlaces(varied))
    search.budget -= varied.text.length
    pool.left -= varied.text.length
    const count = tried.isRight ? 0 : Math.max(1, tried.missing.length + tried.eaten.length)
    if (count < least) best = counts
    least = Math.min(least, count)
  }
  setSpares(leaf, stars, best ?? stars.map(() => 0))
  return best !== null
}

/** All ways to spell so many nodes; those that change few of them first. */
function* waysToSpell(count: number): Generator<number[]> {
  for (let changed = 1; changed <= count; changed += 1) yield* waysToChange(count, changed)
}

/** The ways that change so many of them. */
function* waysToChange(count: number, changed: number): Generator<number[]> {
  if (count < changed) return
  if (count === 0) yield []
  for (let way = 1; way < SPARES && changed > 0; way += 1) {
    for (const others of waysToChange(count - 1, changed - 1)) yield [...others, way]
  }
  for (const others of waysToChange(count - 1, changed)) yield [...others, 0]
}

function setSpares(leaf: Leaf, stars: readonly object[], counts: readonly number[]): void {
  const { spares } = exceptionsOf(leaf)
  for (const [at, node] of stars.entries()) spares.set(node, counts[at] ?? 0)
}

/** Up to five nodes of stars, those before the first mark that is missing and those behind it. */
function starsAround({ marks, nodes }: Draft, [first = 0]: readonly number[]): object[] {
  const before: object[] = []
  const behind: object[] = []
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index]
    if (node === undefined || (marks[index * MARK_SIZE + 2] ?? 0) > EMPHASIS) continue
    if (index < first) before.push(node)
    else behind.push(node)
  }
  return [...before.slice(-3), ...behind].slice(0, 5)
}

/** Leaves out what can not stand where it does: the innermost first, since what is around it may have failed because of it. */
function leaveOut(leaf: Leaf, { marks, nodes }: Draft, { missing }: Attempt, turn: number): void {
  const { dropped, escaped, named } = exceptionsOf(leaf)
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
      if (isLeftOut) dropped.add(nodes[index] ?? dropped)
      const outer = open.at(-1)
      if (outer !== undefined) outer.holdsMissing ||= fails || pair.holdsMissing
    }
  }
}
