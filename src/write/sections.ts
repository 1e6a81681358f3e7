/** The sections of a draft: formatting that no other part of it has a share in, when the parser pairs its delimiters. */
import type { Draft } from './draft.js'
import { CLOSE, EMPHASIS, isOfStars, LINK, LINK_END, MARK_SIZE, STRONG } from './marks.js'

/** Formatting that stands in no other, with all that is in it. Offsets are in the draft. */
export interface Section {
  readonly start: number
  end: number
  readonly runs: Stars[]
  /** Its marks, and its part of the draft's words. */
  readonly firstMark: number
  marksEnd: number
  readonly wordsStart: number
  wordsEnd: number
}

/** A run of stars. */
export interface Stars {
  readonly start: number
  end: number
  /** Whether what follows it stands in strong, and in emphasis. */
  isStrong: boolean
  isEmphasis: boolean
}

/** The text of a leaf, or of a link's label, as far as it has been read. */
interface Sequence {
  section: Section | null
  /** How much formatting is open. */
  depth: number
}

/** The sections that have stars, those in a label before the one that is around its link. */
export function sectionsOf({ marks, literals }: Draft): Section[] {
  const sections: Section[] = []
  const outer: Sequence[] = []
  let sequence: Sequence = { section: null, depth: 0 }
  let literal = 0
  // What has been read: up to where in the draft, and in its words.
  let at = 0
  let word = 0
  for (let mark = 0; mark * MARK_SIZE < marks.length; mark += 1) {
    const [start = 0, end = 0, kind = 0] = marks.slice(mark * MARK_SIZE, (mark + 1) * MARK_SIZE)
    for (; (literals[literal] ?? Infinity) < start; literal += 2) {
      const [textStart = 0, textEnd = 0] = literals.slice(literal, literal + 2)
      if (sequence.depth === 0) endSection(sequence, sections)
      addStars(sequence, at, textStart)
      at = textEnd
      word += textEnd - textStart
    }
    if (sequence.depth === 0 && (kind > EMPHASIS || sequence.section?.end !== start)) endSection(sequence, sections)
    // What is neither text nor a mark is the url of a link, or spare stars.
    if (kind !== LINK_END) addStars(sequence, at, start)
    if (kind < LINK) {
      sequence.section ??= {
        start,
        end,
        runs: [],
        firstMark: mark,
        marksEnd: mark,
        wordsStart: word,
        wordsEnd: word,
      }
      addDelimiter(sequence, start, end, kind)
      sequence.section.marksEnd = mark + 1
      sequence.section.wordsEnd = word + 1
    } else if (kind === LINK) {
      outer.push(sequence)
      sequence = { section: null, depth: 0 }
    } else if (kind === LINK_END) {
      endSection(sequence, sections)
      sequence = outer.pop() ?? sequence
    }
    at = end
    word += 1
  }
  endSection(sequence, sections)
  return sections
}

function addDelimiter(sequence: Sequence, start: number, end: number, kind: number): void {
  const { section } = sequence
  if (section === null) return
  section.end = end
  sequence.depth += kind < CLOSE ? 1 : -1
  if (isOfStars(kind)) addStars(sequence, start, end)
  const run = section.runs.at(-1)
  if (run === undefined) return
  if (kind % CLOSE === STRONG) run.isStrong = kind < CLOSE
  if (kind % CLOSE === EMPHASIS) run.isEmphasis = kind < CLOSE
}

function addStars({ section }: Sequence, start: number, end: number): void {
  if (section === null || start === end) return
  const { runs } = section
  const last = runs.at(-1)
  if (last?.end === start) last.end = end
  else runs.push({ start, end, isStrong: last?.isStrong === true, isEmphasis: last?.isEmphasis === true })
}

function endSection(sequence: Sequence, sections: Section[]): void {
  if (sequence.section !== null && sequence.section.runs.length > 0) sections.push(sequence.section)
  sequence.section = null
}
