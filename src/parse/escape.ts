/** Backslash escapes and the shrug (§3.1). */

const ESCAPABLE = '`*_-[]<#:'
const escapable: Uint8Array = new Uint8Array(128).map((_, code) => {
  const char = String.fromCharCode(code)
  return ESCAPABLE.includes(char) ? 1 : '()'.includes(char) ? 2 : 0
})

const BACKSLASH = 92
/** Text as it stands, though a backslash is in it. */
export const SHRUG = '¯\\_(ツ)_/¯'

/** A shrug or a run of backslashes. */
export const BACKSLASHES: RegExp = /¯\\_\(ツ\)_\/¯|\\+/g

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
export function skipEscape(text: string, at: number, canEscape: (code: number) => boolean): number {
  const end = endOfBackslashes(text, at)
  return ((end - at) & 1) === 1 && canEscape(text.charCodeAt(end)) ? end + 1 : end
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

/**
 * A url from its source, the escapes resolved. What stands behind its last backslashes counts, be it part of the url or
 * not. A bare link keeps a shrug (§3.5), the url of a named link does not know it.
 */
export function resolveEscapes(text: string, start: number, end: number, canEscape: (code: number) => boolean): string {
  const source = text.slice(start, end)
  if (source.indexOf('\\') < 0) return source
  return source.replace(canEscape === isEscapable ? BACKSLASHES : /\\+/g, (run, at: number) =>
    run !== SHRUG && canEscape(text.charCodeAt(start + at + run.length)) ? run.slice(0, run.length >> 1) : run,
  )
}
