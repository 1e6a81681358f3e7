/** Text that arrives piece by piece: its blocks as they settle, and a look at the rest (§2). */
import { describe } from '../describe.js'
import { parse } from '../parse/index.js'
import type { Block, Root } from '../tree.js'
import { backticksOf } from './fence.js'
import { type Origin, shift } from './place.js'
import { readTail } from './tail.js'

/** A message that is still being written. */
export interface BlockStream {
  /**
   * Takes the next piece of the text, cut anywhere.
   *
   * @returns the blocks that are settled now: whatever comes, they stay as they are. None is given twice.
   * @throws {TypeError} when `chunk` is no string
   * @throws {Error} when the stream was finished before
   */
  push(chunk: string): Block[]
  /**
   * What has not settled, as it would look if it ended well: a marker that waits for its partner formats what stands
   * behind it, and of a mention, a link's target, a fence or any other marker that is half typed nothing shows.
   */
  readonly tail: Root
  /** Ends the text. Gives the blocks that `push` has not given. */
  finish(): Block[]
}

interface State {
  /** Where the first line stands that has not settled. */
  readonly origin: Origin
  /** The lines of the block that is open. Joined as they come, and looked at when it settles. */
  open: string
  openLines: number
  /** What is open: only these go on over several lines. */
  kind: 'paragraph' | 'list' | 'code' | null
  /** How many backticks the fence has that is open. */
  fence: number
  /** The line that has not ended. */
  line: string
  /** Whether a CR ended the line before: an LF that follows belongs to it. */
  isBehindReturn: boolean
  isFinished: boolean
}

/**
 * Parses a text while it arrives, as a model's answer does: for every way to cut a string into chunks, all the blocks
 * that `push` and `finish` return are `parse(string).children`, positions included.
 *
 * A push takes time linear in the chunk, plus once the length of each line and block that it ends; reading `tail` takes
 * time linear in the block that is open.
 *
 * @returns a stream that nothing has been pushed to
 * @example
 * const stream = createStream()
 * stream.push('# Done\nAll **te').map(({ type }) => type) // => ['heading']
 * toHtml(stream.tail) // => '<p>All <strong>te</strong></p>'
 * stream.push('sts** pass')
 * stream.finish().map(({ type }) => type) // => ['paragraph']
 */
export function createStream(): BlockStream {
  const state: State = {
    origin: { line: 1, offset: 0 },
    open: '',
    openLines: 0,
    kind: null,
    fence: 0,
    line: '',
    isBehindReturn: false,
    isFinished: false,
  }
  return {
    push: (chunk) => push(state, chunk),
    get tail() {
      return readTail({ origin: state.origin, lines: state.open, line: state.line, fence: state.fence })
    },
    finish: () => finish(state),
  }
}

function push(state: State, chunk: string): Block[] {
  if (typeof chunk !== 'string') throw new TypeError(`push: expected a string, received ${describe(chunk)}`)
  if (state.isFinished) throw new Error('push: the stream is finished')
  if (chunk === '') return []
  const rest = state.isBehindReturn && chunk.startsWith('\n') ? joinLineFeed(state, chunk) : chunk
  state.isBehindReturn = rest.endsWith('\r')
  // A line is put together when it ends: most chunks of a model's answer end none.
  if (!/[\n\r]/.test(rest)) {
    state.line += rest
    return []
  }
  const settled: Block[] = []
  const lines = (state.line + rest).split(/(?<=\n|\r(?!\n))/)
  state.line = /[\n\r]$/.test(rest) ? '' : (lines.pop() ?? '')
  for (const line of lines) passLine(state, line, settled)
  return settled
}

/** The LF that follows a CR ends the line that the CR ended, and no other. */
function joinLineFeed(state: State, chunk: string): string {
  if (state.open === '') state.origin.offset += 1
  else state.open += '\n'
  return chunk.slice(1)
}

function finish(state: State): Block[] {
  const settled: Block[] = []
  state.isFinished = true
  if (state.line !== '') passLine(state, state.line, settled)
  state.line = ''
  settle(state, settled)
  return settled
}

/** A line that has ended: it goes on with the open block, or settles that and begins another. */
function passLine(state: State, line: string, settled: Block[]): void {
  if (state.kind === 'code') {
    addLine(state, line)
    if (backticksOf(line) >= state.fence) settle(state, settled)
    return
  }
  // Outside of a fence, what a line is does not depend on any other.
  const type = parse(line, { position: false }).children[0]?.type
  if (type !== state.kind) settle(state, settled)
  addLine(state, line)
  if (type === 'paragraph' || type === 'list') state.kind = type
  else if (type === 'code') {
    state.kind = type
    state.fence = /`+/.exec(line)?.[0].length ?? 0
  } else settle(state, settled)
}

function addLine(state: State, line: string): void {
  state.open += line
  state.openLines += 1
}

/** Nothing that comes can change the open block any more. */
function settle(state: State, settled: Block[]): void {
  const { origin, open } = state
  for (const block of parse(open).children) {
    shift(block, origin, open.length)
    settled.push(block)
  }
  origin.offset += open.length
  origin.line += state.openLines
  state.open = ''
  state.openLines = 0
  state.kind = null
  state.fence = 0
}
