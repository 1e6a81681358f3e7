/** Describes values in error messages. */

/** Maximum length of a description: less than the length of an API key, so that no error message contains a whole API key. */
const VALUE_LENGTH_MAX = 32

/** The description of a value whose getter or proxy throws. */
export const UNREADABLE = 'object that throws when it is read'

/** Describes a value, for example in a problem's `received`: a node by its type, a primitive by its value, others by their kind. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, VALUE_LENGTH_MAX))
  try {
    return shorten(kindOf(value), VALUE_LENGTH_MAX)
  } catch {
    return UNREADABLE
  }
}

function kindOf(value: unknown): string {
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object' || value === null) return String(value)
  if ('type' in value && typeof value.type === 'string') return value.type
  // A promise has its own description, because callers often forget `await`.
  return 'then' in value ? 'promise' : 'object'
}

/**
 * Returns the error for a value that is not a source. The message names the fix: `root(…)` for a node, `fromSlack(…)` for a block of
 * Slack, and `tree` for the result of a conversion.
 */
export function wrongSource(value: unknown): TypeError {
  const { type, tree } = (value ?? {}) as { type?: unknown; tree?: unknown }
  const nodeHint = type === undefined ? '' : `: a node goes into root(…), Slack's through fromSlack(…)`
  const hint = tree === undefined ? nodeHint : ': pass its `tree`'
  return new TypeError(`expected a string, a tree or an array of them, received ${describe(value)}${hint}`)
}

/** Cuts a text to at most `lengthMax` characters, with an ellipsis after them if it was longer. */
export function shorten(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}

/**
 * Replaces control characters, except tabs, LF and CRLF, by their pictures (U+2400 to U+2421), and C1 controls, which have no
 * pictures, by U+FFFD.
 */
export function withPictures(text: string): string {
  return text.replace(/\r(?!\n)|[^\P{Cc}\t\n\r]/gu, (char) => {
    const code = char.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\uFFFD'
  })
}
