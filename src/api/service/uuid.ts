/** UUIDv7 (RFC 9562): random, and in the order of their time. */

import { randomPart } from './random.js'

let latest = 0

/**
 * Makes an id. Within one process ids increase, also those of one millisecond: the sub-millisecond bits count them.
 *
 * @param time - what its first 48 bits say
 * @returns the id
 */
export function uuidAt(time: Date): string {
  // Twelve bits of counter behind the milliseconds, as the RFC's method 3 has them.
  latest = Math.max(latest + 1, time.getTime() * 4096)
  const bytes = Buffer.from(randomPart(16))
  bytes.writeUIntBE(Math.floor(latest / 4096), 0, 6)
  bytes.writeUInt16BE(0x7000 | (latest % 4096), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
