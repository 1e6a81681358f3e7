/** Shares the time of the event loop among all requests, in slices: in a slice, one request may run for a few milliseconds. */

/**
 * Gives out a few slices in each iteration of the event loop, to one caller after the other. Otherwise the requests of many
 * connections would run in one iteration, and new connections would wait: Node accepts only one of them per iteration.
 */
export class FairQueue {
  readonly #slicesMax: number
  readonly #isSlow: () => boolean
  readonly #waiting = new Map<string, (() => void)[]>()

  /**
   * @param slicesMax - the maximum number of slices in one iteration
   * @param isSlow - called in each iteration in which a caller waits; if it returns true, the iteration has only one slice
   */
  constructor(slicesMax: number, isSlow: () => boolean = () => false) {
    this.#slicesMax = slicesMax
    this.#isSlow = isSlow
  }

  /** Resolves when the caller gets a slice, in this iteration or a later one. */
  take(caller: string): Promise<void> {
    // While callers wait, a run is scheduled already.
    if (this.#waiting.size === 0) setImmediate(this.#run)
    const queue = this.#waiting.get(caller) ?? []
    this.#waiting.set(caller, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  readonly #run = (): void => {
    let slicesLeft = this.#isSlow() ? 1 : this.#slicesMax
    // A map keeps the order of insertion: the first caller is the one whose last slice is the oldest.
    for (const [caller, queue] of this.#waiting) {
      if (slicesLeft === 0) break
      slicesLeft -= 1
      queue.shift()?.()
      this.#waiting.delete(caller)
      // The caller goes to the end of the map. If few callers wait, it gets another slice in this iteration.
      if (queue.length > 0) this.#waiting.set(caller, queue)
    }
    if (this.#waiting.size > 0) setImmediate(this.#run)
  }
}

/** The slices of large requests: one in each iteration, because two would delay all other requests. */
export const largeRequests: FairQueue = new FairQueue(1)

/** `threadCpuUsage` exists since Node 23.9. Older versions use the time of the process, which is nearly the same here. */
const cpu: { cpuUsage(): NodeJS.CpuUsage; threadCpuUsage?(): NodeJS.CpuUsage } = process

/** Returns the CPU time that was used so far. Time in which other programs have the processor does not count. */
function cpuMilliseconds(): number {
  const { user, system } = cpu.threadCpuUsage?.() ?? cpu.cpuUsage()
  return (user + system) / 1000
}

/** Bytes of source in one slice. A slice takes only a few milliseconds, because a small request may wait for several slices. */
const SLICE_BYTES = 8000

/** The CPU time of work on fewer bytes is estimated by BYTES_PER_MILLISECOND: reading the CPU's clock would take longer. */
const MEASURED_BYTES = 1000
const BYTES_PER_MILLISECOND = 10_000

/** The slices of one request. */
export class TimeSlices {
  /** The cost of the request so far: its CPU time, and its share of the database's time. */
  milliseconds = 0
  /** The organization or network whose requests share slices. */
  caller = ''
  /** Called after each pause. It throws if the client has gone, because the rest of the work would take slices from others. */
  check: () => void = () => undefined
  #bytes = 0

  /**
   * Runs a part of the work on about the given number of bytes, and yields to the event loop after about every SLICE_BYTES bytes.
   *
   * @param bytes - 0 if the number is not known
   */
  async run<Result>(bytes: number, work: () => Result): Promise<Result> {
    const isMeasured = bytes === 0 || bytes >= MEASURED_BYTES
    const startMilliseconds = isMeasured ? cpuMilliseconds() : 0
    try {
      return work()
    } finally {
      this.milliseconds += isMeasured ? cpuMilliseconds() - startMilliseconds : bytes / BYTES_PER_MILLISECOND
      await this.spend(bytes)
    }
  }

  /** Counts bytes, and yields to the event loop after every SLICE_BYTES of them. */
  async spend(bytes: number): Promise<void> {
    this.#bytes += bytes
    if (this.#bytes >= SLICE_BYTES) await this.yield()
  }

  /** Waits for the next free slice. */
  async yield(): Promise<void> {
    this.#bytes = 0
    await largeRequests.take(this.caller)
    this.check()
  }
}
