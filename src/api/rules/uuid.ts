/** UUIDv7 (RFC 9562): random, and in the order of their time. */

import { randomBytes } from 'node:crypto'

/** Maximum of a time with its counter, reached in 2039: a larger number is not exact. */
const LATEST_MAX = Number.MAX_SAFE_INTEGER

/**
 * Creates an id that sorts after an earlier one, also within one millisecond, and if the clock was set back.
 *
 * @param latest - the latest id; text that is not a UUIDv7 is ignored
 */
export function nextUUID(latest: string, time: Date): string {
  const [, high = '', low = ''] = /^([\da-f]{8}-[\da-f]{4})-7([\da-f]{3})-/.exec(latest) ?? []
  const known = Number.parseInt(high.replace('-', ''), 16) * 4096 + Number.parseInt(low, 16)
  // Twelve bits of counter after the milliseconds (RFC 9562, method 3).
  const stamp = Math.max(time.getTime() * 4096, known < LATEST_MAX ? known + 1 : 0)
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.floor(stamp / 4096), 0, 6)
  bytes.writeUInt16BE(0x7000 | (stamp % 4096), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
