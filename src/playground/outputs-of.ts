/** The output of a text as data, so that a worker can make it and the page can draw it later. */

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type AnyNode, type Diagnostic, parse } from '../index.js'
import { fix } from '../lint/index.js'
import { dialects, MARKDOWN, OWN, type Reading } from './dialects.js'
import type { Painted, Span } from './highlight-layer.js'
import { type Output, outputs } from './outputs.js'
import { spanOfNode } from './pairing.js'

/** A text, and the output that is needed. */
export interface Question {
  readonly text: string
  readonly dialect: string
  /** The name of an output. */
  readonly output: string
}

/** An output, and the facts about a text that do not depend on it. */
export interface Result extends Output {
  /** The first problems: diagnostics of lint or, for another dialect, losses of the conversion. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
  /** Whether there are corrections that cannot change the meaning. */
  readonly isFixable: boolean
  /** The colors of the text, and the positions of the problems. */
  readonly painted: readonly Painted[]
}

/** A diagnostic as data, which a worker can send. */
export interface Problem {
  readonly reason: string
  readonly ruleId: string
  /** The position and line in the text; null without a position. */
  readonly place: { readonly span: Span; readonly line: number } | null
  /** The replacement. */
  readonly expected: string | null
}

/** Nobody reads more problems at once; the page says how many there are. */
const PROBLEMS_MAX = 50

export function resultOf(question: Question): Result {
  const { text, dialect } = question
  const reading = dialects.get(dialect)?.(text) ?? { tree: parse(text), diagnostics: [] }
  const isOwn = dialect === OWN
  return {
    problems: reading.diagnostics.slice(0, PROBLEMS_MAX).map(problemOf),
    problemCount: reading.diagnostics.length,
    isFixable: isOwn && reading.diagnostics.some(({ expected }) => expected) && fix(text) !== text,
    painted: [...colorsOf(question, reading), ...marksOf(reading.diagnostics, isOwn ? null : text)],
    ...(outputs[question.output]?.({ ...question, ...reading }) ?? { view: { kind: 'text', text }, copied: text }),
  }
}

function problemOf(diagnostic: Diagnostic): Problem {
  const { reason, ruleId = '', place, expected } = diagnostic
  const span = spanOf(diagnostic)
  const line = place === undefined ? 1 : 'start' in place ? place.start.line : place.line
  return { reason, ruleId, place: span === null ? null : { span, line }, expected: expected?.[0] ?? null }
}

/** Returns the position of a diagnostic; null if it has none. */
function spanOf({ place }: Diagnostic): Span | null {
  if (place === undefined) return null
  const [start, end] = 'start' in place ? [place.start.offset, place.end.offset] : [place.offset, place.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** A marker or delimiter at the start of a construct of another dialect. */
const MARKER = /^\s*(?:\d+[.)]|[^\p{L}\p{N}\s]+|\S)/u

/** Marks problems of the dialect as a whole. A loss is information: only its delimiter in the text is marked. */
function marksOf(diagnostics: readonly Diagnostic[], converted: string | null): Painted[] {
  return diagnostics.flatMap((diagnostic): Painted[] => {
    const span = spanOf(diagnostic)
    if (span === null) return []
    if (converted === null) return [{ color: 'found', ...span }]
    const [marker = ''] = MARKER.exec(converted.slice(span.start, span.end)) ?? []
    return [{ color: 'lost', start: span.start, end: span.start + marker.length }]
  })
}

/** The colors of the text. Trees of Slack's text have no positions; CommonMark is parsed by the reader of conversions. */
function colorsOf({ text, dialect }: Question, { tree }: Reading): Iterable<Painted> {
  if (dialect === OWN) return coloredParts(tree)
  if (dialect !== MARKDOWN) return []
  const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
  return coloredParts(fromMarkdown(text, extensions) as AnyNode) // Only fields that all nodes of mdast have are read.
}

/** Nodes that have one color, with all of their text. */
const colors: Readonly<Record<string, Painted['color']>> = {
  ...{ code: 'code', inlineCode: 'code', link: 'link', image: 'link', mention: 'mention', file: 'mention' },
}

/** Yields the parts of a node that have a color: delimiters and markers, and nodes with a color for all of their text. */
function* coloredParts(node: AnyNode): Generator<Painted> {
  const span = spanOfNode(node)
  const color = colors[node.type]
  if (span === null) return
  if (color !== undefined) yield { color, ...span }
  else if ('children' in node) yield* aroundChildren(node.children, span)
}

function* aroundChildren(children: readonly AnyNode[], { start, end }: Span): Generator<Painted> {
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
