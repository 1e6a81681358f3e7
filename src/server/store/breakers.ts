/**
 * Circuit breakers: a shard that does not respond gets no requests for a few seconds, because waiting requests would hold
 * the connections that all other requests need.
 */

import { StoreError } from '../../api/store/store.js'
import { type Database, type Run, STATEMENT_MILLISECONDS } from './database.js'

/** Milliseconds for which requests are rejected after a statement without a response. Then one request tries again. */
const OPEN_MILLISECONDS = 3000
/** Maximum share of the connections for one shard if its oldest request has waited for more than SLOW_MILLISECONDS. */
const SHARE_MAX = 0.75
const SLOW_MILLISECONDS = 100
/** Maximum number of entries of a cache. */
const CACHED_MAX = 10_000

interface Breaker {
  /** The times at which the requests in progress began, oldest first. */
  readonly startTimes: Set<{ readonly at: number }>
  /** The time until which requests are rejected; null if the last one had a response, infinite while one request tries again. */
  openUntil: number | null
}

/** Runs work that queries the shard of an organization. Throws `unavailable` at once while the shard is known not to respond. */
export type Guard = <Result>(organization: string, work: () => Promise<Result>) => Promise<Result>

/** Creates the breakers of one process: one for each organization, or for each server of a cluster. */
export function createBreakers({ run, connectionsMax }: Database): Guard {
  const breakers = new Map<string, Breaker>()
  const servers = new Map<string, string>()
  let isCluster: boolean | null = null
  return async (organization, work) => {
    isCluster ??= await isDistributed(run)
    const name = isCluster ? await serverOf(run, organization, servers) : organization
    const breaker = breakers.get(name) ?? { startTimes: new Set(), openUntil: null }
    breakers.set(name, breaker)
    const request = { at: performance.now() }
    // On a single server, this limit is not needed: admission limits the slots of each organization.
    const requestsMax = isCluster ? connectionsMax * SHARE_MAX : Number.POSITIVE_INFINITY
    if (isRejecting(breaker, requestsMax, request.at))
      throw new StoreError('unavailable', new Error('a shard does not respond'))
    if (breaker.openUntil !== null) breaker.openUntil = Number.POSITIVE_INFINITY
    breaker.startTimes.add(request)
    try {
      const result = await work()
      breaker.openUntil = null
      return result
    } catch (error) {
      // Only a late error counts: a server that rejects connections has responded.
      const isLate = performance.now() - request.at >= STATEMENT_MILLISECONDS
      const isUnanswered = isLate && error instanceof StoreError && error.reason === 'unavailable'
      breaker.openUntil = isUnanswered ? performance.now() + OPEN_MILLISECONDS : null
      // The shards may have been moved, so the servers are looked up again.
      if (isUnanswered) servers.clear()
      throw error
    } finally {
      breaker.startTimes.delete(request)
      if (breaker.startTimes.size === 0 && breaker.openUntil === null) breakers.delete(name)
    }
  }
}

function isRejecting({ startTimes, openUntil }: Breaker, requestsMax: number, now: number): boolean {
  if (openUntil !== null) return now < openUntil
  const [oldest] = startTimes
  return oldest !== undefined && startTimes.size >= requestsMax && now - oldest.at > SLOW_MILLISECONDS
}

/** Returns the server of an organization in a cluster, as the coordinator names it. */
async function serverOf(run: Run, organization: string, servers: Map<string, string>): Promise<string> {
  const find = async (): Promise<string | undefined> =>
    (await run<{ name: string }>(selectServer, [organization])).rows[0]?.name
  return (await cached(servers, organization, find)) ?? organization
}

const selectServer = `
  SELECT n.nodename || ':' || n.nodeport AS name FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid
  WHERE p.shardid = get_shard_id_for_distribution_column('organizations', $1::uuid) AND n.noderole = 'primary' LIMIT 1`

/** Whether the tables are distributed over the servers of a cluster (Citus). */
export async function isDistributed(run: Run): Promise<boolean> {
  const clusterQuery = `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`
  if ((await run<{ found: boolean }>(clusterQuery)).rows[0]?.found !== true) return false
  const distributedQuery = `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('organizations') AND partmethod = 'h'`
  return (await run(distributedQuery)).count > 0
}

/** Returns the value of a key from a cache, or else finds it and adds it to the cache. A full cache is emptied before that. */
export async function cached(
  cache: Map<string, string>,
  key: string,
  find: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const cachedValue = cache.get(key)
  if (cachedValue !== undefined) return cachedValue
  const value = await find()
  if (value === undefined) return undefined
  if (cache.size >= CACHED_MAX) cache.clear()
  cache.set(key, value)
  return value
}
