/** Converts a message to WhatsApp's text. */

import { typedMarkers } from '../convert/markers.js'
import type { Source } from '../index.js'
import { isBareLink } from '../tree.js'
import { type Marks, writeMarked } from './marks.js'
import { asText, convert, fenced, type MessengerOptions, type ProductWriter, WORD_JOINER } from './message.js'

/**
 * Converts a message to WhatsApp's text. WhatsApp has no escape, so an invisible U+2060 word joiner separates characters of text
 * that WhatsApp would read as formatting.
 *
 * - heading → bold
 * - lines that look like items and quotes (`1. a`, `> b`) → WhatsApp's lists and quotes; nested ones → text
 * - link → `label (https://…)`; WhatsApp links the URL by itself
 * - underline → dropped; formatting that begins or ends with one of WhatsApp's marks, and code with backticks at its ends → text
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - `length` (default 4,096 UTF-16 units), names and files, and whether lists and quotes stay text (`literal`);
 * the `id` of a mention is a phone number
 * @returns the text of each message, in order; none for a blank source
 * @throws {BlockmarkError} `body/too-long` if a mention, a bare URL or a file is longer than a message
 * @throws {TypeError} if the source or an option is not valid
 * @example
 * toWhatsApp('**Build** -failed-: [log](https://example.com/log)') // => ['*Build* ~failed~: log (https://example.com/log)']
 * @see https://faq.whatsapp.com/539178204879377 (How to format your messages) and
 * https://developers.facebook.com/docs/whatsapp/cloud-api/messages/text-messages
 */
export function toWhatsApp(source: Source, options: MessengerOptions = {}): string[] {
  return convert(source, options, writer)
}

const marks: Marks = {
  formatting: { strong: '*', emphasis: '_', delete: '~', underline: null },
  // Code between three backticks may contain single ones.
  fenceOf: (value) => (/^`|`$|```/.test(value) ? null : value.includes('`') ? '```' : '`'),
  gap: WORD_JOINER,
  reference: (node) => (node.type === 'link' ? node.url : `@${node.userID.replace('+', '')}`),
  lineStart: /^(?:[*>-]|\d+\.)(?= )/,
}

const writer: ProductWriter<string, string> = {
  ...asText,
  length: 4_096,
  // WhatsApp has no list in a list or a quote, so only the first marker of a line is replaced.
  lines: (lines) =>
    lines.map((line) => typedMarkers(line).replace(/^[•◦▪]/, '-') + writeMarked(line.content ?? [], marks)).join('\n'),
  code: (value) => fenced(value, WORD_JOINER),
  isLink: isBareLink,
  isID: (id) => /^\+?\d+$/.test(id),
}
