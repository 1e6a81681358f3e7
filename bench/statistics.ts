/** Medians, quartiles and interleaved rounds: how every question of the benchmark turns samples into an answer. */

/** The summary of a series of samples. */
export interface Spread {
  median: number
  /** The first and the third quartile. */
  quartiles: [number, number]
  min: number
  max: number
}

/**
 * Sums up samples.
 *
 * @throws {Error} if there are no samples
 */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((left, right) => left - right)
  return {
    median: quantile(sorted, 0.5),
    quartiles: [quantile(sorted, 0.25), quantile(sorted, 0.75)],
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
  }
}

/** The time of one run in milliseconds. */
export interface Sample {
  /** By the clock: what a user waits for, other programs on the machine included. */
  wall: number
  /** The processor time of this process, which other programs do not lengthen. */
  cpu: number
}

/** Measures one run. */
export function sampleOf(task: () => void): Sample {
  const used = process.cpuUsage()
  const start = performance.now()
  task()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(used)
  return { wall, cpu: (user + system) / 1_000 }
}

/** How many times longer one takes than another. */
export interface Ratio {
  /** By processor time, of the samples of each round side by side. */
  paired: Spread
  /** By the clock, of the best sample of either. */
  best: number
}

/**
 * Compares two series in which the samples of one round have the same index.
 *
 * @param peer - the one expected to take longer
 * @param own - the one compared with
 */
export function ratioOf(peer: readonly Sample[], own: readonly Sample[]): Ratio {
  return {
    paired: spreadOf(peer.map(({ cpu }, round) => cpu / at(own, round).cpu)),
    best: bestOf(peer) / bestOf(own),
  }
}

/** Returns the shortest time by the clock. */
export function bestOf(samples: readonly Sample[]): number {
  return Math.min(...samples.map((sample) => sample.wall))
}

/**
 * Runs every task once in each round, with the round's number, and keeps what each took. The order is turned by one from
 * round to round, so no task always follows the same one.
 *
 * @param tasks - the functions to measure
 * @param rounds - how many samples each task gets
 * @param before - runs unmeasured before each sample
 * @returns for each task its samples, by round
 */
export function interleave(
  tasks: readonly ((round: number) => void)[],
  rounds: number,
  before: () => void,
): Sample[][] {
  const samples = tasks.map((): Sample[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < tasks.length; turn += 1) {
      const index = (turn + round) % tasks.length
      const task = at(tasks, index)
      before()
      at(samples, index).push(sampleOf(() => task(round)))
    }
  }
  return samples
}

/** Reads an element that must be there. */
export function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new RangeError(`expected an index below ${values.length}, received ${index}`)
  return value
}

/** Interpolates between the two samples nearest to a share of all. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const above = Math.ceil(place)
  return at(sorted, below) + (at(sorted, above) - at(sorted, below)) * (place - below)
}
