/** Flattens arrays of any depth. */
import { throwProblems } from '../errors.js'

interface Level {
  readonly values: readonly unknown[]
  at: number
}

/**
 * Returns the values of nested arrays in sequence. It does not recurse, because arrays have no limit of levels.
 *
 * @param values - the values
 * @param path - the path of the values, for an error
 * @returns the values that are not arrays
 * @throws {BlockmarkError} `tree/cycle` if an array is inside itself
 */
export function flat(values: readonly unknown[], path: readonly (string | number)[] = []): unknown[] {
  const row: unknown[] = []
  const levels: Level[] = [{ values, at: 0 }]
  const open = new Set<unknown>([values])
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { values, at } = level
    const value = values[at]
    level.at += 1
    if (at === values.length) {
      levels.pop()
      open.delete(values)
    } else if (!Array.isArray(value)) row.push(value)
    else if (open.has(value)) {
      throwProblems([{ code: 'tree/cycle', path, expected: 'tree', received: 'array inside itself' }])
    } else {
      levels.push({ values: value, at: 0 })
      open.add(value)
    }
  }
  return row
}
