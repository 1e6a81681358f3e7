/**
 * Circuit breakers: a shard that does not respond is not asked for a few seconds, so that requests that wait for it do
 * not hold the connections of all others.
 */

import { StoreError } from '../../api/store/store.js'
import { ConnectionError, type Run } from './database.js'
import { isSpread } from './tables.js'

/** Milliseconds for which requests are rejected after a statement without a response. Then one request tries again. */
const OPEN_MILLISECONDS = 3000
/** Maximum part of the connections for one shard while its oldest request has waited for SLOW_MILLISECONDS. */
const SHARE_MAX = 0.75
const SLOW_MILLISECONDS = 100
/** The time for which the server of an organization is remembered: a shard may be moved to another server. */
const KNOWN_MILLISECONDS = 60_000
const KNOWN_MAX = 10_000

interface Breaker {
  /** When the requests in progress began, oldest first. */
  readonly begun: Set<{ readonly at: number }>
  /** The end of the rejections; null if the last statement had a response, infinite while one request tries again. */
  openUntil: number | null
}

/** The breakers of one process: one for each organization, or for each server of a cluster. */
export class Breakers {
  readonly #run: Run
  readonly #connections: number
  readonly #breakers = new Map<string, Breaker>()
  readonly #servers = new Map<string, { readonly name: string; readonly until: number }>()
  #isCluster: boolean | null = null

  /** @param connections - the connections that all requests share */
  constructor(run: Run, connections: number) {
    this.#run = run
    this.#connections = connections
  }

  /**
   * Runs work that asks the shard of an organization.
   *
   * @throws {StoreError} `unavailable` at once if the shard does not respond
   */
  async guard<Result>(organization: string, work: () => Promise<Result>): Promise<Result> {
    const name = await this.#nameOf(organization)
    const breaker = this.#breakers.get(name) ?? { begun: new Set(), openUntil: null }
    this.#breakers.set(name, breaker)
    const own = { at: performance.now() }
    if (this.#isRejecting(breaker, own.at)) throw new StoreError('unavailable', new Error('a shard does not respond'))
    if (breaker.openUntil !== null) breaker.openUntil = Number.POSITIVE_INFINITY
    breaker.begun.add(own)
    try {
      const result = await work()
      breaker.openUntil = null
      return result
    } catch (error) {
      breaker.openUntil = isUnanswered(error) ? performance.now() + OPEN_MILLISECONDS : null
      throw error
    } finally {
      breaker.begun.delete(own)
      if (breaker.begun.size === 0 && breaker.openUntil === null) this.#breakers.delete(name)
    }
  }

  #isRejecting({ begun, openUntil }: Breaker, now: number): boolean {
    if (openUntil !== null) return now < openUntil
    const [oldest] = begun
    // Not needed on a single server, where admission limits the slots of each organization.
    const isFull = this.#isCluster === true && begun.size >= this.#connections * SHARE_MAX
    return isFull && oldest !== undefined && now - oldest.at > SLOW_MILLISECONDS
  }

  /** The server of an organization in a cluster, which the coordinator knows; else the organization. */
  async #nameOf(organization: string): Promise<string> {
    this.#isCluster ??= await isSpread(this.#run)
    if (!this.#isCluster) return organization
    const now = performance.now()
    const known = this.#servers.get(organization)
    if (known !== undefined && now < known.until) return known.name
    const { rows } = await this.#run<{ name: string }>('', serverOf, [organization])
    const name = rows[0]?.name ?? organization
    if (this.#servers.size >= KNOWN_MAX) this.#servers.clear()
    this.#servers.set(organization, { name, until: now + KNOWN_MILLISECONDS })
    return name
  }
}

const serverOf = `
  SELECT n.nodename || ':' || n.nodeport AS name FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
  WHERE p.shardid = get_shard_id_for_distribution_column('organizations', $1::uuid) AND n.noderole = 'primary' LIMIT 1`

/** Whether a statement had no response in time. A server that rejects connections has responded. */
function isUnanswered(error: unknown): boolean {
  return error instanceof StoreError && error.cause instanceof ConnectionError && error.cause.isUnanswered
}
