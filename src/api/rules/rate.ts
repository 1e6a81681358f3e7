/** Rate limits: a bucket of tokens for each client, announced in the RateLimit header fields (httpapi draft 10). */

import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'

/** The RateLimit headers, which contain the number of requests that are left. */
export type RateHeaders = Readonly<Record<string, string>>

export interface RateLimits {
  /** Charges one request of a bot. Throws `rate_limited`, with Retry-After. */
  take(bot: string, isUpload: boolean, now: Date): RateHeaders
  /** Throws `rate_limited` if a request would be rejected now. Charges nothing. */
  check(bot: string, now: Date): void
  /** Charges the milliseconds that a request took of the CPU and the database. `earlier` of them were charged before. */
  charge(bot: string, now: Date, milliseconds: number, earlier?: number): void
}

export interface Policy {
  readonly name: string
  /** Tokens that are added each second. */
  readonly rate: number
  /** Maximum number of tokens. */
  readonly burst: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * Milliseconds by which a request may be older than the one that took tokens before it, because requests wait for the
 * database. If a time is still older, the clock was set back.
 */
const OVERTAKEN_MILLISECONDS = 15_000

/** Seconds after which a client has no debt any more, however much its last requests cost. */
const DEBT_SECONDS = 3

/** Number of buckets above which full buckets are removed. */
const BUCKETS_MAX = 10_000

/** Creates the limits of one process. The rates are requests and uploads a second; 0 means no limit. */
export function createRateLimits(rate: number, uploadRate: number): RateLimits {
  const policy = { name: 'requests', rate, burst: 2 * rate }
  const requestLimit = createLimit(policy)
  // Costs have their own buckets, so that they do not use up a bot's requests, even on a slow machine.
  const costLimit = createLimit(policy)
  // A rate of 0 turns off the limit of uploads too.
  const uploadLimit = createLimit({ name: 'uploads', rate: rate === 0 ? 0 : uploadRate, burst: uploadRate })
  return {
    take(bot, isUpload, now) {
      costLimit.take(bot, now, 0)
      const first = requestLimit.take(bot, now)
      return isUpload ? joinHeaders(first, uploadLimit.take(bot, now)) : first
    },
    check(bot, now) {
      costLimit.take(bot, now, 0)
      requestLimit.take(bot, now, 0)
    },
    charge: costLimit.chargeTime,
  }
}

/** Joins the headers of two limits, because both header fields are lists. */
function joinHeaders(first: RateHeaders, second: RateHeaders): RateHeaders {
  const joined = Object.entries(second).map(([name, item]) => [name, `${first[name]}, ${item}`])
  return { ...first, ...Object.fromEntries(joined) }
}

export interface Limit {
  /** Charges a request: one token, or the given number. Throws `rate_limited`, with Retry-After. */
  take(client: string, now: Date, tokens?: number): RateHeaders
  /** Charges more tokens after a request, or refunds some. Without `now`, a client without a bucket is not charged. */
  charge(client: string, tokens: number, now?: Date): void
  /**
   * Charges the milliseconds that a request took of the CPU and the database, beyond the time that one token pays for.
   * A client may use one second in each second. `earlier` is the part of the time that was charged before.
   */
  chargeTime(client: string, now: Date, milliseconds: number, earlier?: number): void
}

const unlimited: Limit = { take: () => ({}), charge: () => undefined, chargeTime: () => undefined }

/** Creates a limit of one process; a rate of 0 means no limit. */
export function createLimit(policy: Policy): Limit {
  if (policy.rate === 0) return unlimited
  const buckets = new Map<string, Bucket>()
  const tokensOf = (milliseconds: number): number => Math.max(0, (milliseconds * policy.rate) / 1000 - 1)
  const limit: Limit = {
    take(client, time, tokens = 1) {
      const now = time.getTime()
      // A client without a bucket has all of its tokens, and needs no bucket if it takes none.
      if (tokens === 0 && !buckets.has(client)) return {}
      const bucket = buckets.get(client) ?? { tokens: policy.burst, filledAt: now }
      const elapsed = now - bucket.filledAt
      bucket.tokens = Math.min(policy.burst, bucket.tokens + (Math.max(0, elapsed) / 1000) * policy.rate)
      // The time of an overtaken request is ignored: the tokens since then were added already.
      if (elapsed > 0 || elapsed < -OVERTAKEN_MILLISECONDS) bucket.filledAt = now
      // The bucket is moved to the end of the map, so that the first bucket is the least recently used one.
      buckets.delete(client)
      buckets.set(client, bucket)
      removeFullBuckets(buckets, policy, now)
      const least = Math.max(1, tokens)
      if (bucket.tokens < least) throw tooMany(policy, bucket, least)
      bucket.tokens -= tokens
      return headersOf(policy, bucket)
    },
    charge(client, tokens, time) {
      const existingBucket = buckets.get(client)
      if (existingBucket === undefined && time === undefined) return
      const bucket = existingBucket ?? { tokens: policy.burst, filledAt: time?.getTime() ?? 0 }
      buckets.set(client, bucket)
      bucket.tokens = Math.min(policy.burst, Math.max(bucket.tokens - tokens, -DEBT_SECONDS * policy.rate))
    },
    chargeTime(client, now, milliseconds, earlier = 0) {
      const tokens = tokensOf(milliseconds) - tokensOf(earlier)
      // Most requests cost no more than one token, and create no bucket.
      if (tokens > 0) limit.charge(client, tokens, now)
    },
  }
  return limit
}

/**
 * Removes full buckets, the least recently used first, down to BUCKETS_MAX or until it reaches one that is not full. A call
 * checks at most one bucket that it does not remove.
 */
function removeFullBuckets(buckets: Map<string, Bucket>, policy: Policy, now: number): void {
  if (buckets.size <= BUCKETS_MAX) return
  for (const [bot, { tokens, filledAt }] of buckets) {
    const isFull = tokens + ((now - filledAt) / 1000) * policy.rate >= policy.burst
    if (!isFull || buckets.size <= BUCKETS_MAX) return
    buckets.delete(bot)
  }
}

function headersOf(policy: Policy, bucket: Bucket): RateHeaders {
  const window = Math.ceil(policy.burst / policy.rate)
  const reset = Math.ceil((policy.burst - bucket.tokens) / policy.rate)
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.burst};w=${window}`,
    ratelimit: `"${policy.name}";r=${Math.floor(bucket.tokens)};t=${reset}`,
  }
}

function tooMany(policy: Policy, bucket: Bucket, least: number): ApiError {
  const wait = Math.max(1, Math.ceil((least - bucket.tokens) / policy.rate))
  return new ApiError('rate_limited', sentences.tooFast(policy.rate, policy.name, wait), {
    headers: { ...headersOf(policy, bucket), 'retry-after': String(wait) },
  })
}
