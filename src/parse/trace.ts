/**
 * Reasons that the parser reports while it reads a leaf, for `explain`. The tape says what was found; a trace says why
 * something was not, and which rule decided. Without a listener (`reader.trace` is null) nothing is computed.
 */
import type { Opener, Openers } from './openers.js'

/** Places count from 1 and `end` is excluded. `at` and `atEnd` are the other place that decided, 0 if there is none. */
export type Trace = (reason: TraceReason, start: number, end: number, at: number, atEnd: number) => void

export type TraceReason =
  /** Backslashes that are dropped, and the character that the last of them escapes (§3.1). */
  | 'escape'
  /** Backslashes that are all text, or all in pairs (§3.1). */
  | 'backslashes'
  | 'shrug'
  /** A run of backticks without a partner (§3.2). */
  | 'no-code'
  /** A `<` that begins no mention (§3.3). */
  | 'no-mention'
  /** A bracket that is not part of a link (§3.4). */
  | 'no-link'
  /** A scheme that begins no bare link (§3.5). */
  | 'no-url'
  /** A URL in a label, which is text (§3.5). */
  | 'label-url'
  /** The part of a URL that is trimmed (§3.5). */
  | 'trimmed'
  /** A U+2063 after a delimiter that closes nothing, and the forced opener at `at`, `atEnd` that is open (§3.6): nothing is open; */
  | 'no-forced-opener'
  /** the opener has another delimiter; */
  | 'other-delimiter'
  /** the content is empty, or has white space at an end; */
  | 'outer-space'
  /** the delimiter is escaped, or is part of another construct. */
  | 'escaped-delimiter'
  /** A U+2063 that could open, but nothing closes it (§3.6). A link that ends first is from `at` to `atEnd`. */
  | 'no-forced-closer'
  /** A delimiter run (§4); `at` has the flags of `run.ts`. Reported before anything else about the run. */
  | 'run'
  /** A run of `_` or `-` that is longer than one. */
  | 'too-long'
  /** A single star in a word. */
  | 'alone'
  /** A `_` or `-` directly before a star cannot close, because no star is open. */
  | 'no-open-star'
  /** A run that closes late, and one that cannot: no open run fits, or there is no word between the two. */
  | 'late'
  | 'not-late'
  /** A run that could close, but nothing is open; */
  | 'nothing-open'
  /** the rule of three rules out all that is open; */
  | 'rule-of-three'
  /** the opener at `at` was open no longer than its line. */
  | 'line-ended'
  /** A closer, and the nearest opener at `at`, make nothing: white space follows an opener in a word; */
  | 'space-in-word'
  /** one of them is in a word, so they cannot make emphasis; */
  | 'in-word'
  /** a slash is next to one of them; */
  | 'slash'
  /** there is no word between them. */
  | 'no-word'
  /** A closer and the opener at `at` match. */
  | 'matched'
  /** An opener that is text, because the pair from `at` to `atEnd` is around it. */
  | 'enclosed'
  /** A `_` or `-` that is no longer open after the break at `at`. */
  | 'line-end'
  /** A delimiter that opens, or closes, formatting that is one with its surroundings (normal form, §4). */
  | 'merged-opener'
  | 'merged-closer'

/** Reports the openers above `index`, which the end of a pair makes text. */
export function traceEnclosed(trace: Trace, openers: Openers, index: number, closerEnd: number): void {
  const outer = openers.stack[index]
  for (let above = index + 1; outer !== undefined && above < openers.height; above += 1) {
    const { start, end } = openers.stack[above] as Opener
    trace('enclosed', start, end, outer.start, closerEnd)
  }
}
