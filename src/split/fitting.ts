/** How far a string, or a preview, can be filled: written as seldom as possible. */
import { indexAt, type Range } from './row.js'

/** What begins at `start` and has room for so much. */
export interface Fitting {
  readonly start: number
  readonly room: number
  /** What it takes if it ends at `end`. */
  readonly sizeOf: (end: number) => number
  /** Up to here it fits, from `over` on it does not; what is between has not been measured. */
  fit: number
  over: number
  /** What one character of the row takes, as far as is known. */
  density: number
}

/** The index of the last of several places up to which there is room, -1 if there is none. */
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

/** The last place at all up to which there is room. */
export function lastFitAnywhere(fitting: Fitting): number {
  for (let tries = 0; fitting.over - fitting.fit > 1; tries += 1) {
    const wanted = Math.floor(fitting.start + fitting.room / fitting.density)
    fits(fitting, nextTry(fitting.fit, fitting.over, wanted, tries))
  }
  return fitting.fit
}

/** Where the row is as dense as before, two or three guesses find the place; where it is not, halves do. */
const GUESSES_MAX = 6

function nextTry(low: number, high: number, wanted: number, tries: number): number {
  const at = tries < GUESSES_MAX ? wanted : (low + high) >> 1
  return Math.max(low + 1, Math.min(high - 1, at))
}

/** Whether there is room up to `end`. What ends later takes more, so that most places need not be measured. */
export function fits(fitting: Fitting, end: number): boolean {
  const { start, room } = fitting
  // What is far more than can fit is not measured: if it were for each string, that would take quadratic time.
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
