/** The fences of fenced code (§2.6). */

/** Where the opening fence ends that starts at `start`. */
export function endOfFence(source: string, start: number): number {
  let end = start
  while (source.charAt(end) === '`') end += 1
  return end
}

/**
 * Where the closing fence starts of the fenced code that stands from `start` to `end`; -1 without one. The parser ends
 * such code behind its closing fence, so that only its last line is to be looked at: as many backticks or more, and
 * nothing else.
 */
export function closingFence(source: string, start: number, end: number): number {
  let fence = end
  while (source.charAt(fence - 1) === '`') fence -= 1
  const isLong = end - fence >= endOfFence(source, start) - start
  let lineStart = fence
  while (/[ \t]/.test(source.charAt(lineStart - 1))) lineStart -= 1
  return fence > start && isLong && /[\r\n]/.test(source.charAt(lineStart - 1)) ? fence : -1
}
