/** Remarks on a text as data. */

import type { Message } from '../index.js'
import type { Span } from './editor.js'

export interface Remark {
  readonly reason: string
  readonly ruleId: string
  readonly note: string | null
  /** The part of the text that it is about, and its line; null where it is about no part. */
  readonly place: { readonly span: Span; readonly line: number } | null
  /** What to write instead. */
  readonly expected: string | null
}

/** Says where in the text a remark belongs. */
export function spanOf({ place }: Message): Span | null {
  if (place === undefined) return null
  const [start, end] = 'start' in place ? [place.start.offset, place.end.offset] : [place.offset, place.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** A remark without what only a library needs. */
export function remarkOf(message: Message): Remark {
  const { reason, ruleId = '', note = null, place, expected } = message
  const span = spanOf(message)
  const line = place === undefined ? 1 : 'start' in place ? place.start.line : place.line
  return { reason, ruleId, note, place: span === null ? null : { span, line }, expected: expected?.[0] ?? null }
}
