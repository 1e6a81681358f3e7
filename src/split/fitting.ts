/** Finds the end of the longest part that fits into a string or a preview, with few measurements. */
import { indexAt, type Range } from './row.js'

/** A part that begins at `start`, and the room for it. */
export interface Fitting {
  readonly start: number
  readonly room: number
  /** Returns the size of the part if it ends at `end`. */
  readonly sizeOf: (end: number) => number
  /** The part fits up to `fit` and does not from `over` on; ends between them have not been measured. */
  fit: number
  over: number
  /** The estimated size of one character. */
  density: number
}

/** Returns the index of the last end that fits, -1 if none does. */
export function lastFit(fitting: Fitting, places: readonly Pick<Range, 'end'>[]): number {
  let low = indexAt(places, fitting.fit) - 1
  let high = indexAt(places, fitting.over - 1)
  for (let tries = 0; high - low > 1; tries += 1) {
    const wanted = indexAt(places, fitting.start + fitting.room / fitting.density) - 1
    const at = nextTry(low, high, wanted, tries)
    if (fits(fitting, places[at]?.end ?? 0)) low = at
    else high = at
  }
  return low
}

/** Returns the last offset that fits. */
export function lastFitAnywhere(fitting: Fitting): number {
  for (let tries = 0; fitting.over - fitting.fit > 1; tries += 1) {
    const wanted = Math.floor(fitting.start + fitting.room / fitting.density)
    fits(fitting, nextTry(fitting.fit, fitting.over, wanted, tries))
  }
  return fitting.fit
}

/** If the density is constant, two or three guesses are enough; then the search continues by halves. */
const GUESSES_MAX = 6

function nextTry(low: number, high: number, wanted: number, tries: number): number {
  const at = tries < GUESSES_MAX ? wanted : (low + high) >> 1
  return Math.max(low + 1, Math.min(high - 1, at))
}

/** Whether the part fits up to `end`. A longer part is larger, so most ends need no measurement. */
export function fits(fitting: Fitting, end: number): boolean {
  const { start, room } = fitting
  // A part that is far too long is not measured: doing that for each string would take quadratic time.
  while (isOpen(fitting, end) && end - start > (2 * room) / fitting.density) {
    const near = Math.floor(start + (1.25 * room) / fitting.density)
    if (near <= fitting.fit) break
    measure(fitting, near)
  }
  if (isOpen(fitting, end)) measure(fitting, end)
  return end <= fitting.fit
}

function isOpen({ fit, over }: Fitting, end: number): boolean {
  return fit < end && end < over
}

function measure(fitting: Fitting, end: number): void {
  const size = fitting.sizeOf(end)
  if (size <= fitting.room) fitting.fit = end
  else fitting.over = end
  fitting.density = size / (end - fitting.start)
}
