/** Reads CommonMark with GFM while it arrives: settled blocks, and a preview of the rest. */
import { describe } from '../../describe.js'
import type { Diagnostic } from '../../diagnostic.js'
import type { Block, Root } from '../../index.js'
import { blocksOf, footnotesOf } from '../blocks.js'
import { type Conversion, collectDefinitions, createConversion, definitionsIn, nameOf, report } from '../conversion.js'
import { htmlReader } from '../html-blocks.js'
import { type MarkdownOptions, rulesFrom } from '../options.js'
import { addText, createSplitter, endSplitter, type SectionOrElement, type Splitter } from './elements.js'
import { type Context, createContext, parseAlone, parserOf, withDefinitions } from './read.js'
import { type EndedParts, tailOf } from './tail.js'

/** Markdown that is still being written; see `createMarkdownStream`. */
export interface MarkdownStream {
  /**
   * Parses the next chunk of the text, which may be cut anywhere.
   *
   * @returns the blocks that are settled now, each once; a settled block never changes
   * @throws {TypeError} if `chunk` is not a string
   * @throws {Error} if the stream is finished
   */
  push(chunk: string): Block[]
  /** A preview of the text that is not settled, as if all open constructs were closed. Half-typed markup is hidden. */
  readonly tail: Root
  /** Ends the text. Returns the remaining blocks, footnotes last. */
  finish(): Block[]
  /** Diagnostics for the settled blocks. */
  readonly diagnostics: readonly Diagnostic[]
}

interface StreamState {
  readonly splitter: Splitter
  /** The unfinished line. */
  rest: string
  readonly parts: EndedParts
  readonly conversion: Conversion
  readonly context: Context
  isFinished: boolean
}

/**
 * Reads CommonMark with GFM while it arrives, for example a model's output. However a text is cut, the blocks that `push` and
 * `finish` return are `fromMarkdown(text, options).tree.children`, with one exception: a reference before its definition stays
 * text, and so does the definition, with a diagnostic. A returned block never changes.
 *
 * A push takes time linear in the chunk and in the lines, paragraphs, rows and blocks that end in it. Lists, tables, quotes and
 * code are returned when they end. Reading `tail` parses the last item, row or paragraph again and converts the open block.
 *
 * @param options - the options of `fromMarkdown`
 * @returns an empty stream
 * @throws {TypeError} if an option is not valid
 * @example
 * import { stringify, toText } from 'blockmark'
 *
 * const stream = createMarkdownStream()
 * stream.push('### Plan\n\n1. **Ask').map((block) => toText({ type: 'root', children: [block] })) // => ['Plan']
 * stringify(stream.tail) // => '1. **Ask**'
 * stream.push('** [the team](https://exa')
 * stringify(stream.tail) // => '1. **Ask** the team'
 * stream.push('mple.com)\n').length // => 0
 * stringify({ type: 'root', children: stream.finish() }) // => '1. **Ask** [the team](https://example.com)'
 */
export function createMarkdownStream(options: MarkdownOptions = {}): MarkdownStream {
  const rules = rulesFrom(options)
  const conversion = createConversion(options, htmlReader(parserOf(rules)))
  const state: StreamState = {
    splitter: createSplitter(rules),
    rest: '',
    parts: [],
    conversion,
    context: createContext(rules, [0], conversion.diagnostics),
    isFinished: false,
  }
  return {
    push: (chunk) => push(state, chunk),
    get tail() {
      return readTail(state)
    },
    finish: () => finish(state),
    diagnostics: conversion.diagnostics,
  }
}

function push(state: StreamState, chunk: string): Block[] {
  if (typeof chunk !== 'string') throw new TypeError(`push: expected a string, received ${describe(chunk)}`)
  if (state.isFinished) throw new Error('push: the stream is finished')
  const isLine = /[\r\n]/.test(chunk) || state.rest.endsWith('\r')
  state.rest += chunk
  if (!isLine) return []
  // A CR at the end may be the first half of a line ending, so its line is not complete.
  const lines = state.rest.split(/(?<=\n|\r(?!\n|$))/)
  state.rest = /(?:\n|\r(?!$))$/.test(lines.at(-1) ?? '') ? '' : (lines.pop() ?? '')
  return lines.flatMap((line) => addLine(state, line)).flatMap((section) => settle(state, section))
}

function addLine({ splitter, context }: StreamState, line: string): SectionOrElement[] {
  const sections = addText(splitter, line, context.rules)
  if (/[\r\n]$/.test(line)) context.lineStarts.push(splitter.end)
  return sections
}

function finish(state: StreamState): Block[] {
  if (state.isFinished) return []
  const { splitter, rest, conversion } = state
  state.isFinished = true
  state.rest = ''
  const sections = [...addLine(state, rest), ...endSplitter(splitter)]
  return [...sections.flatMap((section) => settle(state, section)), ...footnotesOf(conversion)]
}

function settle({ conversion, context, parts }: StreamState, section: SectionOrElement): Block[] {
  parts.length = 0
  // In an element or a long list, a definition may come after its reference, so the section may be parsed again.
  const { nodes, unresolvedNames, diagnostics } = withDefinitions(parseAlone(section, context))
  for (const diagnostic of diagnostics) context.diagnostics.push(diagnostic)
  for (const node of definitionsIn(nodes)) {
    const name = nameOf(node)
    if (conversion.definitions.has(name) || !context.unresolvedNames.has(name)) continue
    conversion.definitionsAfterUse.add(node)
    report(conversion, 'reference-late', node)
  }
  for (const name of unresolvedNames) context.unresolvedNames.add(name)
  collectDefinitions(conversion, nodes)
  return blocksOf(conversion, nodes)
}

/** Converts the tail with a copy of the state, so that reading `tail` changes nothing. */
function readTail({ splitter, rest, conversion, context, parts }: StreamState): Root {
  const copy = { ...createContext(context.rules, context.lineStarts), definedNames: new Set(context.definedNames) }
  const nodes = tailOf(splitter, rest.replace(/\r$/, ''), copy, parts)
  const [definitions, numbers] = [new Map(conversion.definitions), new Map(conversion.numbers)]
  const conversionCopy: Conversion = { ...conversion, diagnostics: [], definitions, numbers }
  collectDefinitions(conversionCopy, nodes)
  return { type: 'root', children: blocksOf(conversionCopy, nodes) }
}
