/** Diagnostics as data, which a worker can send. */

import type { Diagnostic } from '../index.js'
import type { Span } from './backdrop.js'

export interface Remark {
  readonly reason: string
  readonly ruleId: string
  readonly note: string | null
  /** The position and line in the text; null without a position. */
  readonly place: { readonly span: Span; readonly line: number } | null
  /** The replacement. */
  readonly expected: string | null
}

/** Returns the position of a diagnostic; null if it has none. */
export function spanOf({ place }: Diagnostic): Span | null {
  if (place === undefined) return null
  const [start, end] = 'start' in place ? [place.start.offset, place.end.offset] : [place.offset, place.offset]
  return start === undefined || end === undefined ? null : { start, end }
}

/** Returns the fields of a diagnostic that the page needs. */
export function remarkOf(message: Diagnostic): Remark {
  const { reason, ruleId = '', note = null, place, expected } = message
  const span = spanOf(message)
  const line = place === undefined ? 1 : 'start' in place ? place.start.line : place.line
  return { reason, ruleId, note, place: span === null ? null : { span, line }, expected: expected?.[0] ?? null }
}
