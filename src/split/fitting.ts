/** Finds the end of the longest part that fits into a string or a preview. */
import { firstIndex } from '../search.js'
import type { Range } from './flat-text.js'

/** A part that begins at `start`, and the room for it. */
export interface Fitting {
  readonly start: number
  readonly room: number
  /** Returns the size of the part if it ends at `end`. */
  readonly sizeOf: (end: number) => number
  /** The part fits up to `fit` and does not from `over` on; ends between them have not been measured. */
  fit: number
  over: number
}

/** Returns the index of the last end that fits, -1 if none does. */
export function lastFit(fitting: Fitting, places: readonly Pick<Range, 'end'>[]): number {
  return firstIndex(places.length, (index) => !fits(fitting, places[index]?.end ?? 0)) - 1
}

/** Returns the last offset that fits. */
export function lastFitAnywhere(fitting: Fitting): number {
  return firstIndex(fitting.over, (end) => !fits(fitting, end)) - 1
}

/** Whether the part fits up to `end`. A longer part is larger, so most ends need no measurement. */
export function fits(fitting: Fitting, end: number): boolean {
  if (fitting.fit < end && end < fitting.over) {
    if (fitting.sizeOf(end) <= fitting.room) fitting.fit = end
    else fitting.over = end
  }
  return end <= fitting.fit
}
