/** How a value is named to whoever gave it. */

/** Less than a key has, so that none is ever whole in a message. */
const VALUE_LENGTH_MAX = 32

/** Names a value, as in a problem's `received`: a node by its type, everything else by what it is. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, VALUE_LENGTH_MAX))
  return shorten(kindOf(value), VALUE_LENGTH_MAX)
}

function kindOf(value: unknown): string {
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object' || value === null) return String(value)
  if ('type' in value && typeof value.type === 'string') return value.type
  // One that nobody awaited.
  return 'then' in value ? 'promise' : 'object'
}

/**
 * What is said of a value that is no source. Two mistakes are likely: a node without a root, and a block of Slack's.
 *
 * @param value - what came
 */
export function wrongSource(value: unknown): TypeError {
  const type = (value as { type?: unknown } | null | undefined)?.type
  const hint =
    type === undefined
      ? ''
      : type === 'root'
        ? ' without an array of children'
        : `: a node goes into root(…), Slack's through fromSlack(…)`
  return new TypeError(`expected a string, a tree or an array of them, received ${describe(value)}${hint}`)
}

/** A text of at most so many characters, or as many and an ellipsis. */
export function shorten(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}
