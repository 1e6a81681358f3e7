/**
 * Reasons that the parser reports while it reads a leaf, for `explain`. The tape has the constructs that were found. The trace has
 * the rule because of which a character is text. The listener is called at the moment of the decision, and may inspect the reader.
 */

/**
 * Called with a reason and the range that it is about. Positions count from 1, and `end` is exclusive. If the reason is about
 * delimiters, `a` and `b` are the start and the end of the opener, or 0.
 */
export type Trace = (reason: number, start: number, end: number, a: number, b: number) => void

/** A stop was read up to `end`. The new events on the tape belong to it; a stop without events is text. */
export const STOP_READ = 1
/** A delimiter run is next (§4). `a` has its flags (`run.ts`) as a closer, `b` those that depend on its neighbors only. */
export const RUN_READ = 2
/** A closer and its nearest opener match. */
export const MATCHED = 3
/** A run could close, but no opener is open that the rule of three allows. */
export const NO_OPENER = 4
/** No match (§4): the opener is in a word, and there is white space between it and the closer. */
export const SPACE_IN_WORD = 5
/** No match (§4): the closer or its opener is in a word. */
export const IN_A_WORD = 6
/** No match (§4): a slash is next to the closer or its opener. */
export const AT_SLASH = 7
/** No match (§4): the text between the opener and the closer has no word. */
export const NO_WORD = 8
/** A U+2063 does not close (§3.6): no forced opener is open. */
export const NO_FORCED_OPENER = 9
/** A U+2063 does not close (§3.6): the delimiter of the nearest forced opener is not before it. */
export const OTHER_DELIMITER = 10
/** A U+2063 does not close (§3.6): the content would be empty, or would start or end with white space. */
export const OUTER_SPACE = 11
/** A U+2063 does not close (§3.6): the delimiter is escaped, or part of another construct. */
export const ESCAPED_DELIMITER = 12
