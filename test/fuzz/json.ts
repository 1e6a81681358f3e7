/** JSON in inputs: its values and their paths. */

/** Parses JSON; returns undefined if it is not valid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** Returns the path of every value in a value. */
export function placesIn(value: unknown, path: Path = []): Path[] {
  const inner = entriesOf(value).flatMap(([key, each]) => placesIn(each, [...path, key]))
  return [path, ...inner]
}

/** Returns the members of a value, by key or index. */
export function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((each, index) => [index, each] as const)
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Returns the value with another value at a path; undefined removes the one there. */
export function replaced(value: unknown, path: Path, change: (there: unknown) => unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  const entries = entriesOf(value).map(
    ([key, each]) => [key, key === first ? replaced(each, rest, change) : each] as const,
  )
  const left = entries.filter(([, each]) => each !== undefined)
  return Array.isArray(value) ? left.map(([, each]) => each) : Object.fromEntries(left)
}

/** Returns the value at a path. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((part, key) => entriesOf(part).find(([each]) => each === key)?.[1], value)
}
