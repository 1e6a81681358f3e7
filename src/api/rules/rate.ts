/** Rate limits: a bucket of tokens for each client, announced in the RateLimit header fields (httpapi draft 10). */

import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'

/** The RateLimit headers, which contain the number of requests that are left. */
export type RateHeaders = Readonly<Record<string, string>>

export interface Policy {
  readonly name: string
  /** Tokens that are added each second; 0 means no limit. */
  readonly rate: number
  /** Maximum number of tokens. */
  readonly burst: number
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** Seconds after which a client has no debt any more, however much its last requests cost. */
const DEBT_SECONDS = 3

/** Number of buckets above which full buckets are removed. */
const BUCKETS_MAX = 10_000

/** A limit for the requests of each client. This process counts alone: other processes of the service have their own limits. */
export class Limit {
  readonly #policy: Policy
  /** The buckets, the least recently used first. A client without a bucket has all of its tokens. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(policy: Policy) {
    this.#policy = policy
  }

  /**
   * Charges a request: one token, or the given number. With 0 tokens, only checks whether the client has one.
   *
   * @throws {ApiError} `rate_limited`, with Retry-After
   */
  take(client: string, time: Date, tokens = 1): RateHeaders {
    const { rate, burst } = this.#policy
    // A client that takes no token needs no bucket.
    if (rate === 0 || (tokens === 0 && !this.#buckets.has(client))) return {}
    const now = time.getTime()
    const bucket = this.#bucketOf(client, now)
    // If the clock was set back, the tokens stay as they are.
    const seconds = Math.max(0, now - bucket.filledAt) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * rate)
    bucket.filledAt = now
    const wait = Math.ceil((Math.max(1, tokens) - bucket.tokens) / rate)
    if (wait > 0) throw this.#rejection(bucket, wait)
    bucket.tokens -= tokens
    return this.#headersOf(bucket)
  }

  /** Charges more tokens after a request, or refunds some. A debt is paid back within three seconds. */
  charge(client: string, time: Date, tokens: number): void {
    const { rate, burst } = this.#policy
    const bucket = this.#bucketOf(client, time.getTime())
    bucket.tokens = Math.min(burst, Math.max(bucket.tokens - tokens, -DEBT_SECONDS * rate))
  }

  /**
   * Charges the milliseconds that a request took of the CPU and the database, beyond the time that one token pays for.
   * A client may use one second in each second. `earlier` is the part of the time that was charged before.
   */
  chargeTime(client: string, time: Date, milliseconds: number, earlier = 0): void {
    const tokensOf = (cost: number): number => Math.max(0, (cost * this.#policy.rate) / 1000 - 1)
    const tokens = tokensOf(milliseconds) - tokensOf(earlier)
    // Most requests cost no more than one token, and create no bucket.
    if (tokens > 0) this.charge(client, time, tokens)
  }

  /** Returns the bucket of a client, as the most recently used one. Removes full buckets if there are too many. */
  #bucketOf(client: string, now: number): Bucket {
    const { rate, burst } = this.#policy
    const bucket = this.#buckets.get(client) ?? { tokens: burst, filledAt: now }
    this.#buckets.delete(client)
    this.#buckets.set(client, bucket)
    for (const [each, { tokens, filledAt }] of this.#buckets) {
      // The loop ends at the first bucket that is not full, so that a call checks at most one bucket that it does not remove.
      const isFull = tokens + ((now - filledAt) / 1000) * rate >= burst
      if (this.#buckets.size <= BUCKETS_MAX || !isFull) break
      this.#buckets.delete(each)
    }
    return bucket
  }

  #headersOf({ tokens }: Bucket): RateHeaders {
    const { name, rate, burst } = this.#policy
    return {
      'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / rate)}`,
      ratelimit: `"${name}";r=${Math.floor(tokens)};t=${Math.ceil((burst - tokens) / rate)}`,
    }
  }

  #rejection(bucket: Bucket, wait: number): ApiError {
    const { name, rate } = this.#policy
    const headers = { ...this.#headersOf(bucket), 'retry-after': String(wait) }
    return new ApiError('rate_limited', sentences.tooFast(rate, name, wait), { headers })
  }
}

/** The limits of one process for the requests of bots. */
export class RateLimits {
  readonly #requests: Limit
  // Costs have their own buckets, so that they do not use up a bot's requests, even on a slow machine.
  readonly #costs: Limit
  readonly #uploads: Limit

  /** Creates limits of requests and uploads a second. A `rate` of 0 means no limit, for uploads too. */
  constructor(rate: number, uploadRate: number) {
    const policy = { name: 'requests', rate, burst: 2 * rate }
    this.#requests = new Limit(policy)
    this.#costs = new Limit(policy)
    this.#uploads = new Limit({ name: 'uploads', rate: rate === 0 ? 0 : uploadRate, burst: uploadRate })
  }

  /** Charges one request of a bot. With 0 `tokens`, only checks whether a request would be allowed. Throws `rate_limited`. */
  take(bot: string, isUpload: boolean, time: Date, tokens = 1): RateHeaders {
    this.#costs.take(bot, time, 0)
    const first = this.#requests.take(bot, time, tokens)
    if (!isUpload) return first
    // The headers of both limits are joined, because both header fields are lists.
    const second = Object.entries(this.#uploads.take(bot, time, tokens))
    return { ...first, ...Object.fromEntries(second.map(([name, item]) => [name, `${first[name]}, ${item}`])) }
  }

  /** Charges the milliseconds that a request took of the CPU and the database. `earlier` of them were charged before. */
  charge(bot: string, time: Date, milliseconds: number, earlier?: number): void {
    this.#costs.chargeTime(bot, time, milliseconds, earlier)
  }
}
