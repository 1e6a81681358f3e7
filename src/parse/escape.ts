/** Backslash escapes and the shrug (§3.1). */

const ESCAPABLE = '`*_-[]<#:'
const escapable: Uint8Array = new Uint8Array(128).map((_, code) => {
  const char = String.fromCharCode(code)
  return ESCAPABLE.includes(char) ? 1 : '()'.includes(char) ? 2 : 0
})

const BACKSLASH = 92
const SHRUG = '¯\\_(ツ)_/¯'

/** Whether a backslash before this character escapes it. */
export function isEscapable(code: number): boolean {
  return escapable[code] === 1
}

/** Whether a backslash before this character escapes it in the url of a named link, where brackets count too. */
export function isEscapableInUrl(code: number): boolean {
  return (escapable[code] ?? 0) > 0
}

/** The end of the run of backslashes that starts at `at`. */
export function endOfBackslashes(text: string, at: number): number {
  let end = at + 1
  while (text.charCodeAt(end) === BACKSLASH) end += 1
  return end
}

/** What is behind the backslashes at `at` and the character that they escape, if they do. */
export function skipEscape(text: string, at: number): number {
  const end = endOfBackslashes(text, at)
  return ((end - at) & 1) === 1 && isEscapable(text.charCodeAt(end)) ? end + 1 : end
}

/** As {@link skipEscape}, in the url of a named link. */
export function skipEscapeInUrl(text: string, at: number): number {
  const end = endOfBackslashes(text, at)
  return ((end - at) & 1) === 1 && isEscapableInUrl(text.charCodeAt(end)) ? end + 1 : end
}

/** Where the shrug ends whose backslash is at `at` and whose first character is not before `from`; else -1. */
export function endOfShrug(text: string, at: number, from: number): number {
  return at > from && text.startsWith(SHRUG, at - 1) ? at - 1 + SHRUG.length : -1
}

/** Whether the character at `at`, which is no backslash, is escaped: an odd number of backslashes stands before it. */
export function isEscaped(text: string, at: number): boolean {
  let start = at
  while (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) start -= 1
  return ((at - start) & 1) === 1
}

/** The text of a bare link: escapes are resolved, a shrug is kept (§3.5). */
export function resolveEscapes(text: string, start: number, end: number): string {
  const source = text.slice(start, end)
  if (source.indexOf('\\') < 0) return source
  // What stands behind the last run counts, be it part of the link or not.
  return source.replace(/¯\\_\(ツ\)_\/¯|\\+/g, (run, at: number) =>
    run !== SHRUG && isEscapable(text.charCodeAt(start + at + run.length)) ? halved(run) : run,
  )
}

/** The url of a named link: escapes are resolved (§3.4). */
export function resolveEscapesInUrl(text: string, start: number, end: number): string {
  const source = text.slice(start, end)
  if (source.indexOf('\\') < 0) return source
  return source.replace(/\\+/g, (run, at: number) =>
    isEscapableInUrl(text.charCodeAt(start + at + run.length)) ? halved(run) : run,
  )
}

/** Each pair of backslashes is one; a single one left over is none. */
function halved(run: string): string {
  return run.slice(0, run.length >> 1)
}
