/** UUIDv7 (RFC 9562): random, and in the order of their time. */

import { randomBytes } from 'node:crypto'

/** A sequence of ids, in ascending order. */
export interface UUIDs {
  /** Makes an id that sorts after all earlier ones, also within one millisecond. */
  at(time: Date): string
  /** Makes all further ids sort after a known one, even if the clock was set back. */
  continueAfter(id: string): void
}

/** Maximum of a time with its counter, reached in 2039: a larger number is not exact. */
const LATEST_MAX = Number.MAX_SAFE_INTEGER

export function createUUIDs(): UUIDs {
  let latest = 0
  return {
    at(time) {
      // Twelve bits of counter after the milliseconds (RFC 9562, method 3).
      latest = Math.max(latest + 1, time.getTime() * 4096)
      const bytes = randomBytes(16)
      bytes.writeUIntBE(Math.floor(latest / 4096), 0, 6)
      bytes.writeUInt16BE(0x7000 | (latest % 4096), 6)
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
      return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
    continueAfter(id) {
      const digits = /^([\da-f]{8}-[\da-f]{4}-7[\da-f]{3})-/.exec(id)?.[1]?.replaceAll('-', '') ?? ''
      // Text that is not a UUIDv7 is ignored.
      const known = Number.parseInt(digits.slice(0, 12), 16) * 4096 + Number.parseInt(digits.slice(13), 16)
      if (known > latest && known < LATEST_MAX) latest = known
    },
  }
}

/** The sequence of all ids of this process. */
export const uuids: UUIDs = createUUIDs()
