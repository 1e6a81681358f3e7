/** The storage of file data by hash and organization: a folder, or an S3-compatible service. */

import type { ReceivedFile } from '../../api/rules/types.js'

/** File data that has arrived and is not yet stored. */
export type ReceivedData = Pick<ReceivedFile, 'hash' | 'size' | 'keep' | 'discard'>

/** The first and the last byte of a part, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ContentStorage {
  /** Receives file data of any size as it arrives; nothing remains after an error of the source. */
  receive(organization: string, source: AsyncIterable<Uint8Array>): Promise<ReceivedData>
  /** Opens file data, or a part of it. */
  open(organization: string, hash: string, range: ByteRange | null): Promise<ReadableStream<Uint8Array>>
  /** Removes file data, if it exists. */
  remove(organization: string, hash: string): Promise<void>
  /** Resolves if the storage accepts file data. */
  ready(): Promise<unknown>
}
