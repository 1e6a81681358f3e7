/** State and functions that the readers of Slack's formats share. */
import type { Message } from '../../message.js'
import type { Position } from '../../tree.js'
import type { ConversionOptions, Converted } from '../options.js'
import { type ConversionRule, messageOf } from '../rules.js'

/** The state of a reader. */
export interface SlackReading {
  readonly messages: Message[]
  /** Ids of the users that may be mentioned. */
  readonly mentions: ReadonlySet<string>
  /** Returns the position of a range; undefined for values without a source text. */
  readonly placeOf: (start: number, end: number) => Position | undefined
  /** Reads the text of a `markdown` block; null if the caller passes no reader. */
  readonly markdown: MarkdownReader | null
}

/** `fromMarkdown` of `blockmark/markdown`. */
export type MarkdownReader = (text: string, options: ConversionOptions) => Converted

export function note(reading: SlackReading, ruleId: ConversionRule, start: number, end: number): void {
  reading.messages.push(messageOf(ruleId, reading.placeOf(start, end)))
}

/** Reports an element of a block, which has no position, by its type. */
export function noteKind(reading: SlackReading, ruleId: ConversionRule, kind: string): void {
  // A type from outside may be any text.
  reading.messages.push(messageOf(ruleId, undefined, /^[\w.-]{1,64}$/.test(kind) ? kind : ''))
}

/** Resolves the three escapes of mrkdwn; `&amp;lt;` becomes `&lt;`. */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** The position of a range, as a field of a node. */
export function placed(reading: SlackReading, start: number, end: number): { position?: Position } {
  const position = reading.placeOf(start, end)
  return position === undefined ? {} : { position }
}
