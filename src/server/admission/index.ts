/**
 * Admission: every request passes here before it uses the database, the CPU or memory. A stranger is a sender without a
 * valid API key or session. `../README.md` describes the limits and their order. rate-limiter-flexible is not used,
 * because the buckets of the API exist already, write the RateLimit headers, and can be charged after a request.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../api/contract/errors.js'
import { PATH_PREFIX } from '../../api/contract/types.js'
import { keyHashOf } from '../../api/keys.js'
import { createLimit, type RateLimits } from '../../api/rules/rate.js'
import { FairQueue } from '../../api/rules/scheduler.js'
import type { RequestContext } from '../request-context.js'
import { sessionSecret } from '../session.js'
import type { SiteOptions } from '../site.js'
import { AdmittedRequest, type Known, type Limits, type Sender } from './admitted-request.js'
import { Bytes, bytesMax } from './bytes.js'
import { arrivals } from './connection.js'
import { networkOf } from './rates.js'
import { Slots } from './slots.js'

/** The tokens of a network for requests without a valid API key or session. */
const STRANGER_POLICY = { name: 'strangers', rate: 100, burst: 500 } as const
/** The tokens for an API key or session that is not known yet. They are refunded if it is valid. */
const UNKNOWN_COST = 10
/** Paths whose requests are delayed instead of rejected, because a proxy that gets no response takes the server out of service. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
/** A rejection comes after a pause and ends the connection, so that a flood needs many connections. */
const PAUSE_MILLISECONDS = 250
const PAUSED_MAX = 1000
/** Maximum number of API keys and sessions that are remembered as valid. */
const KNOWN_MAX = 10_000
/** Maximum number of requests, except of strangers, that start in one iteration of the event loop. */
const STARTS_MAX = 4
/** Maximum number of pages that are drawn at the same time. */
const DRAWN_MAX = 4

export interface AdmissionOptions extends Pick<SiteOptions, 'store' | 'siteUrl' | 'connections'> {
  /** The rate limits of bots. */
  readonly limits: RateLimits
  readonly slots: number
  /** Whether all requests of strangers cost tokens; otherwise only unknown API keys and sessions do. */
  readonly isLimited: boolean
}

/** The admission of one process. */
export class Admission implements Limits {
  readonly options: AdmissionOptions
  readonly slots: Slots
  readonly drawing: Slots = new Slots(DRAWN_MAX)
  readonly bytes: Bytes = new Bytes(bytesMax())
  readonly #starts = new FairQueue(STARTS_MAX, arrivals())
  // Fewer than of bots, whose requests need several iterations each.
  readonly #strangerStarts = new FairQueue(1, arrivals())
  readonly #strangers = createLimit(STRANGER_POLICY)
  /** The owners of API keys and sessions that were valid at their last use. */
  readonly #known = new Map<string, Known>()
  /** API keys and sessions whose first request is in progress. Further requests with the same one wait for the result. */
  readonly #asking = new Map<string, Promise<void>>()
  #paused = 0

  constructor(options: AdmissionOptions) {
    this.options = options
    this.slots = new Slots(options.slots, options.connections)
  }

  /**
   * Admits a request.
   *
   * @throws {ApiError} `rate_limited` if its network has used up its tokens
   */
  async enter(context: RequestContext): Promise<AdmittedRequest> {
    const { request, url } = context
    const credential = HEALTH.has(url.pathname) ? null : this.#credentialOf(context)
    const network = networkOf(request.address)
    let known = this.#known.get(credential ?? '')
    await (known === undefined ? this.#strangerStarts.take(network) : this.#starts.take(known.organization))
    if (known === undefined) {
      await this.#asking.get(credential ?? '')
      known = this.#known.get(credential ?? '')
    }
    const admitted = new AdmittedRequest(this, context, { credential, known, network })
    if (known === undefined) await this.#pay(admitted, context)
    return admitted
  }

  /** Remembers an API key or session that is valid and refunds its tokens, or forgets one that is no longer valid. */
  judge({ credential, network }: Sender, found: Known | null): void {
    if (credential === null) return
    const wasKnown = this.#known.delete(credential)
    if (found === null && wasKnown) this.#strangers.charge(network, UNKNOWN_COST)
    if (found !== null && !wasKnown) this.#strangers.charge(network, -UNKNOWN_COST)
    if (found === null) return
    // A map keeps the order of insertion: the first entry was not used for the longest time.
    const [oldest] = this.#known.size < KNOWN_MAX ? [] : this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(credential, found)
  }

  /** The hash of the API key or session that a request has; null if it has none. */
  #credentialOf(context: RequestContext): string | null {
    const isApi = context.url.pathname.startsWith(PATH_PREFIX)
    const session = isApi ? null : sessionSecret(this.options, context)
    const hash = keyHashOf(context.request.headers.get('authorization')) ?? session?.hash
    return hash === undefined ? null : Buffer.from(hash).toString('latin1')
  }

  async #pay({ sender, judged }: AdmittedRequest, { request, url, now }: RequestContext): Promise<void> {
    const { credential, network } = sender
    // A program that calls the service as a function limits its clients by itself.
    if (request.address === undefined || (credential === null && !this.options.isLimited)) return
    try {
      this.#strangers.take(network, now, credential === null ? 1 : UNKNOWN_COST)
    } catch (error) {
      const rejection = await this.#delayed(error)
      if (!HEALTH.has(url.pathname)) throw rejection
    }
    if (credential === null) return
    this.#asking.set(credential, judged)
    void judged.then(() => this.#asking.delete(credential))
  }

  async #delayed(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError)) return error
    if (this.#paused < PAUSED_MAX) {
      this.#paused += 1
      await sleep(PAUSE_MILLISECONDS)
      this.#paused -= 1
    }
    return new ApiError(error.code, error.message, { headers: { ...error.headers, connection: 'close' } })
  }
}
