/** The fence of code that is still being typed (§2). */

/** How many backticks a line is, which may close a fence; 0 where it holds anything else. */
export function backticksOf(line: string): number {
  return /^[ \t]*(`+)[ \t]*[\n\r]*$/.exec(line)?.[1]?.length ?? 0
}
