/**
 * What is done before Markdown is parsed, so that no input takes longer than a reader would wait: the parser's time grows
 * with the square of the blocks in a text, and of the delimiters, lines and markers in a block. It gets a few blocks at a
 * time, and none that is too much.
 */
import { type Section, sectionsOf } from './sections.js'

/** A block with more characters, or with more delimiters or lines, is plain text. */
const LENGTH_MAX = 20_000
const DELIMITERS_MAX = 2_000
/**
 * What a block takes grows with the square of its delimiters and lines, and with each of them: a line takes so much, as
 * much again for each quote or item that it begins, and a delimiter a part of it.
 */
const LINE_WORK = 1_000
const DELIMITER_WORK = 300
/** What all blocks of 100 KB may take together: two of the worst, or 12,000 lines of text, or 6,000 items of one line. */
const WORK_MAX = 12_000_000
const TEXT_LENGTH = 100_000
/** Markers in front of one line; far more than are shown. */
const MARKERS_MAX = 64

/** What is parsed at a time, unless one section is longer; a text that is no longer than most answers is parsed as it is. */
const PART_LENGTH = 4_000
const PART_LINES = 64
const WHOLE_LENGTH = 20_000
const WHOLE_LINES = 500

/** A few sections that are parsed together. */
export interface Part extends Omit<Section, 'isVerbatim'> {
  /** Whether they are too much, and stay text. */
  readonly isPlain: boolean
}

/**
 * Cuts Markdown into parts, each of which means alone what it means in the whole.
 *
 * @param markdown - any string
 * @returns parts that are all of it in a row
 */
export function partsOf(markdown: string): Part[] {
  const parts: Part[] = []
  const exceeds = exceeding(markdown)
  const sections = sectionsOf(markdown)
  const lineCount = sections.reduce((sum, section) => sum + section.lineCount, 0)
  const isWhole = markdown.length <= WHOLE_LENGTH && lineCount <= WHOLE_LINES
  for (const section of sections) {
    const isPlain = exceeds(section)
    const last = parts.at(-1)
    if (last !== undefined && last.isPlain === isPlain && (isPlain ? section.isContinued : isWhole || isShort(last))) {
      last.end = section.end
      last.lineCount += section.lineCount
    } else parts.push({ ...section, isPlain })
  }
  return parts
}

function isShort({ start, end, lineCount }: Part): boolean {
  return end - start < PART_LENGTH && lineCount < PART_LINES
}

/** Whether a section is too much, those before it considered. */
function exceeding(markdown: string): (section: Section) => boolean {
  const workMax = WORK_MAX * Math.max(1, markdown.length / TEXT_LENGTH)
  let work = 0
  return ({ start, end, lineCount, isVerbatim }) => {
    if (isVerbatim) return false
    const text = markdown.slice(start, end)
    const delimiterCount = text.match(/[*_~[\]<`]/g)?.length ?? 0
    if (text.length > LENGTH_MAX || delimiterCount > DELIMITERS_MAX || lineCount > DELIMITERS_MAX) return true
    const markerCounts = text.match(MARKERS)?.map((markers) => markers.match(MARKER)?.length ?? 0) ?? []
    if (markerCounts.some((count) => count > MARKERS_MAX)) return true
    const markerCount = markerCounts.reduce((sum, count) => sum + count, 0)
    // From each of these the parser may look for an end as far as the block goes.
    const openerCount = text.match(/<|`+|\]\(/g)?.length ?? 0
    const squares = delimiterCount ** 2 + (2 * lineCount) ** 2 + (openerCount * text.length) / 2
    const once = squares + LINE_WORK * (lineCount + markerCount) + DELIMITER_WORK * delimiterCount
    // What may define a name is parsed for its names before.
    const sectionWork = text.includes(DEFINITION) ? 2 * once : once
    if (work + sectionWork > workMax) return true
    work += sectionWork
    return false
  }
}

/** What every definition of a link or a footnote has. */
export const DEFINITION = ']:'

/** Blocks that contain others begin with them: `> - 1. > text`. */
const MARKERS = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm
const MARKER = />|[*+-]|\d{1,9}[.)]/g
