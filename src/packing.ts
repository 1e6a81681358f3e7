/** Packs a text into messages while it is still being written. When and how the chunks arrive does not change the messages. */
import { LIMITS } from './check/limits.js'
import { chunksOf, notify } from './chunks.js'
import { describe } from './describe.js'
import { type Block, createStream, type Diagnostic, parse, type Root, stringify, toBlocks, toBodies } from './index.js'

/** A parser of text that arrives in chunks: `createStream()`, or `createMarkdownStream()` of `blockmark/markdown`. */
export interface StreamReader {
  push(chunk: string): readonly Block[]
  readonly tail: Root
  finish(): readonly Block[]
  /** The losses of the conversion so far, if the text is converted. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** A text that is still being written. */
export interface ArrivingText {
  /** The text, in chunks of any length. The next chunk is read only after all full messages have been taken. */
  source: AsyncIterable<string> | ReadableStream<string>
  /** Creates the parser of the text, for example `() => createMarkdownStream()` (default: `createStream`, the dialect). */
  reader?: (() => StreamReader) | undefined
  /** The maximum number of characters of a message (default 1,500). A single block that is longer gets its own message. */
  size?: number | undefined
  /** A signal that ends the stream, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called after each chunk with all blocks that are not in a message yet, as if the author had closed everything that is open. */
  onTail?: ((tail: Root) => void) | undefined
}

/** Strings of the dialect in one message: a comment's `blocks`, or the parts of a body. */
export type Packet = readonly string[]

export interface MessageLimits {
  /** Maximum number of characters. A single longer piece still gets its own message. */
  readonly size: number
  /** Maximum number of pieces. */
  readonly count: number
  /** Cuts a block into pieces that each fit into a message of the service. */
  readonly piecesOf: (block: Block) => readonly string[]
}

/** Default number of characters in a message: short enough to read at once, and far below every limit. */
const SIZE_DEFAULT = 1_500

export function limitsOfComment(size: number = SIZE_DEFAULT): MessageLimits {
  return {
    size,
    count: LIMITS.blocks,
    piecesOf: (block) => toBlocks(rootOf(block), { blocks: Number.POSITIVE_INFINITY }),
  }
}

export function limitsOfBody(size: number = SIZE_DEFAULT): MessageLimits {
  return { size, count: Number.POSITIVE_INFINITY, piecesOf: (block) => toBodies(rootOf(block)) }
}

function rootOf(block: Block): Root {
  return { type: 'root', children: [block] }
}

/** Creates the reader of a text. If `create` does not return a reader, throws a TypeError whose message begins with `caller`. */
export function readerOf(caller: string, create: ArrivingText['reader'] = createStream): StreamReader {
  const reader = typeof create === 'function' ? create() : undefined
  if (typeof reader?.push === 'function') return reader
  throw new TypeError(
    `${caller}: reader: expected a function such as () => createMarkdownStream(), received ${describe(create)}`,
  )
}

/**
 * Yields the messages of a text, each as soon as it is full.
 *
 * @throws {TypeError} if the size or the source is not valid; `error.message` begins with `caller`
 */
export function packetsOf(
  caller: string,
  text: Omit<ArrivingText, 'reader'>,
  reader: StreamReader,
  limits: MessageLimits,
): AsyncGenerator<Packet, undefined> {
  const { source } = text
  if (!Number.isInteger(limits.size) || limits.size < 1)
    throw new TypeError(`${caller}: size: expected characters, received ${describe(limits.size)}`)
  if (typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source || 'getReader' in source))
    throw new TypeError(
      `${caller}: source: expected an AsyncIterable or a ReadableStream of strings, received ${describe(source)}`,
    )
  return pack(caller, text, reader, limits)
}

async function* pack(
  caller: string,
  { source, signal, onTail }: Omit<ArrivingText, 'reader'>,
  reader: StreamReader,
  limits: MessageLimits,
): AsyncGenerator<Packet, undefined> {
  let waiting: Piece[] = []
  function* take(blocks: readonly Block[], isEnd = false): Generator<Packet, undefined> {
    waiting.push(...blocks.flatMap((block) => piecesOf(block, limits)))
    for (let count = countForNextMessage(waiting, limits); count < waiting.length || (isEnd && count > 0); ) {
      yield waiting.slice(0, count).map(({ text }) => text)
      waiting = waiting.slice(count)
      count = countForNextMessage(waiting, limits)
    }
  }
  for await (const chunk of chunksOf(source, signal)) {
    if (typeof chunk !== 'string') {
      const received = ArrayBuffer.isView(chunk) ? 'bytes: pipe them through new TextDecoderStream()' : typeof chunk
      throw new TypeError(`${caller}: source: expected strings, received ${received}`)
    }
    yield* take(reader.push(chunk))
    if (onTail === undefined) continue
    const packedBlocks = waiting.flatMap(({ text }) => parse(text, { position: false }).children)
    const children = [...packedBlocks, ...reader.tail.children]
    notify(() => onTail({ type: 'root', children }))
  }
  yield* take(reader.finish(), true)
}

/** A piece of a block that waits until its message is full. */
interface Piece {
  readonly text: string
  readonly length: number
  readonly isHeading: boolean
}

/** Returns the pieces of a block; none if the block shows nothing. */
function piecesOf(block: Block, limits: MessageLimits): Piece[] {
  if (/^[\p{Z}\s]*$/u.test(stringify(rootOf(block)))) return []
  return limits.piecesOf(block).map((text) => ({ text, length: [...text].length, isHeading: isHeading(block) }))
}

/** Whether a block should stay with the next block: a heading, or a bold line, to which Markdown's deeper headings are converted. */
function isHeading(block: Block): boolean {
  if (block.type !== 'paragraph') return block.type === 'heading'
  const [child, ...others] = block.children
  return child?.type === 'strong' && others.length === 0
}

/** Returns the number of pieces in the next message; 0 only without pieces. A heading stays with the next piece if both fit. */
function countForNextMessage(pieces: readonly Piece[], { size, count: countMax }: MessageLimits): number {
  // A blank line, which has two characters, separates two pieces.
  let [count, sum] = [0, -2]
  for (const { length } of pieces) {
    sum += length + 2
    if (count > 0 && (sum > size || count === countMax)) break
    count += 1
  }
  if (count < pieces.length) while (count > 1 && pieces[count - 1]?.isHeading) count -= 1
  return count
}
