/** Converts a stream of text to messages of any product. */
import type { Source } from '../index.js'
import { type ArrivingText, limitsOfBody, packetsOf, readerOf } from '../packing.js'

/** Options of {@link packStream}. */
export interface PackStreamOptions<Message> extends Omit<ArrivingText, 'source'> {
  /**
   * Converts the blocks of a message: `toTelegram`, `toDiscord`, `toWhatsApp`, `toMatrix` or your own function. For Slack, put
   * the message in an array: `(source) => [toSlack(source)]`.
   */
  toMessages: (source: Source) => readonly Message[]
}

/**
 * Packs a model's output into messages as it arrives: each message is yielded as soon as it is full. The same text with
 * the same options makes the same messages, however it is cut into chunks. A heading stays with the next block if both fit.
 *
 * @param source - the text, cut anywhere
 * @param options - the conversion, the size of a message, and the parser of the text
 * @returns the messages, in order
 * @throws {TypeError} if the source or an option is not valid; also any error that `source` or `toMessages` throws
 * @example
 * import { toDiscord } from 'blockmark/messengers'
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
): AsyncGenerator<Message, void> {
  const { toMessages, size } = options ?? {}
  if (typeof toMessages !== 'function') throw new TypeError('packStream: toMessages: expected a function')
  const reader = readerOf('packStream', options.reader)
  const packets = packetsOf('packStream', { ...options, source }, reader, limitsOfBody(size))
  return (async function* () {
    for await (const packet of packets) {
      const messages = toMessages(packet)
      // A string is iterable, too: each of its characters would become a message.
      if (!Array.isArray(messages))
        throw new TypeError('packStream: toMessages: expected a function that returns an array')
      yield* messages
    }
  })()
}
