/**
 * Processes one request at a time on each connection. Node parses all that it reads, so a client that sends thousands of requests
 * without waiting would have all of them processed at the same time. Here, the parser gets small parts, and no part while
 * a complete request is processed. Meanwhile, the rest waits in the kernel.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { largeRequests } from '../../api/rules/scheduler.js'

/** A request and its response. */
export interface PendingRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Bytes that the parser gets at a time: at most about 50 requests. */
const PART_BYTES = 1024
/** Maximum bytes that all connections hold. Above this, a connection that sends more while it is busy ends. */
const HELD_BYTES_MAX = 16 * 2 ** 20
let heldBytes = 0
/** Maximum number of waiting requests of a connection. If the part in which a body ends contains more, the connection ends. */
const WAITING_MAX = 256
/** Milliseconds of parsing above which a part counts as slow: it may have chunks of one byte, or 50 requests. */
const SLOW_MILLISECONDS = 0.5

/** The number of connections that this process has accepted. */
let acceptedCount = 0

/**
 * Creates a function that returns whether connections were accepted since its last call. The queue of starting requests calls
 * it in each iteration of the event loop: Node accepts one connection per iteration, so a new client would wait for seconds,
 * after hundreds of others, if several requests started in each iteration.
 */
export function createArrivalCheck(): () => boolean {
  let lastCount = acceptedCount
  return () => {
    const isArriving = acceptedCount !== lastCount
    lastCount = acceptedCount
    return isArriving
  }
}

/** The requests of one connection. */
export class Connection {
  readonly #socket: Socket
  readonly #begin: (request: PendingRequest) => void
  readonly #parse: (bytes: Buffer) => void
  readonly #waiting: PendingRequest[] = []
  /** Bytes that the parser has not received yet. */
  readonly #held: Buffer[] = []
  #current: PendingRequest | null = null
  /** The bytes that had arrived when the connection last became idle. If there are more, a request is arriving. */
  #finishedBytes = 0
  /** The length of the next part of a body. The length is doubled until a part is slow. */
  #partBytes = PART_BYTES
  #isWaiting = false

  /** Takes over the bytes of a connection that Node's server has just accepted. */
  constructor(socket: Socket, begin: (request: PendingRequest) => void) {
    acceptedCount += 1
    this.#socket = socket
    this.#begin = begin
    // So far, the only listener is Node's own, which passes the bytes to the parser of Node's server.
    const [parse] = socket.listeners('data')
    this.#parse = (bytes) => parse?.call(socket, bytes)
    socket.removeAllListeners('data')
    socket.on('data', (bytes: Buffer) => {
      this.#held.push(bytes)
      heldBytes += bytes.length
      this.#feed()
      if (heldBytes > HELD_BYTES_MAX && this.#held.length > 0 && this.#isBusy()) socket.destroy()
    })
    socket.once('close', () => {
      for (const { length } of this.#held.splice(0)) heldBytes -= length
    })
    // Node resumes a connection for the next part of a body, and at the end of each request.
    socket.on('resume', () => this.#feed())
  }

  /** The request that is processed now. */
  get current(): PendingRequest | null {
    return this.#current
  }

  /** Whether no request is processed or arriving. For Node, a connection is idle even while its client still reads a response. */
  get isIdle(): boolean {
    return this.#current === null && this.#socket.bytesRead === this.#finishedBytes
  }

  /** Takes a request from the parser. */
  add(request: PendingRequest): void {
    if (this.#current === null) this.#start(request)
    else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(request)
    else this.#socket.destroy()
  }

  #start(request: PendingRequest): void {
    this.#current = request
    request.outgoing.once('close', () => {
      this.#current = null
      // The next request of a connection comes after the waiting requests of other connections.
      if (this.#waiting.length + this.#held.length > 0) setImmediate(() => this.#next())
      this.#noteIdle()
    })
    // The rest of a body may arrive after the response.
    request.incoming.once('close', () => this.#noteIdle())
    this.#begin(request)
  }

  /** Notes that everything so far is answered. The first part of a request that came with the one before it is lost at a stop. */
  #noteIdle(): void {
    const isFinished = this.#current === null && this.#waiting.length + this.#held.length === 0
    if (isFinished) this.#finishedBytes = this.#socket.bytesRead
  }

  #next(): void {
    const request = this.#waiting.shift()
    if (request !== undefined && !this.#socket.destroyed) this.#start(request)
    else this.#socket.resume()
  }

  #feed(): void {
    const heldChunks = this.#held
    while (this.#mayParse()) {
      const bytes = heldChunks.shift()
      if (bytes === undefined) return
      const length = Math.min(bytes.length, this.#current === null ? PART_BYTES : this.#partBytes)
      if (length < bytes.length) heldChunks.unshift(bytes.subarray(length))
      heldBytes -= length
      const start = performance.now()
      this.#parse(bytes.subarray(0, length))
      const isSlow = performance.now() - start > SLOW_MILLISECONDS
      this.#partBytes = isSlow ? PART_BYTES : Math.max(PART_BYTES, 2 * length)
      if (isSlow && !this.#isBusy() && !this.#socket.isPaused()) void this.#wait()
    }
    if (heldChunks.length > 0) this.#socket.pause()
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true
    await largeRequests.take(this.#socket.remoteAddress ?? '')
    this.#isWaiting = false
    this.#socket.resume()
  }

  #mayParse(): boolean {
    // After a connection has ended, Node uses its parser for another connection.
    if (this.#socket.destroyed) return false
    // Node pauses a connection whose body is not read as fast as it arrives.
    return !this.#isBusy() && !this.#isWaiting && !this.#socket.isPaused()
  }

  /** Whether a request has arrived completely and has no response yet. */
  #isBusy(): boolean {
    return this.#waiting.length > 0 || this.#current?.incoming.complete === true
  }
}
