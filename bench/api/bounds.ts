/** Results next to their bounds. */

import { printTable } from '../table.js'

/** A result and its maximum; null without a bound. */
export type BoundedResult = readonly [name: string, value: number, bound: number | null]

/**
 * Prints a table, and makes the benchmark fail if a result exceeds its bound.
 *
 * @param title - the title of the table
 * @param results - the rows of the table
 * @param isBounded - false if only little was measured, to check that it runs
 */
export function printBounded(title: string, results: readonly BoundedResult[], isBounded: boolean): void {
  const shown = (value: number): string => value.toFixed(value < 1000 ? 1 : 0)
  const rows = results.map(([name, value, bound]) => [name, shown(value), bound === null ? '' : String(bound)])
  printTable(title, ['what', 'found', 'at most'], rows)
  const missed = results.filter(([, value, bound]) => bound !== null && value > bound)
  if (!isBounded || missed.length === 0) return
  console.error(`${title}: more than it may be: ${missed.map(([name]) => name).join(', ')}`)
  process.exitCode = 1
}
