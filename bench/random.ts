/** Random numbers that are the same on every machine and in every run. */

/** Returns an integer from 0 to `limit`, exclusive. */
export type Random = (limit: number) => number

/** Mulberry32: a small generator whose integer arithmetic gives the same sequence on every machine. */
export function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Picks one of several values. */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}
