/** A message that is still being written, delivered in parts as it settles, each once however often it is tried. */

import { type Block, createStream, type Root } from '../../index.js'
import type { ResultOf } from '../contract/types.js'
import { untilAborted } from './call.js'
import {
  begin,
  type Delivered,
  type Delivery,
  keyOf,
  placeOf,
  type Sender,
  type ToChat,
  type ToThread,
} from './delivery.js'
import { isUnanswered, SendStreamError } from './errors.js'
import { tell } from './limits.js'
import { createPacker, type Packer, type Packet, roomOfBody, roomOfComment, SIZE_DEFAULT } from './packing.js'
import { iteratorOf } from './upload.js'

/** What takes a text piece by piece: `createStream()`, or `createMarkdownStream()` of `blockmark/markdown`. */
export interface Reader {
  push(chunk: string): readonly Block[]
  readonly tail: Root
  finish(): readonly Block[]
}

interface Arriving<Result> extends Delivery {
  /** The text, cut anywhere. It is asked for more only when what is full has been posted. */
  source: AsyncIterable<string> | ReadableStream<string>
  /** What the text is written in: by default the dialect. A new one for each call. */
  reader?: Reader
  /** How many characters a message holds, but for a block that is longer by itself (default 1,500). */
  size?: number
  /** Told of each message when it has been posted; the first has the index 0. What it throws is nobody's. */
  onMessage?: (delivered: Result, index: number) => void
  /** Told, after each piece of the text, what of it has not been posted, as it would look if it ended well. */
  onTail?: (tail: Root) => void
}

/** Chat messages that are still being written. */
export interface ChatStream extends Arriving<ResultOf<'postChatMessage'>>, ToChat {}

/** Comments that are still being written. */
export interface ThreadStream extends Arriving<ResultOf<'postComment'>>, ToThread {}

/** Delivers a message while it is written. Throws SendStreamError where the source or a post fails, or the signal ends it. */
export async function sendStream(sender: Sender, stream: ChatStream | ThreadStream): Promise<Delivered[]> {
  const { id, signal } = stream
  const key = keyOf('sendStream', id)
  const { endpoint, fields } = placeOf('sendStream', stream)
  const packets = packetsOf(endpoint === 'postComment', stream)
  signal?.throwIfAborted()
  const beginning = await begin('sendStream', sender, stream)
  const delivered: Delivered[] = []
  let isPosting = false
  try {
    for await (const packet of packets) {
      const part = endpoint === 'postComment' ? { blocks: packet } : { body: packet.join('\n\n') }
      isPosting = true
      const posted = await sender.post({ ...fields, ...part }, endpoint, `${key}/${delivered.length + 1}`, signal)
      isPosting = false
      beginning.answered()
      delivered.push(posted)
      // What was posted is of the kind that the place says.
      const onMessage = stream.onMessage as Arriving<Delivered>['onMessage']
      tell(() => onMessage?.(posted, delivered.length - 1))
    }
  } catch (cause) {
    const isNextUnknown = isPosting && isUnanswered(cause)
    throw new SendStreamError({ id, delivered, isNextUnknown, startedAt: beginning.startedAt, cause })
  }
  return delivered
}

/** The messages that a text makes, each as soon as it is full. Throws TypeError where the size or the source is none. */
export function packetsOf(
  isComment: boolean,
  arriving: Omit<Arriving<never>, 'id' | 'onMessage'>,
): AsyncGenerator<Packet, undefined> {
  const { source, reader, size = SIZE_DEFAULT } = arriving
  if (!Number.isInteger(size) || size < 1)
    throw new TypeError(`sendStream: size: expected characters, received ${size}`)
  if (typeof source !== 'object' || source === null || !(Symbol.asyncIterator in source || 'getReader' in source))
    throw new TypeError('sendStream: source: expected an AsyncIterable or a ReadableStream of strings')
  if (reader !== undefined && typeof reader?.push !== 'function')
    throw new TypeError('sendStream: reader: expected createStream() or createMarkdownStream()')
  return pack(createPacker(isComment ? roomOfComment(size) : roomOfBody(size)), arriving)
}

async function* pack(
  packer: Packer,
  { source, reader = createStream(), signal, onTail }: Omit<Arriving<never>, 'id' | 'onMessage'>,
): AsyncGenerator<Packet, undefined> {
  for await (const chunk of chunksOf(source, signal)) {
    if (typeof chunk !== 'string') throw noText(chunk)
    yield* packer.add(reader.push(chunk))
    if (onTail === undefined) continue
    const children = [...packer.waiting, ...reader.tail.children]
    tell(() => onTail({ type: 'root', children }))
  }
  yield* packer.add(reader.finish())
  yield* packer.end()
}

function noText(chunk: unknown): TypeError {
  const received = ArrayBuffer.isView(chunk) ? 'bytes: pipe them through new TextDecoderStream()' : typeof chunk
  return new TypeError(`sendStream: source: expected strings, received ${received}`)
}

/** Also where a source does not care for the signal, and where a stream has no iterator, as in some browsers. */
async function* chunksOf(
  source: AsyncIterable<string> | ReadableStream<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, undefined> {
  const chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : iteratorOf<string>(source)
  let isEnded = false
  try {
    for (;;) {
      const next = chunks.next()
      const read = await (signal === undefined ? next : untilAborted(next, signal))
      isEnded = read.done === true
      if (read.done === true) return
      yield read.value
    }
  } finally {
    // A source that waits for something may never answer.
    if (!isEnded) void Promise.resolve(chunks.return?.()).catch(() => undefined)
  }
}
