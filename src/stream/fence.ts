/** The fence of unfinished code (§2). */

/** Returns the number of backticks of a line that may close a fence; 0 if it has other characters. */
export function backticksOf(line: string): number {
  return /^[ \t]*(`+)[ \t]*[\n\r]*$/.exec(line)?.[1]?.length ?? 0
}
