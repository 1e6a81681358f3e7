/** UUIDv7 (RFC 9562): random, and in the order of their time. */

import { randomBytes } from 'node:crypto'

let latest = 0

/** So far a time and its counter are one exact number: until 2039. */
const LATEST_MAX = Number.MAX_SAFE_INTEGER

/** Lets the ids that follow be behind one that is known, however the clock was set since. */
export function continueAfter(id: string): void {
  const [, high = '', low = '', count = ''] = /^([\da-f]{8})-([\da-f]{4})-7([\da-f]{3})-/.exec(id) ?? []
  const known = Number.parseInt(high + low, 16) * 4096 + Number.parseInt(count, 16)
  if (known > latest && known < LATEST_MAX) latest = known
}

/** Makes an id. Within one process ids increase, also those of one millisecond: the sub-millisecond bits count them. */
export function uuidAt(time: Date): string {
  // Twelve bits of counter behind the milliseconds, as the RFC's method 3 has them.
  latest = Math.max(latest + 1, time.getTime() * 4096)
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.floor(latest / 4096), 0, 6)
  bytes.writeUInt16BE(0x7000 | (latest % 4096), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
