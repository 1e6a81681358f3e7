/** Rate limits: a bucket of tokens for everybody, announced as the RateLimit header fields (httpapi draft 10) have it. */

import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'

/** What a request may still do, as headers. */
export type RateHeaders = Readonly<Record<string, string>>

export interface RateLimits {
  /** Takes one request of a bot into account. Throws `rate_limited`, with Retry-After. */
  take(bot: string, isUpload: boolean, now: Date): RateHeaders
}

interface Policy {
  readonly name: string
  /** Tokens that are added each second. */
  readonly rate: number
  /** Tokens that are there at most. */
  readonly burst: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** So many buckets are kept; beyond them, those that are full again are forgotten. */
const BUCKETS_MAX = 10_000

/** Makes the limits of one process: requests and uploads a second, 0 for no limit. */
export function createRateLimits(rate: number, uploadRate: number): RateLimits {
  const requests = rate === 0 ? null : createLimit({ name: 'requests', rate, burst: 2 * rate })
  // A limit that is switched off is off for everything.
  const isUploadLimited = rate !== 0 && uploadRate !== 0
  const uploads = isUploadLimited ? createLimit({ name: 'uploads', rate: uploadRate, burst: uploadRate }) : null
  return {
    take(bot, isUpload, now) {
      const first = requests?.take(bot, now) ?? {}
      const second = isUpload ? uploads?.take(bot, now) : undefined
      return second === undefined ? first : bothOf(first, second)
    },
  }
}

/** The two header fields are lists of limits. */
function bothOf(first: RateHeaders, second: RateHeaders): RateHeaders {
  return Object.fromEntries(Object.entries(second).map(([name, item]) => [name, `${first[name]}, ${item}`]))
}

export interface Limit {
  /** Takes one request into account. Throws `rate_limited`, with Retry-After. */
  take(who: string, now: Date): RateHeaders
  /** Takes more away, of a request that proved to be worth several; what is below zero has to come back first. */
  charge(who: string, tokens: number): void
}

/** Makes a limit of one process. */
export function createLimit(policy: Policy): Limit {
  const buckets = new Map<string, Bucket>()
  return {
    take(who, time) {
      const now = time.getTime()
      const bucket = buckets.get(who) ?? { tokens: policy.burst, filledAt: now }
      // A clock that is set back adds nothing, and takes nothing away.
      const seconds = Math.max(0, now - bucket.filledAt) / 1000
      bucket.tokens = Math.min(policy.burst, bucket.tokens + seconds * policy.rate)
      bucket.filledAt = now
      // A map keeps the order in which it was filled: who was away longest is the first.
      buckets.delete(who)
      buckets.set(who, bucket)
      forgetFull(buckets, policy, now)
      if (bucket.tokens < 1) throw tooMany(policy, bucket)
      bucket.tokens -= 1
      return headersOf(policy, bucket)
    },
    charge(who, tokens) {
      const bucket = buckets.get(who)
      if (bucket !== undefined) bucket.tokens -= tokens
    },
  }
}

/** Stops at the first one that is needed still, so that each bucket is looked at once before it goes. */
function forgetFull(buckets: Map<string, Bucket>, policy: Policy, now: number): void {
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

function tooMany(policy: Policy, bucket: Bucket): ApiError {
  const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / policy.rate))
  return new ApiError('rate_limited', sentences.tooFast(policy.rate, policy.name, wait), {
    headers: { ...headersOf(policy, bucket), 'retry-after': String(wait) },
  })
}
