/** Rate limits: a bucket of tokens for each bot, announced as the RateLimit header fields (httpapi draft 10) have it. */

import { ApiError } from '../contract/errors.js'

/** What a request may still do, as headers. */
export type RateHeaders = Readonly<Record<string, string>>

export interface RateLimits {
  /**
   * Takes one request of a bot into account.
   *
   * @throws {ApiError} `rate_limited`, with Retry-After
   */
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

/**
 * Makes the limits of one process.
 *
 * @param rate - requests a second, twice as many at once; 0 for no limit
 * @param uploadRate - uploads a second; 0 for no limit
 * @returns the limits
 */
export function createRateLimits(rate: number, uploadRate: number): RateLimits {
  const requests = rate === 0 ? null : createLimit({ name: 'requests', rate, burst: 2 * rate })
  // A limit that is switched off is off for everything.
  const isUploadLimited = rate !== 0 && uploadRate !== 0
  const uploads = isUploadLimited ? createLimit({ name: 'uploads', rate: uploadRate, burst: uploadRate }) : null
  return {
    take(bot, isUpload, now) {
      const first = requests?.(bot, now.getTime()) ?? {}
      const second = isUpload ? uploads?.(bot, now.getTime()) : undefined
      return second === undefined ? first : bothOf(first, second)
    },
  }
}

/** The two header fields are lists of limits. */
function bothOf(first: RateHeaders, second: RateHeaders): RateHeaders {
  return Object.fromEntries(Object.entries(second).map(([name, item]) => [name, `${first[name]}, ${item}`]))
}

function createLimit(policy: Policy): (bot: string, now: number) => RateHeaders {
  const buckets = new Map<string, Bucket>()
  return (bot, now) => {
    const bucket = buckets.get(bot) ?? { tokens: policy.burst, filledAt: now }
    // A clock that is set back adds nothing, and takes nothing away.
    const seconds = Math.max(0, now - bucket.filledAt) / 1000
    bucket.tokens = Math.min(policy.burst, bucket.tokens + seconds * policy.rate)
    bucket.filledAt = now
    // A map keeps the order in which it was filled: the bot that was away longest is the first.
    buckets.delete(bot)
    buckets.set(bot, bucket)
    forgetFull(buckets, policy, now)
    if (bucket.tokens < 1) throw tooMany(policy, bucket)
    bucket.tokens -= 1
    return headersOf(policy, bucket)
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
  return new ApiError('rate_limited', `This bot sends more than ${policy.rate} ${policy.name} a second; slow down.`, {
    headers: { ...headersOf(policy, bucket), 'retry-after': String(wait) },
  })
}
