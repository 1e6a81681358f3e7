/** The state of Slack's readers, and fields of values from outside: a field of the wrong type counts as absent. */

import type { ProductMention } from '../../convert/names.js'
import type { ConversionOptions, Converted } from '../../convert/options.js'
import { type ConversionRule, diagnosticOf } from '../../convert/rules.js'
import { describe } from '../../describe.js'
import type { Diagnostic } from '../../diagnostic.js'
import type { Position } from '../../tree.js'

/** The state of a reader. */
export interface SlackReading {
  readonly diagnostics: Diagnostic[]
  /** Ids of the users that may be mentioned. */
  readonly mentions: ReadonlySet<string>
  readonly names: SlackNames
  /** Returns the position of a range; undefined for values without a source text. */
  readonly placeOf: (start: number, end: number) => Position | undefined
  /** Reads the text of a `markdown` block; null if the caller passes no reader. */
  readonly markdown: MarkdownReader | null
}

/** Callbacks that name what Slack's messages contain only as ids. `undefined` means "not known". */
export interface SlackNames {
  /** Returns the name of a user of Slack, and their id in the service if they are to be mentioned there. */
  mention?: (userID: string, label: string | null) => ProductMention | undefined
  /** Returns the name of a channel, without `#`. */
  channel?: (channelID: string, label: string | null) => string | undefined
  /** Returns the emoji of a `:shortcode:`, which is given without colons. A skin tone after it is added. */
  emoji?: (name: string) => string | undefined
}

/** Returns the result of a callback. */
export function nameFrom(callback: string, result: unknown): string | undefined {
  if (result === undefined || typeof result === 'string') return result
  throw new TypeError(`fromSlack: ${callback}: expected a string, received ${describe(result)}`)
}

/** `fromMarkdown` of `blockmark/markdown`. */
export type MarkdownReader = (text: string, options: ConversionOptions) => Converted

/** Reports a loss, with its position in mrkdwn or the type of the element. */
export function note(reading: SlackReading, ruleId: ConversionRule, position?: Position, kind = ''): void {
  // A type from outside may be any text.
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

export function stringIn(value: unknown, name: string): string {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : ''
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : []
}

export function numberIn(value: unknown, name: string): number {
  const field = fieldOf(value, name)
  return typeof field === 'number' && Number.isSafeInteger(field) && field > 0 ? field : 0
}
