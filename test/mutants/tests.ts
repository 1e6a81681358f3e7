/** The tests of a folder in a thread of their own, which is ended where one of them does not come back. */

import { Worker } from 'node:worker_threads'

/** What a thread is asked for. */
export interface Order {
  /** The tests that are run, in this order; all where it is `null`. */
  tests: readonly string[] | null
  /** Every test there is. */
  known: ReadonlySet<string>
  /** Whether it ends with the first one that fails. */
  bails: boolean
  isReversed?: boolean
}

/** What a thread says: that a test begins, and at the end what became of all. */
export type Answer = { type: 'test'; name: string } | ({ type: 'end' } & Outcome)

export interface Outcome {
  failures: readonly { name: string; message: string }[]
  /** How long each took, in milliseconds. */
  durations: Readonly<Record<string, number>>
  /** How often each mutant was reached, while modules were loaded and by each test. */
  coverage: { static: Readonly<Record<string, number>>; perTest: Record<string, Record<string, number>> } | null
}

/** What became of a module: all has run, or not, for some reason. */
export type Result = Outcome | { ended: string }

export interface TestsOptions {
  /** Parts of the names of tests that are left out. */
  readonly without: readonly string[]
  /** How often a cheap property runs. */
  readonly runs: number
}

/** How long that may take of which nothing is known yet: to load the tests, and each of them the first time. */
const UNKNOWN_MILLISECONDS = 240_000

/** A machine that has other work to do gives a test the time it wants so many times later. */
const WAITS_MAX = 10

export class Tests {
  #worker: Worker | null = null
  readonly #module: string
  readonly #options: TestsOptions
  readonly #durations: ReadonlyMap<string, number>

  /**
   * @param module - the bundle; it is loaded anew in each run
   * @param durations - how long a test takes: one that takes very much longer does not come back
   */
  constructor(module: string, options: TestsOptions, durations: ReadonlyMap<string, number>) {
    this.#module = module
    this.#options = options
    this.#durations = durations
  }

  get isFresh(): boolean {
    return this.#worker === null
  }

  async run(order: Order): Promise<Result> {
    const worker = this.#worker ?? this.#start()
    this.#worker = worker
    let at = 'loading'
    let limit = this.#limitOf(at)
    let since = now()
    const result = await new Promise<Result>((resolve) => {
      const watch = setInterval(() => {
        const { worked, waited } = elapsed(since)
        if (worked > limit || waited > WAITS_MAX * limit) end({ ended: `time is up: ${at}` })
      }, 250)
      const onMessage = (answer: Answer) => {
        if (answer.type === 'end') return end(answer)
        at = answer.name
        limit = this.#limitOf(at)
        since = now()
      }
      const onError = (error: unknown) => end({ ended: `${error}: ${at}` })
      const onExit = () => end({ ended: `exit: ${at}` })
      const end = (result: Result) => {
        clearInterval(watch)
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        resolve(result)
      }
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(order)
    })
    if ('ended' in result) await this.end()
    return result
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    worker?.on('error', () => undefined)
    await worker?.terminate()
  }

  #start(): Worker {
    const { without, runs } = this.#options
    return new Worker(new URL('worker.js', import.meta.url), {
      workerData: { path: this.#module, without: without.join('|') || '$^' },
      env: { ...process.env, CI: 'true', RUNS: String(runs), SEED: '1' },
      resourceLimits: { maxOldGenerationSizeMb: 1500 },
      stdout: true,
      stderr: true,
    })
  }

  /** How long a test may work, in milliseconds. */
  #limitOf(name: string): number {
    const duration = this.#durations.get(name)
    return duration === undefined ? UNKNOWN_MILLISECONDS : 5_000 + 20 * duration
  }
}

interface Moment {
  readonly processor: NodeJS.CpuUsage
  readonly clock: number
}

function now(): Moment {
  return { processor: process.cpuUsage(), clock: Date.now() }
}

/** How long this process has worked since then, which only waits for its thread, and how long ago that is. */
function elapsed({ processor, clock }: Moment): { worked: number; waited: number } {
  const { user, system } = process.cpuUsage(processor)
  return { worked: (user + system) / 1000, waited: Date.now() - clock }
}
