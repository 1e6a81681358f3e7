/** What a client, and each of its calls, is told. */

import type { Source } from '../../index.js'
import type { ChannelTarget, ChatTarget } from '../contract/types.js'
import type { Limit } from './limits.js'
import type { OnProgress } from './upload.js'

export interface ClientOptions {
  /** Where the service is, as `https://messages.example.com`. */
  baseUrl: string | URL
  apiKey: string
  /** Takes the place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch
  /** How often a call is tried again (default 4) where that can not do anything twice. */
  retries?: number
  /** The milliseconds that each attempt may take (default 30,000); uploads take what they need. */
  timeout?: number
  /** Told when a rate limit is reached, and how long calls wait. */
  onLimit?: (limit: Limit) => void
}

/** What any call takes beside its body. */
export interface CallOptions {
  /** Ends the call at any moment. */
  signal?: AbortSignal
  /** The milliseconds that each attempt may take. */
  timeout?: number
}

/** What a call that changes something takes. */
export interface PostOptions extends CallOptions {
  /** One of your own makes the call safe to repeat in another process, for 24 hours; by default each call has a new one. */
  idempotencyKey?: string
}

export interface UploadOptions extends PostOptions {
  /** What the file is called; by default what its source calls it. */
  name?: string
  /** Told how far it is, where the file comes from a path or a stream. */
  onProgress?: OnProgress
}

export interface PostThread extends ChannelTarget {
  blocks: Source
}

export interface PostComment {
  threadID: string
  /** The comment that is replied to. */
  parentID?: string
  blocks: Source
}

export interface PostChatMessage extends ChatTarget {
  body: Source
}
