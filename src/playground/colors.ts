/** Finds the colored parts of a text, and the parts to mark because of a problem. */

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { AnyNode, Diagnostic } from '../index.js'
import { BLOCKMARK, MARKDOWN, type ParsedText } from './dialects.js'
import type { ColorSpan, Span } from './highlight-layer.js'

/** Returns the highlighted parts of a text. */
export function highlightedParts({ text, dialect, tree, diagnostics, sections }: ParsedText): readonly ColorSpan[] {
  const marks = diagnostics.flatMap((diagnostic) => problemParts(diagnostic, dialect === BLOCKMARK ? null : text))
  if (dialect === BLOCKMARK) return [...coloredParts(tree), ...marks]
  // Slack's trees have no positions, so only problems are marked. CommonMark is parsed again as plain GFM.
  if (dialect !== MARKDOWN) return marks
  return [...coloredMarkdown(sections), ...marks]
}

/** The colors of the sections of the last text: only sections that changed are parsed again. */
let coloredSections = new Map<string, readonly ColorSpan[]>()

function* coloredMarkdown(sections: readonly string[]): Generator<ColorSpan> {
  const lastSections = coloredSections
  coloredSections = new Map()
  let offset = 0
  for (const section of sections) {
    const parts = lastSections.get(section) ?? [...coloredParts(parseMarkdown(section))]
    coloredSections.set(section, parts)
    for (const { color, start, end } of parts) yield { color, start: start + offset, end: end + offset }
    offset += section.length
  }
}

function parseMarkdown(text: string): AnyNode {
  const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  return fromMarkdown(text, extensions) as AnyNode // Only fields that all nodes of mdast have are read.
}

/** Returns the position of a node; null if it has none. */
export function spanOfNode({ position }: AnyNode): Span | null {
  const [start, end] = [position?.start.offset, position?.end.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** Returns the position of a diagnostic; null if it has none. */
export function spanOfDiagnostic({ place }: Diagnostic): Span | null {
  if (place === undefined) return null
  const [start, end] = 'start' in place ? [place.start.offset, place.end.offset] : [place.offset, place.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** A marker or delimiter at the start of a construct of another dialect. */
const MARKER = /^\s*(?:\d+[.)]|[^\p{L}\p{N}\s]+|\S)/u

/** Marks the whole range of a problem of the dialect. For a loss, marks only the marker or delimiter in the converted text. */
function problemParts(diagnostic: Diagnostic, converted: string | null): ColorSpan[] {
  const span = spanOfDiagnostic(diagnostic)
  if (span === null) return []
  if (converted === null) return [{ color: 'found', ...span }]
  const [marker = ''] = MARKER.exec(converted.slice(span.start, span.end)) ?? []
  return [{ color: 'lost', start: span.start, end: span.start + marker.length }]
}

/** Nodes that have one color, with all of their text. */
const colors: Readonly<Record<string, ColorSpan['color']>> = {
  ...{ code: 'code', inlineCode: 'code', link: 'link', image: 'link', mention: 'mention', file: 'mention' },
}

/** Yields the parts of a node that have a color: delimiters and markers, and nodes with a color for all of their text. */
function* coloredParts(node: AnyNode): Generator<ColorSpan> {
  const span = spanOfNode(node)
  const color = colors[node.type]
  if (span === null) return
  if (color !== undefined) yield { color, ...span }
  else if ('children' in node) yield* aroundChildren(node.children, span)
}

function* aroundChildren(children: readonly AnyNode[], { start, end }: Span): Generator<ColorSpan> {
  let at = start
  for (const child of children) {
    const inner = spanOfNode(child)
    if (inner === null) continue
    if (at < inner.start) yield { color: 'markup', start: at, end: inner.start }
    yield* coloredParts(child)
    at = inner.end
  }
  if (at < end) yield { color: 'markup', start: at, end }
}
