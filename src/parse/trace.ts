/**
 * Reasons that the parser reports while it reads a leaf, for `explain`. The tape says what was found; a trace says which rule
 * kept something from being found. The listener may look at the reader: it is called where the parser decides.
 */

/**
 * Called with a reason and the place that it is about; places count from 1, and `end` is excluded. For reasons of delimiters `a` and `b`
 * are the start and the end of the opener, 0 if there is none.
 */
export type Trace = (reason: number, start: number, end: number, a: number, b: number) => void

/** A stop was read up to `end`: the events that are new on the tape are of it. Without any, it is text. */
export const STOP_READ = 1
/** A delimiter run is next (§4); `a` has the flags of `run.ts` that it closes with, `b` those that its neighbors give it. */
export const RUN_READ = 2
/** A closer and its opener match. */
export const MATCHED = 3
/** A run could close, but no opener is open that the rule of three allows. */
export const NO_OPENER = 4
/** A closer and the nearest opener make nothing: white space follows an opener in a word; */
export const SPACE_IN_WORD = 5
/** one of them is in a word; */
export const IN_A_WORD = 6
/** a slash is next to one of them; */
export const AT_SLASH = 7
/** there is no word between them. */
export const NO_WORD = 8
/** A U+2063 after a delimiter closes nothing (§3.6): no forced opener is open; */
export const NO_FORCED_OPENER = 9
/** the nearest one has another delimiter; */
export const OTHER_DELIMITER = 10
/** the content would be empty, or have white space at an end; */
export const OUTER_SPACE = 11
/** the delimiter is escaped, or part of another construct. */
export const ESCAPED_DELIMITER = 12
