/** How a value is named to whoever gave it. */

/** Less than a key has, so that none is ever whole in a message. */
const VALUE_LENGTH_MAX = 32

/** Names a value, as in a problem's `received`: a node by its type, everything else by what it is. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, VALUE_LENGTH_MAX))
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object' || value === null) return shorten(String(value), VALUE_LENGTH_MAX)
  return 'type' in value && typeof value.type === 'string' ? shorten(value.type, VALUE_LENGTH_MAX) : 'object'
}

/** A text of at most so many characters, or as many and an ellipsis. */
export function shorten(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
