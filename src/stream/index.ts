/** Parses text that arrives in chunks: settled blocks, and a preview of the rest (§2). */

import { describe } from '../describe.js'
import { closingFence } from '../parse/blocks.js'
import { parse } from '../parse/index.js'
import type { Block, Root } from '../tree.js'
import { type Origin, readTail, shiftPositions } from './tail.js'

/** A parser for a message that arrives in chunks. */
export interface BlockStream {
  /**
   * Parses the next chunk of the text. A chunk may start and end anywhere.
   *
   * @param chunk - the chunk
   * @returns the blocks that are settled now, each once; a settled block never changes
   * @throws {TypeError} if `chunk` is not a string
   * @throws {Error} if the stream is finished
   */
  push(chunk: string): Block[]
  /**
   * A preview of the rest of the text, as if all open constructs were closed: an open delimiter formats the text after it, and a
   * half-typed mention, link, fence or delimiter is not shown.
   */
  readonly tail: Root
  /** Ends the text. Returns the blocks that `push` has not returned. */
  finish(): Block[]
}

class StreamState {
  /** The position of the first line that has not settled. */
  readonly origin: Origin = { line: 1, offset: 0 }
  /** The lines of the open block. They are parsed when the block settles. */
  open = ''
  /** The type of the open block. Only blocks of these types have several lines. */
  kind: 'paragraph' | 'list' | 'code' | null = null
  /** The number of backticks of the open fence. */
  fence = 0
  /** The unfinished line. */
  line = ''
  /** Whether the text ends with CR: an LF after it belongs to the same line ending. */
  endsWithReturn = false
  isFinished = false
}

/**
 * Parses a text while it arrives, for example a model's output. However the text is cut, all blocks that `push` and `finish` return
 * are `parse(text).children`, positions included.
 *
 * The time of a push is linear in the chunk and in the lines and blocks that it ends; reading `tail` is linear in the open block.
 *
 * @returns an empty stream
 * @example
 * const stream = createStream()
 * stream.push('# Done\nAll **te').map(({ type }) => type) // => ['heading']
 * toHtml(stream.tail) // => '<p>All <strong>te</strong></p>'
 * stream.push('sts** pass')
 * stream.finish().map(({ type }) => type) // => ['paragraph']
 */
export function createStream(): BlockStream {
  const state = new StreamState()
  return {
    push: (chunk) => push(state, chunk),
    get tail() {
      return readTail({ origin: state.origin, lines: state.open, line: state.line, fence: state.fence })
    },
    finish: () => finish(state),
  }
}

function push(state: StreamState, chunk: string): Block[] {
  if (typeof chunk !== 'string') throw new TypeError(`push: expected a string, received ${describe(chunk)}`)
  if (state.isFinished) throw new Error('push: the stream is finished')
  if (chunk === '') return []
  const rest = state.endsWithReturn && chunk.startsWith('\n') ? joinLineFeed(state, chunk) : chunk
  state.endsWithReturn = rest.endsWith('\r')
  // A line is parsed when it ends. Most chunks of a model's output do not end a line, so they are only stored.
  if (!/[\n\r]/.test(rest)) {
    state.line += rest
    return []
  }
  const settled: Block[] = []
  const lines = (state.line + rest).split(/(?<=\n|\r(?!\n))/)
  state.line = /[\n\r]$/.test(rest) ? '' : (lines.pop() ?? '')
  for (const line of lines) addLine(state, line, settled)
  return settled
}

/** Adds the LF at the start of a chunk to the CR before it. Returns the rest of the chunk. */
function joinLineFeed(state: StreamState, chunk: string): string {
  if (state.open === '') state.origin.offset += 1
  else state.open += '\n'
  return chunk.slice(1)
}

function finish(state: StreamState): Block[] {
  const settled: Block[] = []
  state.isFinished = true
  if (state.line !== '') addLine(state, state.line, settled)
  state.line = ''
  settle(state, settled)
  return settled
}

/** Adds a finished line to the open block, or settles that block and begins another one. */
function addLine(state: StreamState, line: string, settled: Block[]): void {
  if (state.kind === 'code') {
    state.open += line
    if (closingFence(line, 0, line.search(/[\n\r]*$/), state.fence) >= 0) settle(state, settled)
    return
  }
  // Outside a fence, the type of a line does not depend on other lines.
  const type = parse(line, { position: false }).children[0]?.type
  if (type !== state.kind) settle(state, settled)
  state.open += line
  if (type === 'paragraph' || type === 'list') state.kind = type
  else if (type === 'code') {
    state.kind = type
    state.fence = /`+/.exec(line)?.[0].length ?? 0
  } else settle(state, settled)
}

/** Settles the open block: no further text can change it. */
function settle(state: StreamState, settled: Block[]): void {
  const { origin, open } = state
  for (const block of parse(open).children) {
    shiftPositions(block, origin, open.length)
    settled.push(block)
  }
  origin.offset += open.length
  origin.line += open.split(/\r\n?|\n/).length - 1
  state.open = ''
  state.kind = null
  state.fence = 0
}
