/** Parses CommonMark with GFM that arrives in chunks: settled blocks, and a preview of the rest. */
import { describe } from '../describe.js'
import type { Diagnostic } from '../diagnostic.js'
import type { Block, Root } from '../index.js'
import { collectDefinitions, createConversion } from './conversion.js'
import { blocksOf, endOf } from './from-mdast.js'
import { type MarkdownOptions, type ReadingRules, rulesFrom } from './options.js'
import { takeEntries } from './read/container.js'
import { blocksIn } from './read/leaf.js'
import { createLines, lineOf, pushChunk } from './read/line.js'
import { type Reading, readRows, takeSteps } from './read/reading.js'
import { createStructure } from './read/state.js'
import { closeAll } from './read/structure.js'
import { takeLine } from './read/tagged.js'
import { definitionsIn } from './read/texts.js'
import { type Rest, readTail } from './tail/index.js'

/** Markdown that is still being written; see `createMarkdownStream`. */
export interface MarkdownStream {
  /**
   * Parses the next chunk of the text, which may be cut anywhere.
   *
   * @returns the blocks that are settled now, each once; a settled block never changes
   * @throws {TypeError} if `chunk` is not a string
   * @throws {Error} when the stream was finished before
   */
  push(chunk: string): Block[]
  /** A preview of the rest, as if all open constructs were closed; half-typed markup is hidden. */
  readonly tail: Root
  /** Ends the text. Returns the remaining blocks, footnotes last. */
  finish(): Block[]
  /** Diagnostics for the settled blocks. */
  readonly diagnostics: readonly Diagnostic[]
}

interface StreamState extends Rest {
  isFinished: boolean
}

/**
 * Reads CommonMark with GFM while it arrives, for example a model's output. However a text is cut, the blocks that `push` and
 * `finish` return are `fromMarkdown(text, options).tree.children`. Only a reference whose definition comes later stays text,
 * and so does the definition; a diagnostic says so. A returned block never changes.
 *
 * A push takes time linear in the chunk, plus once the length of each line, text, row or block that ends with it. A list, a
 * table, a quote or code is returned at its end. Reading `tail` parses only the open text or row.
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
  const late: Reading['late'] = new Set()
  const conversion = createConversion(options, late)
  const rules: ReadingRules = { ...rulesFrom(options), isOnlyHtml: true }
  const { definitions: links, footnotes } = conversion
  const reading: Reading = {
    ...{
      names: { links, footnotes, unresolved: new Set() },
      late,
      rules,
      budget: { work: 0 },
      diagnostics: conversion.diagnostics,
    },
    parsed: new Map(),
    onDefined: (node) => collectDefinitions(conversion, [node]),
  }
  const structure = createStructure(rules, ({ pieces }) => definitionsIn(pieces).isAll)
  const state: StreamState = {
    lines: createLines(),
    structure,
    reading,
    conversion,
    known: null,
    fence: null,
    isFinished: false,
  }
  return {
    push: (chunk) => push(state, chunk),
    get tail() {
      return readTail(state)
    },
    finish: () => finish(state),
    get diagnostics() {
      return conversion.diagnostics
    },
  }
}

function push(state: StreamState, chunk: string): Block[] {
  if (typeof chunk !== 'string') throw new TypeError(`push: expected a string, received ${describe(chunk)}`)
  if (state.isFinished) throw new Error('push: the stream is finished')
  const lines = pushChunk(state.lines, chunk)
  if (lines.length === 0) return []
  for (const line of lines) takeLine(state.structure, line)
  return settled(state)
}

function finish(state: StreamState): Block[] {
  const { structure, lines, conversion, isFinished } = state
  if (isFinished) return []
  state.isFinished = true
  if (lines.rest !== '') takeLine(structure, lineOf(lines))
  lines.rest = ''
  closeAll(structure)
  const blocks = settled(state)
  blocks.push(...endOf(conversion))
  return blocks
}

/** Returns the blocks that cannot change any more: all except the open one. */
function settled(state: StreamState): Block[] {
  const { structure, reading, conversion } = state
  const { entries, open, leaf, steps } = structure
  takeSteps(steps.splice(0), reading)
  if (leaf?.kind === 'table') readRows(leaf, reading)
  // The last entry of an open container may change.
  for (const container of open) takeEntries(container, container.entries.length - 1)
  const isOpen = open.length > 0 || leaf !== null
  const nodes = blocksIn(entries.splice(0, entries.length - (isOpen ? 1 : 0)))
  if (nodes.length === 0) return []
  state.known = null
  return blocksOf(conversion, nodes)
}
