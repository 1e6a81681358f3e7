/** Packs a text into messages while it is still being written. */
import { chunksOf, tell } from '../chunks.js'
import { type Block, createStream, type Root, type Source } from '../index.js'
import { createPacker, type Packet, type Room, roomOfBody } from './packing.js'

/** Parses a text that arrives in chunks: `createStream()`, or `createMarkdownStream()` of `blockmark/markdown`. */
export interface StreamReader {
  push(chunk: string): readonly Block[]
  readonly tail: Root
  finish(): readonly Block[]
}

/** A text that is still being written. */
export interface ArrivingText {
  /** The text, cut anywhere. The next chunk is read only after full messages have been taken. */
  source: AsyncIterable<string> | ReadableStream<string>
  /** The parser of the text, a new one for each call (default: `createStream()`, the dialect). */
  reader?: StreamReader | undefined
  /** The characters of a message, as the dialect writes it (default 1,500). A single longer block keeps its length. */
  size?: number | undefined
  /** Ends the stream with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called after each chunk with all blocks that are not in a message yet, as they would look if the text ended well. */
  onTail?: ((tail: Root) => void) | undefined
}

/** Options of {@link packStream}. */
export interface PackStreamOptions<Message> extends Omit<ArrivingText, 'source'> {
  /** Converts the blocks of a message: `toTelegram`, `toDiscord`, `toWhatsApp`, `toMatrix` or your own function. */
  toMessages: (source: Source) => readonly Message[]
}

/**
 * Packs a model's output into messages as it arrives: each message is yielded as soon as it is full. The same text with
 * the same options gives the same messages, however it is cut into chunks. A heading stays with the block after it.
 *
 * @param source - the text, cut anywhere
 * @param options - the conversion, the size of a message, and the parser of the text
 * @returns the messages, in order
 * @throws {TypeError} if the source or an option is not valid; also whatever `source` or `toMessages` throws
 * @example
 * async function* answer() {
 *   yield* ['# Plan\nFirst **th', 'is**, then\n\n', 'that.']
 * }
 * const messages = []
 * for await (const message of packStream(answer(), { toMessages: toDiscord, size: 30 })) messages.push(message)
 * messages // => ['# Plan\nFirst **this**, then', 'that.']
 */
export function packStream<Message>(
  source: ArrivingText['source'],
  options: PackStreamOptions<Message>,
): AsyncGenerator<Message, undefined> {
  const { toMessages, size } = options ?? {}
  if (typeof toMessages !== 'function') throw new TypeError('packStream: toMessages: expected a function')
  const packets = packetsOf('packStream', { ...options, source }, roomOfBody(size))
  return convert(packets, toMessages)
}

async function* convert<Message>(
  packets: AsyncGenerator<Packet, undefined>,
  toMessages: (source: Source) => readonly Message[],
): AsyncGenerator<Message, undefined> {
  for await (const packet of packets) yield* toMessages(packet)
}

/**
 * The messages that a text makes, each as soon as it is full.
 *
 * @throws {TypeError} if the size, the source or the reader is not valid; the message begins with `caller`
 */
export function packetsOf(caller: string, text: ArrivingText, room: Room): AsyncGenerator<Packet, undefined> {
  const { source, reader } = text
  if (!Number.isInteger(room.size) || room.size < 1)
    throw new TypeError(`${caller}: size: expected characters, received ${room.size}`)
  if (typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source || 'getReader' in source))
    throw new TypeError(`${caller}: source: expected an AsyncIterable or a ReadableStream of strings`)
  if (reader !== undefined && typeof reader?.push !== 'function')
    throw new TypeError(`${caller}: reader: expected createStream() or createMarkdownStream()`)
  return pack(caller, text, room)
}

async function* pack(
  caller: string,
  { source, reader = createStream(), signal, onTail }: ArrivingText,
  room: Room,
): AsyncGenerator<Packet, undefined> {
  const packer = createPacker(room)
  for await (const chunk of chunksOf(source, signal)) {
    if (typeof chunk !== 'string') throw notText(caller, chunk)
    yield* packer.add(reader.push(chunk))
    if (onTail === undefined) continue
    const children = [...packer.waiting, ...reader.tail.children]
    tell(() => onTail({ type: 'root', children }))
  }
  yield* packer.add(reader.finish())
  yield* packer.end()
}

function notText(caller: string, chunk: unknown): TypeError {
  const received = ArrayBuffer.isView(chunk) ? 'bytes: pipe them through new TextDecoderStream()' : typeof chunk
  return new TypeError(`${caller}: source: expected strings, received ${received}`)
}
