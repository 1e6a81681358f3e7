/** Medians, quartiles and interleaved rounds: statistics of the benchmark's samples. */

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
  /** Wall-clock time, which includes other programs on the machine. */
  wall: number
  /** Processor time of this process, which does not include other programs. */
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

/** How many times longer one series takes than another. */
export interface Ratio {
  /** The ratios of the processor times of each round. */
  paired: Spread
  /** The ratio of the best wall-clock times. */
  best: number
}

/**
 * Compares two series in which the samples of one round have the same index.
 *
 * @param contender - the samples that are expected to take longer
 * @param own - the samples of this package
 */
export function ratioOf(contender: readonly Sample[], own: readonly Sample[]): Ratio {
  return {
    paired: spreadOf(contender.map(({ cpu }, round) => cpu / at(own, round).cpu)),
    best: bestOf(contender) / bestOf(own),
  }
}

/** Returns the shortest time by the clock. */
export function bestOf(samples: readonly Sample[]): number {
  return Math.min(...samples.map((sample) => sample.wall))
}

/**
 * Runs every task once in each round, with the round's number, and keeps the times. Each round starts with the next task,
 * so the position of a task changes.
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

/** Returns an element. Throws an error if the array is shorter. */
export function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new RangeError(`expected an index below ${values.length}, received ${index}`)
  return value
}

/** Interpolates between the two samples nearest to a quantile. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const above = Math.ceil(place)
  return at(sorted, below) + (at(sorted, above) - at(sorted, below)) * (place - below)
}
