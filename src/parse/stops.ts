/**
 * The reasons for which reading stops at a code unit. Import them as `Stop`. All are odd numbers, so that one bit says whether
 * reading stops (`units.ts`).
 */

/** A delimiter whose runs open and close as in CommonMark, and one that opens and closes only where a word can begin or end. */
export const FLANKING = 1
export const BOUNDARY = 3
export const BACKSLASH = 5
export const BACKTICK = 7
export const LESS_THAN = 9
export const AMPERSAND = 11
export const OPENING_BRACKET = 13
export const CLOSING_BRACKET = 15
export const COLON = 17
export const LINE_FEED = 19
export const RETURN = 21
export const NULL = 23
export const SEPARATOR = 25
