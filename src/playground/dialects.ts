/** The dialects that a text can be read as. */

import { type Converted, fromMarkdown } from '../convert/index.js'
import { sectionsOf } from '../convert/markdown/elements.js'
import { documentOffset } from '../convert/markdown/source.js'
import { rulesFrom } from '../convert/options.js'
import { type Diagnostic, type Point, parse, type Root } from '../index.js'
import { lint } from '../lint/index.js'
import { fromSlack } from '../messengers/index.js'

/** A parsed text. */
export interface ParsedText {
  readonly text: string
  readonly dialect: string
  readonly tree: Root
  /** Diagnostics of lint or, for another dialect, losses of the conversion. */
  readonly diagnostics: readonly Diagnostic[]
  /** The parts of Markdown that are parsed one by one, in order; other dialects have none. */
  readonly sections: readonly string[]
}

/** The dialect that needs no conversion. */
export const BLOCKMARK = 'blockmark'

/** CommonMark with GFM, as models write it. */
export const MARKDOWN = 'markdown'

/** Parses a text; a dialect that is not known counts as blockmark. */
export function readAs(dialect: string, text: string): ParsedText {
  if (dialect === MARKDOWN) return { text, dialect, ...readMarkdown(text) }
  if (dialect === 'slack') return { text, dialect, ...fromSlack(payloadOf(text)), sections: [] }
  return { text, dialect: BLOCKMARK, tree: parse(text), diagnostics: lint(text), sections: [] }
}

const rules = rulesFrom({})
/** The converted sections of the last text. */
let convertedSections = new Map<string, Converted>()

/** Converts Markdown like `fromMarkdown`, but only the sections that changed, so that typing in a long text stays fast. */
function readMarkdown(text: string): Pick<ParsedText, 'tree' | 'diagnostics' | 'sections'> {
  const lastSections = convertedSections
  convertedSections = new Map()
  const children: Root['children'] = []
  const diagnostics: Diagnostic[] = []
  const sections = splitSections(text)
  let [offset, line] = [0, 0]
  for (const section of sections) {
    const conversion = lastSections.get(section) ?? fromMarkdown(section)
    convertedSections.set(section, conversion)
    children.push(...conversion.tree.children)
    for (const diagnostic of conversion.diagnostics) diagnostics.push(moveDiagnostic(diagnostic, offset, line))
    offset += section.length
    line += section.split(/\r\n?|\n/).length - 1
  }
  return { tree: { type: 'root', children }, diagnostics, sections }
}

/**
 * Splits Markdown into sections that can be parsed alone. A text is one section if it has a definition, which applies to all
 * sections, or U+FEFF, which has another meaning at the start of a text.
 */
function splitSections(text: string): readonly string[] {
  if (/\]:|\uFEFF/.test(text)) return [text]
  const starts = sectionsOf(text, rules).flatMap((each) => ('source' in each ? documentOffset(each.source, 0) : []))
  // Blank lines between sections are added to the section before them.
  return starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1]))
}

/** Returns a diagnostic of a section with its position in the text. */
function moveDiagnostic(diagnostic: Diagnostic, offset: number, line: number): Diagnostic {
  const { place } = diagnostic
  if (place === undefined) return diagnostic
  const move = (point: Point): Point => ({
    ...point,
    line: point.line + line,
    offset: (point.offset ?? 0) + offset,
  })
  return { ...diagnostic, place: 'start' in place ? { start: move(place.start), end: move(place.end) } : move(place) }
}

/** Parses the JSON of Slack's Block Kit Builder and of apps. Returns any other text unchanged. */
function payloadOf(text: string): string | object {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    const payload: unknown = JSON.parse(text)
    if (Array.isArray(payload)) return { blocks: payload }
    return typeof payload === 'object' && payload !== null ? payload : text
  } catch {
    return text
  }
}
