/** Where contents are kept, by their hash and organization: a folder, or an S3-compatible service. */

import type { ByteRange } from '../service/options.js'

/** A content that has arrived and is not yet kept. */
export interface Arrived {
  /** SHA-256, in hexadecimal. */
  readonly hash: string
  readonly size: number
  /** Keeps it for good, durably; what is there already is replaced by the same. */
  keep(): Promise<void>
  discard(): Promise<void>
}

export interface ContentStorage {
  /** Takes a content in as it comes, whatever its size; an error of the source leaves nothing behind. */
  receive(organization: string, source: AsyncIterable<Uint8Array>): Promise<Arrived>
  open(organization: string, hash: string, range: ByteRange | null): Promise<ReadableStream<Uint8Array>>
  /** Removes a content; one that is not there is no error. */
  remove(organization: string, hash: string): Promise<void>
  ready(): Promise<void>
}
