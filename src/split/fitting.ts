/** Finds the end of the longest part that fits into a string or a preview, with few measurements. */
import { indexAt, type Range } from './flat-text.js'

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
  const endOf = (index: number): number => places[index]?.end ?? 0
  return search(fitting, places.length, endOf, (end) => indexAt(places, end) - 1)
}

/** Returns the last offset that fits. */
export function lastFitAnywhere(fitting: Fitting): number {
  return search(fitting, fitting.over, (end) => end, Math.floor)
}

/** If the density is constant, two or three guesses are enough; then the search continues by halves. */
const GUESSES_MAX = 6

/** Returns the last index whose end fits; `indexOf` returns the index of an estimated end. */
function search(
  fitting: Fitting,
  length: number,
  endOf: (index: number) => number,
  indexOf: (end: number) => number,
): number {
  let [low, high] = [-1, length]
  for (let tries = 0; high - low > 1; tries += 1) {
    const guess = tries < GUESSES_MAX ? indexOf(fitting.start + fitting.room / fitting.density) : (low + high) >> 1
    const at = Math.max(low + 1, Math.min(high - 1, guess))
    if (fits(fitting, endOf(at))) low = at
    else high = at
  }
  return low
}

/** Whether the part fits up to `end`. A longer part is larger, so most ends need no measurement. */
export function fits(fitting: Fitting, end: number): boolean {
  if (fitting.fit < end && end < fitting.over) {
    const size = fitting.sizeOf(end)
    if (size <= fitting.room) fitting.fit = end
    else fitting.over = end
    fitting.density = size / (end - fitting.start)
  }
  return end <= fitting.fit
}
