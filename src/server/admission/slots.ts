/**
 * Slots, and a queue for each caller that waits for one. p-queue has one queue for all callers, so a flood from one
 * caller delays the others. Here the queues are served one after the other.
 */

import { StoreError } from '../../api/store/store.js'

/** The sender of a request: an organization if its API key or session is valid, else a network. */
export interface Caller {
  readonly name: string
  readonly isStranger: boolean
}

/**
 * Gives a slot back. Returns the caller's share of the time in milliseconds: while n slots are taken, each pays for 1/n. Time in
 * which no other caller needs the database is free, however busy the machine is.
 */
export type Release = () => number

/** Maximum number of waiting requests of one caller. */
const WAITING_MAX = 500
/** Maximum number of waiting requests of all callers. Above this, only a caller without a waiting request may wait. */
const ALL_WAITING_MAX = 5000
const WAIT_MILLISECONDS = 10_000
/**
 * Maximum number of connections that are opened at the same time, half of them for one caller. Opening takes CPU time
 * of the database, which running requests need.
 */
const OPENING_MAX = 4

/** All callers of one kind: organizations, or strangers. */
interface Group {
  /** The slots that the group may have at the same time. */
  readonly slotsMax: number
  /** The slots that one caller of the group may have at the same time. */
  readonly slotsMaxOfOne: number
  taken: number
  /** The queues with waiting requests. The first one is served next. */
  readonly waiting: Set<Queue>
}

interface Queue {
  readonly name: string
  readonly group: Group
  taken: number
  readonly waiting: ((release: Release) => void)[]
}

/** A number of slots. Strangers share a quarter of them, and one caller gets at most half of its group's slots. */
export class Slots {
  readonly #slotsMax: number
  readonly #open: () => number
  readonly #organizations: Group
  readonly #strangers: Group
  readonly #queues = new Map<string, Queue>()
  #taken = 0
  #waiting = 0
  /** The sum of the periods in which callers compete, each divided by the number of slots that were taken in it. */
  #work = 0
  #workAt = 0

  /** @param open - returns the number of open connections, if each slot needs one */
  constructor(count: number, open: () => number = () => count) {
    this.#slotsMax = count
    this.#open = open
    this.#organizations = groupOf(count)
    this.#strangers = groupOf(Math.ceil(count / 4))
  }

  /**
   * Takes a slot. If none is free for the caller, the result is a promise that is fulfilled when the caller gets one.
   *
   * @returns the function that gives the slot back
   * @throws {StoreError} `unavailable` if the caller's queue is full, or after ten seconds
   */
  take({ name, isStranger }: Caller): Release | Promise<Release> {
    const group = isStranger ? this.#strangers : this.#organizations
    this.#count()
    const queue = this.#queues.get(name) ?? { name, group, taken: 0, waiting: [] }
    this.#queues.set(name, queue)
    if (queue.waiting.length === 0 && this.#isFreeFor(queue)) return this.#give(queue)
    const { length } = queue.waiting
    if (length >= WAITING_MAX || (length > 0 && this.#waiting >= ALL_WAITING_MAX)) throw overloaded('QUEUE_FULL')
    return this.#wait(queue)
  }

  #isFreeFor({ group, taken }: Queue): boolean {
    const open = this.#open()
    const openMax = Math.min(this.#slotsMax, open + OPENING_MAX)
    const slotsMaxOfOne = Math.min(group.slotsMaxOfOne, open + OPENING_MAX / 2)
    return this.#taken < openMax && group.taken < group.slotsMax && taken < slotsMaxOfOne
  }

  #give(queue: Queue): Release {
    this.#change(queue, 1)
    const start = this.#work
    return () => {
      this.#change(queue, -1)
      const share = this.#work - start
      this.#next()
      this.#forget(queue)
      return share
    }
  }

  #count(): void {
    const now = performance.now()
    if (this.#queues.size > 1) this.#work += (now - this.#workAt) / Math.max(1, this.#taken)
    this.#workAt = now
  }

  #change(queue: Queue, delta: 1 | -1): void {
    this.#count()
    this.#taken += delta
    queue.group.taken += delta
    queue.taken += delta
  }

  #wait(queue: Queue): Promise<Release> {
    this.#waiting += 1
    queue.group.waiting.add(queue)
    return new Promise((resolve, reject) => {
      const giveSlot = (release: Release): void => {
        clearTimeout(timer)
        resolve(release)
      }
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(giveSlot), 1)
        this.#endWait(queue)
        this.#forget(queue)
        reject(overloaded('QUEUE_SLOW'))
      }, WAIT_MILLISECONDS)
      queue.waiting.push(giveSlot)
    })
  }

  /** Gives free slots to the next callers. A stranger is first only if no stranger has a slot. */
  #next(): void {
    const groups = [this.#organizations, this.#strangers]
    if (this.#strangers.taken === 0) groups.reverse()
    for (const group of groups) {
      for (const queue of group.waiting) {
        if (!this.#isFreeFor(queue)) continue
        const giveSlot = queue.waiting.shift()
        this.#endWait(queue)
        giveSlot?.(this.#give(queue))
        // Another caller is tried, because a connection that was opened meanwhile allows one more caller.
        this.#next()
        return
      }
    }
  }

  /** Counts a request that no longer waits, and moves its queue after all others. */
  #endWait(queue: Queue): void {
    this.#waiting -= 1
    queue.group.waiting.delete(queue)
    if (queue.waiting.length > 0) queue.group.waiting.add(queue)
  }

  #forget({ name, taken, waiting }: Queue): void {
    if (taken === 0 && waiting.length === 0) this.#queues.delete(name)
  }
}

function groupOf(slotsMax: number): Group {
  return { slotsMax, slotsMaxOfOne: Math.ceil(slotsMax / 2), taken: 0, waiting: new Set() }
}

/** The reason why admission responded with 503, for the log. */
type Reason = 'QUEUE_FULL' | 'QUEUE_SLOW' | 'BYTES_FULL' | 'CLIENT_GONE'

/** Returns the error for a request that gets a 503 with Retry-After. */
export function overloaded(code: Reason): StoreError {
  return new StoreError('unavailable', Object.assign(new Error('too many requests at the same time'), { code }))
}
