/**
 * Admission: every request passes here before it uses the database, the CPU or memory. A stranger is a sender without a
 * valid API key or session. `../README.md` describes the limits and their order. rate-limiter-flexible is not used,
 * because the buckets of the API exist already, write the RateLimit headers, and can be charged after a request.
 */

import { totalmem } from 'node:os'
import { Readable } from 'node:stream'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../api/contract/errors.js'
import { mediaTypeOf } from '../../api/rules/body.js'
import { Limit } from '../../api/rules/rate.js'
import { FairQueue } from '../../api/rules/scheduler.js'
import type { IncomingRequest, ServiceResponse } from '../../api/rules/types.js'
import { networkOf } from '../http/request.js'
import type { ReceivedRequest, SiteOptions } from '../request-context.js'
import type { SiteRows, SiteStore } from '../site-store.js'
import { createArrivalCheck } from './connection.js'
import { type Caller, overloaded, Slots } from './slots.js'

/** The rate limit of a network for requests without a valid API key or session. */
const STRANGER_POLICY = { name: 'strangers', rate: 100, burst: 500 } as const
/** Tokens of this limit that a request with an unknown API key or session costs. They are refunded if the key or session is valid. */
const UNKNOWN_COST = 10
/** Paths whose requests are delayed instead of rejected: if a health check fails, a proxy takes the server out of service. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
/** Milliseconds before a rejection, which ends the connection, so that a flood needs many connections. */
const PAUSE_MILLISECONDS = 250
/** Maximum number of rejections that are paused at the same time. Further ones are sent immediately. */
const PAUSED_MAX = 1000
/** Maximum number of API keys and sessions that are remembered as valid. */
const OWNERS_MAX = 10_000
/** Maximum number of requests with a valid API key or session that start in one iteration of the event loop. */
const STARTS_MAX = 4
/** Maximum number of pages and parts of lists that are drawn or read at the same time. */
const DRAWN_MAX = 4
/** Bytes of memory for each byte of a JSON body: its bytes, its text and its values exist at the same time. */
const MEMORY_PER_BODY_BYTE = 4
/** Bytes of memory for the buffers of a streamed body or response. */
const STREAM_BUFFER_BYTES = 262_144
const LARGE_PART_BYTES = 16_384
/** Minimum size of a response that is counted. */
const COUNTED_BYTES_MIN = 16_384

/** The owner of an API key or session. */
export interface CredentialOwner {
  readonly organization: string
  readonly userID: string
}

/** The admission of one process. */
export class Admission {
  readonly store: SiteStore
  readonly slots: Slots
  readonly drawSlots: Slots = new Slots(DRAWN_MAX)
  readonly bytes: Bytes = new Bytes(bytesMax())
  /** Whether all requests of strangers cost tokens; otherwise only requests with an unknown API key or session do. */
  readonly #isLimited: boolean
  readonly #startQueue = new FairQueue(STARTS_MAX, createArrivalCheck())
  // One stranger's request starts per iteration, so that a flood leaves most of each iteration to the requests of bots.
  readonly #strangerQueue = new FairQueue(1)
  readonly #strangerLimit = new Limit(STRANGER_POLICY)
  /** The owners of API keys and sessions that were valid at their last use. */
  readonly #owners = new Map<string, CredentialOwner>()
  /** API keys and sessions whose first request is in progress. Further requests with them wait for the result. */
  readonly #lookups = new Map<string, Promise<void>>()
  #paused = 0

  constructor({ store, connections, openConnections, rateLimit }: SiteOptions) {
    this.store = store
    this.slots = new Slots(connections, openConnections)
    this.#isLimited = rateLimit !== 0
  }

  /**
   * Admits a request, as soon as its network or organization may start another one.
   *
   * @throws {ApiError} `rate_limited` if the network of the request has used up its tokens
   */
  async enter(request: AdmittedRequest): Promise<void> {
    const { network } = request
    const credential = request.credential ?? ''
    const earlier = this.#owners.get(credential)
    await (earlier === undefined ? this.#strangerQueue.take(network) : this.#startQueue.take(earlier.organization))
    if (earlier === undefined) await this.#lookups.get(credential)
    // The owner is read again, because another request may have found meanwhile that the API key or session is valid, or not.
    const owner = this.#owners.get(credential)
    if (owner === undefined) await this.#pay(request)
    else request.recordOwner(owner)
  }

  /**
   * Remembers a valid API key or session, and refunds the tokens that the network paid if it was unknown. Forgets an API key or
   * session that is no longer valid, and charges the network.
   */
  recordOwner({ credential, network, received }: AdmittedRequest, owner: CredentialOwner | null): void {
    if (credential === null) return
    const wasKnown = this.#owners.delete(credential)
    if (owner === null && wasKnown) this.#strangerLimit.charge(network, received.now, UNKNOWN_COST)
    if (owner !== null && !wasKnown) this.#strangerLimit.charge(network, received.now, -UNKNOWN_COST)
    if (owner === null) return
    // A map keeps the order of insertion: the first entry is the least recently used.
    const [oldest] = this.#owners.size < OWNERS_MAX ? [] : this.#owners.keys()
    if (oldest !== undefined) this.#owners.delete(oldest)
    this.#owners.set(credential, owner)
  }

  async #pay({ received: { request, url, now }, credential, network, lookupEnded }: AdmittedRequest): Promise<void> {
    // Requests without an address are free: a program that calls the service as a function limits its clients itself.
    if (request.address === undefined || (credential === null && !this.#isLimited)) return
    try {
      this.#strangerLimit.take(network, now, credential === null ? 1 : UNKNOWN_COST)
    } catch (error) {
      const rejection = await this.#createRejection(error)
      if (!HEALTH.has(url.pathname)) throw rejection
    }
    if (credential === null) return
    this.#lookups.set(credential, lookupEnded)
    void lookupEnded.then(() => this.#lookups.delete(credential))
  }

  async #createRejection(error: unknown): Promise<unknown> {
    if (!(error instanceof ApiError)) return error
    if (this.#paused < PAUSED_MAX) {
      this.#paused += 1
      await sleep(PAUSE_MILLISECONDS)
      this.#paused -= 1
    }
    return new ApiError(error.code, error.message, { headers: { ...error.headers, connection: 'close' } })
  }
}

/** A request in progress, with the parts of the service that it uses. */
export interface RequestContext extends ReceivedRequest {
  readonly store: AdmittedRequest
}

/** The admission of one request. It is also the store that the request uses: each use waits for a slot. */
export class AdmittedRequest implements Omit<SiteStore, 'ready'> {
  readonly received: ReceivedRequest
  /** The hash of the API key or session; null if the request has neither, or if it is a health check. */
  readonly credential: string | null
  /** The IP address, or the /64 of an IPv6 address. */
  readonly network: string
  /** Resolves when the API key or session was looked up, or when the request ends. */
  readonly lookupEnded: Promise<void>
  readonly #admission: Admission
  readonly #releases: (() => void)[] = []
  /** The owner of the API key or session, if it was valid at its last use. */
  #owner: CredentialOwner | undefined
  #endLookup: () => void = () => undefined
  #isClosed = false

  /** @param credential - the hash of the API key or session; null if the request has neither */
  constructor(admission: Admission, received: ReceivedRequest, credential: string | null) {
    const { request, slices, url } = received
    this.#admission = admission
    this.received = received
    this.credential = HEALTH.has(url.pathname) ? null : credential
    this.network = networkOf(request.address)
    this.lookupEnded = new Promise((resolve) => {
      this.#endLookup = resolve
    })
    request.onSent(() => {
      this.#isClosed = true
    })
    request.body = this.#countedBody(request)
    slices.check = () => this.#requireClient()
    slices.caller = this.#caller.name
  }

  /** Records whether the API key or session of the request is valid. */
  recordOwner(owner: CredentialOwner | null): void {
    this.#admission.recordOwner(this, owner)
    this.#owner = owner ?? undefined
    this.received.slices.caller = this.#caller.name
    this.#endLookup()
  }

  async identify(keyHash: Uint8Array, now: Date): ReturnType<SiteStore['identify']> {
    // Only the first query of a request checks the limit, so that a bot that has used up its requests is rejected before it.
    if (this.#owner !== undefined && this.received.botID === null)
      this.received.limits.take(this.#owner.userID, false, now, 0)
    const identity = await this.#query(() => this.#admission.store.identify(keyHash, now))
    const bot = identity === 'suspended' ? null : identity
    this.received.organization = bot?.organization ?? null
    this.received.botID = bot?.botID ?? null
    this.recordOwner(bot === null ? null : { organization: bot.organization, userID: bot.botID })
    return identity
  }

  write<Result>(organization: string, work: (rows: SiteRows) => Promise<Result>): Promise<Result> {
    return this.#query(() => this.#admission.store.write(organization, work))
  }

  /** Returns the queries for an organization's rows. Each statement takes its own slot, so no slot is held while a page is drawn. */
  rows(organization: string): SiteRows {
    return this.#admission.store.rows(organization, (work) => this.#query(work))
  }

  /** Draws a page, or reads a part of a list: only a few callers do so at the same time. */
  draw<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inSlot(this.#admission.drawSlots, work, () => undefined)
  }

  /** Counts the bytes of a large response until it has been sent. Throws `unavailable` if it does not fit into the budget. */
  hold(response: ServiceResponse): ServiceResponse {
    const { body } = response
    const isStream = body instanceof Readable || body instanceof ReadableStream
    const size = isStream ? STREAM_BUFFER_BYTES : (body?.length ?? 0)
    if (size < COUNTED_BYTES_MIN) return response
    try {
      this.received.request.onSent(this.#admission.bytes.take(this.#caller, size))
    } catch (error) {
      // A stream that nothing reads would keep its file open.
      if (body instanceof Readable) body.destroy()
      if (body instanceof ReadableStream) body.cancel().catch(() => undefined)
      throw error
    }
    return response
  }

  /** Called when the response is ready. Releases the bytes of the request's body. */
  leave(): void {
    this.#endLookup()
    for (const release of this.#releases) release()
  }

  get #caller(): Caller {
    return this.#owner === undefined
      ? { name: `network ${this.network}`, isStranger: true }
      : { name: `organization ${this.#owner.organization}`, isStranger: false }
  }

  /** Runs a query, and charges the request for its share of the database's time. */
  #query<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inSlot(this.#admission.slots, work, (milliseconds) => {
      this.received.slices.milliseconds += milliseconds
    })
  }

  async #inSlot<Result>(
    slots: Slots,
    work: () => Promise<Result>,
    onReleased: (milliseconds: number) => void,
  ): Promise<Result> {
    const waiting = slots.take(this.#caller)
    const release = waiting instanceof Promise ? await waiting : waiting
    try {
      // No work is done if the client gave up while it waited.
      if (waiting instanceof Promise) this.#requireClient()
      return await work()
    } finally {
      onReleased(release())
    }
  }

  #requireClient(): void {
    if (this.#isClosed) throw overloaded('CLIENT_GONE')
  }

  /** Returns the body of a request, whose bytes are counted until the request ends. */
  #countedBody({ body, headers }: IncomingRequest): IncomingRequest['body'] {
    if (body === null) return null
    const isStreamed = mediaTypeOf({ headers }) === 'multipart/form-data'
    const reserve = (bytes: number): void => {
      this.#releases.push(this.#admission.bytes.take(this.#caller, bytes))
    }
    // Memory is reserved when the body is read, because a body over the size limit is rejected before that.
    const announcedBytes = isStreamed
      ? STREAM_BUFFER_BYTES
      : Number(headers.get('content-length') ?? 0) * MEMORY_PER_BODY_BYTE
    async function* parts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      if (announcedBytes > 0) reserve(announcedBytes)
      let bytesLeft = announcedBytes === 0 ? 0 : Number.POSITIVE_INFINITY
      for await (const part of source) {
        bytesLeft -= part.byteLength * MEMORY_PER_BODY_BYTE
        // More bytes are reserved than this part has, so that small parts do not each need a reservation.
        if (bytesLeft < 0) {
          reserve(STREAM_BUFFER_BYTES - bytesLeft)
          bytesLeft = STREAM_BUFFER_BYTES
        }
        yield part
        // Other requests run in between: a fast sender could otherwise occupy the event loop.
        if (part.byteLength >= LARGE_PART_BYTES) await nextIteration()
      }
    }
    return parts(body)
  }
}

const MEBIBYTE = 2 ** 20

/** Returns a quarter of the memory that the process may use, at most 256 MiB. */
function bytesMax(): number {
  // If the process has no limit, `constrainedMemory` returns 0, or a number far above the memory of any machine.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(256 * MEBIBYTE, Math.min(limit, totalmem()) / 4)
}

/** The memory budget of one process for the bodies of requests and responses. */
export class Bytes {
  readonly #budget: number
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  /**
   * Reserves bytes for a caller. One caller gets at most a quarter of the budget, but a caller that holds nothing may
   * reserve more. Once the budget is exceeded, a caller may hold at most an equal share of it, so callers that hold much cannot
   * exclude the others.
   *
   * @returns the function that gives the bytes back
   * @throws {StoreError} `unavailable` if the bytes do not fit
   */
  take({ name }: Caller, bytes: number): () => void {
    const held = this.#held.get(name) ?? 0
    const isWithinBudget = this.#total + bytes <= this.#budget
    // Within the budget, a caller that holds nothing may exceed its share: one large body would never fit otherwise.
    const share = isWithinBudget ? this.#budget / 4 : this.#budget / (this.#held.size + 1)
    if (held + bytes > share && !(isWithinBudget && held === 0)) throw overloaded('BYTES_FULL')
    this.#change(name, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#change(name, -bytes)
      isHeld = false
    }
  }

  #change(name: string, bytes: number): void {
    const held = (this.#held.get(name) ?? 0) + bytes
    this.#total += bytes
    if (held === 0) this.#held.delete(name)
    else this.#held.set(name, held)
  }
}
