/** How far a string, or a preview, can be filled: written as seldom as possible. */
import { indexAt, type Range } from './row.js'

/** What begins at `start` and has room for so much. */
export interface Filling {
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
export function lastFit(filling: Filling, places: readonly Pick<Range, 'end'>[]): number {
  let low = indexAt(places, filling.fit) - 1
  let high = indexAt(places, filling.over - 1)
  for (let tries = 0; high - low > 1; tries += 1) {
    const wanted = indexAt(places, filling.start + filling.room / filling.density) - 1
    const at = nextTry(low, high, wanted, tries)
    if (fits(filling, places[at]?.end ?? 0)) low = at
    else high = at
  }
  return low
}

/** The last place at all up to which there is room. */
export function lastFitAnywhere(filling: Filling): number {
  for (let tries = 0; filling.over - filling.fit > 1; tries += 1) {
    const wanted = Math.floor(filling.start + filling.room / filling.density)
    fits(filling, nextTry(filling.fit, filling.over, wanted, tries))
  }
  return filling.fit
}

/** Where the row is as dense as before, two or three guesses find the place; where it is not, halves do. */
const GUESSES_MAX = 6

function nextTry(low: number, high: number, wanted: number, tries: number): number {
  const at = tries < GUESSES_MAX ? wanted : (low + high) >> 1
  return Math.max(low + 1, Math.min(high - 1, at))
}

/** Whether there is room up to `end`. What ends later takes more, so that most places need not be measured. */
export function fits(filling: Filling, end: number): boolean {
  const { start, room } = filling
  // What is far more than can fit is not measured: if it were for each string, that would take quadratic time.
  while (isOpen(filling, end) && end - start > (2 * room) / filling.density) {
    const near = Math.floor(start + (1.25 * room) / filling.density)
    if (near <= filling.fit) break
    measure(filling, near)
  }
  if (isOpen(filling, end)) measure(filling, end)
  return end <= filling.fit
}

function isOpen({ fit, over }: Filling, end: number): boolean {
  return fit < end && end < over
}

function measure(filling: Filling, end: number): void {
  const size = filling.sizeOf(end)
  if (size <= filling.room) filling.fit = end
  else filling.over = end
  filling.density = size / (end - filling.start)
}
