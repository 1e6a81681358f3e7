/** One request that was admitted: its caller, its slot at the database, its bytes and its cost. */

import { setImmediate as nextIteration } from 'node:timers/promises'
import { mediaTypeOf } from '../../api/rules/body.js'
import type { RateLimits } from '../../api/rules/rate.js'
import type { IncomingRequest, ServiceResponse } from '../../api/rules/types.js'
import type { RequestContext } from '../request-context.js'
import type { SiteRows, SiteStore } from '../site-store.js'
import type { Bytes } from './bytes.js'
import { type Caller, overloaded, type Slots } from './slots.js'

/** Memory for each byte of a JSON body: its bytes, its text and its values exist at the same time. */
const MEMORY_PER_BODY_BYTE = 4
/** Memory for the buffers of a streamed body or response. */
const STREAM_BYTES = 262_144
const LARGE_PART_BYTES = 16_384
/** Minimum size of a response that is counted. */
const SMALL_BYTES = 16_384

/** The owner of an API key or session. */
export interface Known {
  readonly organization: string
  readonly userID: string
}

/** The sender of a request. */
export interface Sender {
  /** The hash of the API key or session. */
  readonly credential: string | null
  /** The owner of the API key or session, if it was valid at its last use. */
  known: Known | undefined
  /** The IP address, or the /64 of an IPv6 address. */
  readonly network: string
}

/** The limits that all requests share. */
export interface Limits {
  readonly options: { readonly store: SiteStore; readonly limits: RateLimits }
  readonly slots: Slots
  readonly drawing: Slots
  readonly bytes: Bytes
  judge(sender: Sender, found: Known | null): void
}

/** A request that was admitted. It is also the store that the request uses: each use waits for a slot. */
export class AdmittedRequest implements SiteStore {
  readonly sender: Sender
  /** Resolves when the API key or session was looked up, or when the request ends. */
  readonly judged: Promise<void>
  readonly #admission: Limits
  readonly #context: RequestContext
  readonly #releases: (() => void)[] = []
  #isJudged: () => void = () => undefined
  #isClosed = false

  constructor(admission: Limits, context: RequestContext, sender: Sender) {
    this.#admission = admission
    this.#context = context
    this.sender = sender
    this.judged = new Promise((resolve) => {
      this.#isJudged = resolve
    })
    const { request, slices } = context
    request.onSent(() => {
      this.#isClosed = true
    })
    request.body = this.#counted(request)
    slices.check = () => this.#requireClient()
    slices.caller = this.#caller.name
  }

  /** Records whether the API key or session of the request is valid. */
  judge(found: Known | null): void {
    this.#admission.judge(this.sender, found)
    this.sender.known = found ?? undefined
    this.#context.slices.caller = this.#caller.name
    this.#isJudged()
  }

  async identify(keyHash: Uint8Array, now: Date): ReturnType<SiteStore['identify']> {
    // A bot that has used up its requests is rejected before the query.
    const { known } = this.sender
    if (known !== undefined) this.#admission.options.limits.check(known.userID, now)
    const found = await this.#query(() => this.#store.identify(keyHash, now))
    const bot = found === 'suspended' ? null : found
    this.#context.organization = bot?.organization ?? null
    this.#context.botID = bot?.botID ?? null
    this.judge(bot === null ? null : { organization: bot.organization, userID: bot.botID })
    return found
  }

  write<Result>(organization: string, work: (rows: SiteRows) => Promise<Result>): Promise<Result> {
    return this.#query(() => this.#store.write(organization, work))
  }

  read<Result>(organization: string, work: (rows: SiteRows) => Promise<Result>): Promise<Result> {
    return this.#query(() => this.#store.read(organization, work))
  }

  /** The rows of an organization. Each statement takes its own slot, so no slot is held while a page is drawn. */
  rows(organization: string): SiteRows {
    return this.#store.rows(organization, (work) => this.#query(work))
  }

  ready(): Promise<{ readonly clockAhead: number }> {
    return this.#store.ready()
  }

  /** Draws a page, or reads a part of a list: only a few callers do so at the same time. */
  draw<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inSlot(this.#admission.drawing, work, () => undefined)
  }

  /** Counts the bytes of a response until it has been sent. Throws `unavailable` if it does not fit. */
  hold(answer: ServiceResponse): ServiceResponse {
    const { body } = answer
    const size = body === null ? 0 : typeof body === 'string' || body instanceof Uint8Array ? body.length : STREAM_BYTES
    if (size < SMALL_BYTES) return answer
    const release = this.#admission.bytes.take(this.#caller, size)
    this.#context.request.onSent(release)
    return answer
  }

  /** Ends the request, when the response is ready. */
  leave(): void {
    this.#isJudged()
    for (const release of this.#releases) release()
  }

  get #store(): SiteStore {
    return this.#admission.options.store
  }

  get #caller(): Caller {
    const { known, network } = this.sender
    return known === undefined
      ? { name: `network ${network}`, isStranger: true }
      : { name: `organization ${known.organization}`, isStranger: false }
  }

  /** Runs a query, and charges the request for its share of the database's time. */
  #query<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inSlot(this.#admission.slots, work, (milliseconds) => {
      this.#context.slices.milliseconds += milliseconds
    })
  }

  async #inSlot<Result>(
    slots: Slots,
    work: () => Promise<Result>,
    onReleased: (milliseconds: number) => void,
  ): Promise<Result> {
    const given = slots.take(this.#caller)
    const slot = given instanceof Promise ? await given : given
    try {
      // No work is done if the client gave up while it waited.
      if (given instanceof Promise) this.#requireClient()
      return await work()
    } finally {
      onReleased(slot.release())
    }
  }

  #requireClient(): void {
    if (this.#isClosed) throw overloaded('CLIENT_GONE')
  }

  /** Returns the body of a request, whose bytes are counted until the request ends. */
  #counted({ body, headers }: IncomingRequest): IncomingRequest['body'] {
    if (body === null) return null
    const isStreamed = mediaTypeOf({ headers }) === 'multipart/form-data'
    const reserve = (bytes: number): void => {
      this.#releases.push(this.#admission.bytes.take(this.#caller, bytes))
    }
    // Reserved when the body is read, because its length was compared with the limit before that.
    const announced = isStreamed ? STREAM_BYTES : Number(headers.get('content-length') ?? 0) * MEMORY_PER_BODY_BYTE
    async function* parts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      if (announced > 0) reserve(announced)
      let left = announced === 0 ? 0 : Number.POSITIVE_INFINITY
      for await (const part of source) {
        left -= part.byteLength * MEMORY_PER_BODY_BYTE
        // More bytes are reserved than this part has, because the next parts may be small.
        if (left < 0) {
          reserve(STREAM_BYTES - left)
          left = STREAM_BYTES
        }
        yield part
        // Other requests run in between: a fast sender could otherwise occupy the event loop.
        if (part.byteLength >= LARGE_PART_BYTES) await nextIteration()
      }
    }
    return parts(body)
  }
}
