/**
 * Stars that are read as they are meant, where those of each node alone are not: the rule of three and what closes late
 * ask for other lengths, as in `**"a ***(b)***c**`. Formatting in another of its kind is none, and two of a kind side by
 * side are one (§4), so that a run may have more stars than its nodes need.
 *
 * A search from left to right: each run is tried in several lengths, and the parser says of the source so far which stars
 * have found a partner and which are open. What can not become what is meant any more is given up at once.
 */
import { lengthAt, lengthBefore, traitsAt, traitsBefore, WHITE_SPACE } from '../characters.js'
import { isEscapable } from '../parse/escape.js'
import type { Draft } from './draft.js'
import { countBelow, type Parts, partsOf } from './escapes.js'
import { isAsMeant, isOfStars, MARK_SIZE, readMarks } from './marks.js'
import { canBecome, type Found, type Outlook, outlookOf } from './outlook.js'
import { type Section, type Stars, sectionsOf } from './sections.js'

/** How many stars a run has at most beside those that its nodes need. */
export const SPARES_MAX = 6

/** How many code units may be read for one section, so that one without a way does not take all there is. */
const SECTION_BUDGET = 40_000

/** How many code units may be read in search. */
export interface Budget {
  left: number
}

/** Takes so many from each budget. Whether they had as many. */
export function take(budgets: readonly Budget[], count: number): boolean {
  for (const budget of budgets) budget.left -= count
  return budgets.every(({ left }) => left >= 0)
}

/** The draft with other stars where those that it has are not read as they are meant; null where there is no such place. */
export function respell(draft: Draft, budgets: readonly Budget[]): Draft | null {
  let current = draft
  let parts = partsOf(draft)
  let sections = sectionsOf(draft)
  for (let index = 0; index < sections.length; index += 1) {
    const section = sections[index]
    if (section === undefined) break
    const task = startSearch(current, parts, section)
    if (!take(budgets, section.end - section.start)) break
    if (verify(task, wholeOf(task)) !== null) continue
    const respelled = findStars(task, [{ left: SECTION_BUDGET }, ...budgets])
    if (respelled === null) continue
    current = respelled
    parts = partsOf(current)
    sections = sectionsOf(current)
    take(budgets, current.text.length)
  }
  return current === draft ? null : current
}

/** A section whose stars are looked for. */
interface Search {
  readonly draft: Draft
  readonly section: Section
  /** What is written before the first run, with what the delimiters see before it, and behind each run. */
  readonly lead: string
  readonly rests: readonly string[]
  /** What the delimiters see behind the section, and the words that the parser should find. */
  readonly behind: string
  readonly words: string
  readonly outlook: Outlook
}

function startSearch(draft: Draft, parts: Parts, section: Section): Search {
  const { start, end, runs } = section
  const { before, behind } = neighbours(draft.text, start, end)
  const places = runs.map((run, index) => [run.end, runs[index + 1]?.start ?? end] as const)
  return {
    draft,
    section,
    lead: before.source + parts(start, runs[0]?.start ?? start),
    rests: places.map(([from, to]) => parts(from, to)),
    behind: behind.source,
    words: before.text + draft.words.slice(section.wordsStart, section.wordsEnd) + behind.text,
    outlook: outlookOf(runs),
  }
}

/** A character and its source. */
interface Neighbour {
  readonly text: string
  readonly source: string
}

/** What the delimiters of a part see before and behind it. */
export function neighbours(text: string, start: number, end: number): { before: Neighbour; behind: Neighbour } {
  const before = seen(text.slice(start - lengthBefore(text, start), start), traitsBefore(text, start))
  const behind = seen(text.slice(end, end + lengthAt(text, end)), traitsAt(text, end))
  return {
    before: { text: before, source: before === '\\' ? '\\\\' : escaped(before) },
    // A backslash is text by itself where nothing stands behind it.
    behind: { text: behind, source: escaped(behind) },
  }
}

/** A character as a delimiter sees it; a backtick as another one that is all it is, and begins no code. */
function seen(char: string, traits: number): string {
  if ((traits & WHITE_SPACE) !== 0) return ''
  return char === '`' ? '+' : char
}

function escaped(char: string): string {
  return isEscapable(char.charCodeAt(0)) ? `\\${char}` : char
}

/** The whole section with the stars of the draft. */
function wholeOf({ section, lead, rests }: Search): string {
  const runs = section.runs.map(({ start, end }, index) => '*'.repeat(end - start) + rests[index])
  return lead + runs.join('')
}

/** A choice of stars for the runs up to one of them. */
interface Path {
  readonly before: Path | null
  readonly run: number
  /** What is written before the run, and how many stars it has. */
  readonly source: string
  readonly length: number
  /** How many stars there are to spare, up to here. */
  readonly spares: number
}

/** The best first: few stars to spare, and few runs to come. */
function findStars(search: Search, budgets: readonly Budget[]): Draft | null {
  const { section, lead, rests } = search
  const { runs } = section
  const queue: Path[][] = []
  addPaths(queue, runs, { before: null, run: 0, source: lead, length: 0, spares: 0 })
  for (;;) {
    const path = queue.find((paths) => paths !== undefined && paths.length > 0)?.pop()
    if (path === undefined) return null
    const source = path.source + '*'.repeat(path.length) + (rests[path.run] ?? '')
    if (!take(budgets, source.length)) return null
    const stars = starsOf(path)
    if (path.run + 1 < runs.length) {
      if (canBecome(search.outlook, source, stars, null)) {
        addPaths(queue, runs, { before: path, run: path.run + 1, source, length: 0, spares: path.spares })
      }
    } else {
      const marks = verify(search, source)
      if (marks !== null) return withStars(search, stars, marks)
    }
  }
}

/** Adds the ways to go on with the run at which a path stands. */
function addPaths(queue: Path[][], runs: readonly Stars[], path: Path): void {
  const { start = 0, end = 0 } = runs[path.run] ?? {}
  for (let more = 0; more <= SPARES_MAX; more += 1) {
    const spares = path.spares + more
    const rank = spares + runs.length - path.run
    queue[rank] ??= []
    queue[rank]?.push({ ...path, length: end - start + more, spares })
  }
}

/** Where the runs of a path start in the source, and how long they are. */
function starsOf(path: Path): Found {
  const starts: number[] = []
  const lengths: number[] = []
  for (let each: Path | null = path; each !== null; each = each.before) {
    starts[each.run] = each.source.length
    lengths[each.run] = each.length
  }
  return { starts, lengths, loose: [] }
}

/** The marks of the section where it is read as it is meant, else null. */
function verify({ draft, section, behind, words }: Search, source: string): readonly number[] | null {
  const reading = readMarks(source + behind)
  const meant = draft.marks.slice(section.firstMark * MARK_SIZE, section.marksEnd * MARK_SIZE)
  return isAsMeant(reading, meant, words) ? reading.marks : null
}

/** The draft with the stars that have been found; `found` are the marks of the section in its source. */
function withStars({ draft, section }: Search, { starts, lengths }: Found, found: readonly number[]): Draft {
  const { firstMark, marksEnd, runs } = section
  let text = ''
  let from = 0
  /** How much further each run stands than before, and what stands behind all of them. */
  const shifts: number[] = [0]
  for (const [index, { start, end }] of runs.entries()) {
    text += draft.text.slice(from, start) + '*'.repeat(lengths[index] ?? 0)
    from = end
    shifts.push((shifts[index] ?? 0) + (lengths[index] ?? 0) - (end - start))
  }
  text += draft.text.slice(from)
  const ends = runs.map(({ end }) => end)
  const shift = (at: number): number => at + (shifts[countBelow(ends, at + 1)] ?? 0)
  const marks = draft.marks.map((place, index) => (index % MARK_SIZE === 2 ? place : shift(place)))
  for (let mark = firstMark; mark < marksEnd; mark += 1) {
    const at = mark * MARK_SIZE
    const start = found[at - firstMark * MARK_SIZE] ?? 0
    const index = countBelow(starts, start + 1) - 1
    const run = runs[index]
    const offset = start - (starts[index] ?? 0)
    if (!isOfStars(marks[at + 2] ?? 0) || run === undefined || offset >= (lengths[index] ?? 0)) continue
    const moved = run.start + (shifts[index] ?? 0) + offset
    marks[at + 1] = moved + (found[at - firstMark * MARK_SIZE + 1] ?? 0) - start
    marks[at] = moved
  }
  return { ...draft, text, marks, literals: draft.literals.map(shift) }
}
