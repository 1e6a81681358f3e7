/**
 * The last resort for what is not read as it is meant: a search through all the ways to spell a leaf that `slots.ts` knows,
 * those that are nearest to its draft first. What can not become right any more is given up at once.
 */
import { isDelimiter } from '../parse/run.js'
import type { Draft } from './draft.js'
import { countBelow, isLiteral, partsOf } from './escapes.js'
import { BARE_LINK, CLOSE, isAsMeant, LINK, LINK_END, MARK_IN_TEXT, MARK_SIZE, readMarks } from './marks.js'
import { canBecome, type Outlook, outlookOf } from './outlook.js'
import { type Choice, type Expected, type Ways, waysOf } from './slots.js'
import { type Budget, neighbours, take } from './stars.js'

/** How much is searched at once, and how many code units may be read for it. */
interface Limits {
  readonly length: number
  readonly budget: number
}

/** Most of what formatting asks for is decided by what stands beside it: what can not be written at all fails soon. */
const IN_WINDOW: Limits = { length: 250, budget: 20_000 }
const IN_LEAF: Limits = { length: 2_000, budget: 100_000 }

/**
 * What each difference from the draft costs, counted in slots that are left behind: first nearest to the draft at all
 * costs, then as far as possible.
 */
const PRICES = [Infinity, 3]

/** The source of a draft in a way that is read as it is meant; null where none has been found. */
export function search(draft: Draft, pool: Budget): string | null {
  const parts = partsOf(draft)
  let source = ''
  let at = 0
  for (const window of windowsOf(draft)) {
    const plain = parts(window.start, window.end)
    source += parts(at, window.start) + (searchIn(draft, window, plain, pool) ?? plain)
    at = window.end
  }
  source += parts(at, draft.text.length)
  if (isAsMeant(readMarks(source), draft.marks, draft.words)) return source
  return endsLinks(draft) ? searchAll(draft, pool) : null
}

/** Part of a draft. */
interface Window {
  readonly start: number
  end: number
  /** Where its first mark stands among those of the draft. */
  readonly firstMark: number
}

/** Formatting that stands in no other, with the delimiters of text beside it; what is side by side is one. */
function windowsOf(draft: Draft): Window[] {
  const { marks } = draft
  const windows: Window[] = []
  let depth = 0
  let isInLabel = false
  for (let mark = 0; mark < marks.length; mark += MARK_SIZE) {
    const [start = 0, end = 0, kind = 0] = marks.slice(mark, mark + MARK_SIZE)
    if (kind === LINK || kind === LINK_END) isInLabel = kind === LINK
    if (isInLabel || kind >= LINK) continue
    const from = startOfDelimiters(draft, start)
    if (depth === 0 && (windows.at(-1)?.end ?? -1) < from) windows.push({ start: from, end, firstMark: mark })
    depth += kind < CLOSE ? 1 : -1
    const last = windows.at(-1)
    if (last !== undefined) last.end = endOfDelimiters(draft, end)
  }
  return windows
}

function startOfDelimiters(draft: Draft, at: number): number {
  let start = at
  while (isDelimiterOfText(draft, start - 1)) start -= 1
  return start
}

function endOfDelimiters(draft: Draft, at: number): number {
  let end = at
  while (isDelimiterOfText(draft, end)) end += 1
  return end
}

function isDelimiterOfText(draft: Draft, at: number): boolean {
  return isDelimiter(draft.text.charCodeAt(at)) && isLiteral(draft, at)
}

/** Whether formatting begins or ends directly behind a bare link, so that what is open decides where the link ends. */
function endsLinks({ marks }: Draft): boolean {
  for (let mark = MARK_SIZE; mark < marks.length; mark += MARK_SIZE) {
    const isLink = marks[mark - MARK_SIZE + 2] === BARE_LINK
    if (isLink && (marks[mark + 2] ?? 0) < LINK && marks[mark] === marks[mark - MARK_SIZE + 1]) return true
  }
  return false
}

/** The source of a part, which is `plain` if nothing else is needed. */
function searchIn(draft: Draft, window: Window, plain: string, pool: Budget): string | null {
  const part = partOf(draft, window)
  const { before, behind } = neighbours(draft.text, window.start, window.end)
  const words = before.text + part.words + behind.text
  const test = (source: string): boolean =>
    isAsMeant(readMarks(before.source + source + behind.source), part.marks, words)
  return test(plain) ? plain : searchWays(part, IN_WINDOW, pool, before.source, test)
}

function searchAll(draft: Draft, pool: Budget): string | null {
  return searchWays(draft, IN_LEAF, pool, '', (source) => isAsMeant(readMarks(source), draft.marks, draft.words))
}

function searchWays(
  draft: Draft,
  limits: Limits,
  pool: Budget,
  before: string,
  test: (source: string) => boolean,
): string | null {
  if (draft.text.length > limits.length || pool.left <= 0) return null
  const ways = waysOf(draft)
  const outlook = outlookOf(ways.slots)
  for (const price of PRICES) {
    const budget: Budget = { left: limits.budget }
    const task: Task = { ways, outlook, before, test, price: Math.min(price, ways.slots.length + 1) }
    const found = findSource(task, [budget, pool])
    // Where all has been tried, another order finds nothing else.
    if (found !== null || (budget.left >= 0 && pool.left >= 0)) return found
  }
  return null
}

interface Task {
  readonly ways: Ways
  readonly outlook: Outlook
  /** What delimiters see before the source. */
  readonly before: string
  readonly test: (source: string) => boolean
  readonly price: number
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

function findSource({ ways, outlook, before, test, price }: Task, budgets: readonly Budget[]): string | null {
  const { slots, lead, rests } = ways
  const queue: Path[][] = []
  let first = 0
  const add = (path: Path | null, slot: number, source: string): void => {
    const { choices = [] } = slots[slot] ?? {}
    for (let index = choices.length - 1; index >= 0; index -= 1) {
      const choice = choices[index]
      if (choice === undefined) continue
      const differences = (path?.differences ?? 0) + (index === 0 ? 0 : 1)
      const rank = price * differences + slots.length - slot
      queue[rank] ??= []
      queue[rank]?.push({ before: path, slot, choice, source, differences })
      first = Math.min(first, rank)
    }
  }
  add(null, 0, before + lead)
  while (first < queue.length) {
    const path = queue[first]?.pop()
    if (path === undefined) {
      first += 1
      continue
    }
    const { slot, choice } = path
    const rest = rests[slot] ?? ''
    const source = path.source + choice.source + rest
    if (!take(budgets, source.length)) return null
    if (slot + 1 === slots.length) {
      const found = source.slice(before.length)
      if (test(found)) return found
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

/** What stands in a window, as a draft of its own. */
function partOf({ text, marks, nodes, literals }: Draft, { start, end, firstMark }: Window): Draft {
  const part: Draft = { text: text.slice(start, end), marks: [], nodes: [], joined: [], literals: [], words: '' }
  // A leaf may have many parts: what is before this one is passed at once.
  let literal = countBelow(literals, start) & ~1
  const addWords = (to: number): void => {
    for (; (literals[literal] ?? Infinity) < to; literal += 2) {
      const from = Math.max(literals[literal] ?? 0, start)
      const until = Math.min(literals[literal + 1] ?? 0, end)
      if (from >= until) continue
      part.literals.push(from - start, until - start)
      part.words += text.slice(from, until)
    }
  }
  for (let mark = firstMark; (marks[mark] ?? end) < end; mark += MARK_SIZE) {
    const [from = 0, until = 0, kind = 0, partner = 0] = marks.slice(mark, mark + MARK_SIZE)
    addWords(from)
    part.marks.push(from - start, until - start, kind, partner - start)
    part.nodes.push(nodes[mark / MARK_SIZE] ?? part)
    part.words += MARK_IN_TEXT
  }
  addWords(end)
  return part
}
