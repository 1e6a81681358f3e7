/** The fences of fenced code (§2.6). */

/** Returns the end of the opening fence that starts at `start`. */
export function endOfFence(source: string, start: number): number {
  let end = start
  while (source.charAt(end) === '`') end += 1
  return end
}

/**
 * Returns the offset of the closing fence of the fenced code from `start` to `end`; -1 if it has none. A code node ends with its
 * closing fence, so only the last line can be one: at least as many backticks as the opening fence, and nothing else.
 */
export function closingFence(source: string, start: number, end: number): number {
  let fence = end
  while (source.charAt(fence - 1) === '`') fence -= 1
  const isLong = end - fence >= endOfFence(source, start) - start
  let lineStart = fence
  while (/[ \t]/.test(source.charAt(lineStart - 1))) lineStart -= 1
  return fence > start && isLong && /[\r\n]/.test(source.charAt(lineStart - 1)) ? fence : -1
}
