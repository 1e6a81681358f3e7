/** The state of the readers of Slack's messages, and functions that read fields. A field of the wrong type counts as absent. */

import { type ConversionRule, diagnosticOf } from '../../convert/conversion.js'
import type { ProductMention } from '../../convert/names.js'
import type { Converted } from '../../convert/options.js'
import type { Diagnostic } from '../../diagnostic.js'
import type { Position } from '../../tree.js'

/** The state of a reader. */
export interface SlackReading {
  readonly diagnostics: Diagnostic[]
  readonly options: SlackOptions
  /** Returns the position of a range; undefined for values without a source text. */
  readonly placeOf: (start: number, end: number) => Position | undefined
}

/** Options of `fromSlack`: callbacks for the ids in Slack's messages. A callback returns undefined for an unknown id. */
export interface SlackOptions {
  /** Returns the name of a user of Slack, and their id in the service if they are to be mentioned there. */
  mention?: (userID: string, label: string | null) => ProductMention | undefined
  /** Returns the name of a channel, without `#`. */
  channel?: (channelID: string, label: string | null) => string | undefined
  /** Returns the emoji of a `:shortcode:`, which is given without colons. A skin tone after the shortcode is added to the emoji. */
  emoji?: (name: string) => string | undefined
  /** Reads `markdown` blocks: `fromMarkdown` of `blockmark/markdown`. Without a reader, these blocks are read as the dialect. */
  markdown?: MarkdownReader | undefined
}

/** `fromMarkdown` of `blockmark/markdown`. */
export type MarkdownReader = (text: string, options: { mentions: readonly string[] }) => Converted

/** Reports a loss, with its position in mrkdwn or the type of the element. */
export function reportLoss(reading: SlackReading, ruleId: ConversionRule, position?: Position, kind = ''): void {
  // The type comes from outside and may be any text, so only a short word is reported.
  reading.diagnostics.push(diagnosticOf(ruleId, position, /^[\w.-]{1,64}$/.test(kind) ? kind : ''))
}

/** Resolves the three escapes of mrkdwn; `&amp;lt;` becomes `&lt;`. */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Returns a field; undefined if the value is not an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** Returns a string field, or the `text` of a field that is an object, for example a label; else an empty string. */
export function stringIn(value: unknown, name: string): string {
  const field = fieldOf(value, name)
  const text = typeof field === 'object' ? fieldOf(field, 'text') : field
  return typeof text === 'string' ? text : ''
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

export function numberIn(value: unknown, name: string): number {
  const field = fieldOf(value, name)
  return typeof field === 'number' && Number.isSafeInteger(field) && field > 0 ? field : 0
}
