/** Linear least squares: what each of several things costs, from sums in which they occur together. */
import { at } from './statistics.js'

/** What one thing costs, and how sure that is: one standard error. */
export interface Estimate {
  value: number
  error: number
}

export interface Fit {
  /** In the order of the columns; null for one that nothing is known of, since it does not occur or only with another. */
  estimates: (Estimate | null)[]
  /** By how much the rows differ from what was fitted, as a share of each, in the middle of all rows. */
  residual: number
}

/**
 * Fits `times[i] = Σ counts[i][j] · cost[j]`, each row weighted so that its relative error counts.
 *
 * @param counts - for each row how often each thing occurs in it
 * @param times - for each row what all of it took, greater than 0
 */
export function leastSquares(counts: readonly (readonly number[])[], times: readonly number[]): Fit {
  const rows = counts.map((row, index) => row.map((count) => count / at(times, index)))
  const columns = at(rows, 0).map((_, column) => column)
  const normal = columns.map((left) => columns.map((right) => sum(rows, (row) => at(row, left) * at(row, right))))
  const inverse = invert(normal)
  const target = columns.map((column) => sum(rows, (row) => at(row, column)))
  const values = inverse.map((row) => row && sum(columns, (column) => at(row, column) * at(target, column)))
  const misses = rows.map((row) => Math.abs(1 - sum(columns, (column) => at(row, column) * (values[column] ?? 0))))
  const variance = sum(misses, (miss) => miss * miss) / Math.max(1, rows.length - columns.length)
  const sorted = [...misses].sort((left, right) => left - right)
  return {
    estimates: columns.map((column) => {
      const value = values[column]
      const own = inverse[column]?.[column]
      return value == null || own === undefined ? null : { value, error: Math.sqrt(variance * own) }
    }),
    residual: at(sorted, sorted.length >> 1),
  }
}

/**
 * Inverts a symmetric matrix by Gauss-Jordan elimination; the row and column of what depends on those before it are left
 * out, and null.
 */
function invert(matrix: readonly (readonly number[])[]): (number[] | null)[] {
  const size = matrix.length
  const work = matrix.map((row, index) => [...row, ...row.map((_, column) => (column === index ? 1 : 0))])
  const isKnown = matrix.map((row, index) => reduce(work, index, at(row, index)))
  return work.map((row, index) =>
    isKnown[index] === true ? row.slice(size).map((value, column) => (isKnown[column] === true ? value : 0)) : null,
  )
}

/** Makes column `pivot` that of the unit matrix; false where nothing is left of its own. */
function reduce(work: number[][], pivot: number, scale: number): boolean {
  const own = at(work, pivot)
  const divisor = at(own, pivot)
  // What rounding leaves of a column that depends on others is about 1e-16 of what stood there.
  if (!(divisor > 1e-10 * scale)) {
    for (const row of work) row[pivot] = 0
    own.fill(0)
    return false
  }
  for (let column = 0; column < own.length; column += 1) own[column] = at(own, column) / divisor
  for (const row of work) {
    const factor = at(row, pivot)
    if (row === own || factor === 0) continue
    for (let column = 0; column < row.length; column += 1) row[column] = at(row, column) - factor * at(own, column)
  }
  return true
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((total, value) => total + of(value), 0)
}
