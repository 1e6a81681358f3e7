/** Finds the first byte that is not UTF-8: the platform's decoders do not report its position. */

interface Sequence {
  readonly lead: readonly [from: number, to: number]
  /** The range of the second byte. All later bytes are 80–BF. */
  readonly second: readonly [from: number, to: number]
  readonly length: number
}

/** The well-formed sequences, from Table 3-7 of the Unicode Standard. Overlong forms and surrogates are not well-formed. */
const sequences: readonly Sequence[] = [
  { lead: [0x00, 0x7f], second: [0x00, 0x00], length: 1 },
  { lead: [0xc2, 0xdf], second: [0x80, 0xbf], length: 2 },
  { lead: [0xe0, 0xe0], second: [0xa0, 0xbf], length: 3 },
  { lead: [0xe1, 0xec], second: [0x80, 0xbf], length: 3 },
  { lead: [0xed, 0xed], second: [0x80, 0x9f], length: 3 },
  { lead: [0xee, 0xef], second: [0x80, 0xbf], length: 3 },
  { lead: [0xf0, 0xf0], second: [0x90, 0xbf], length: 4 },
  { lead: [0xf1, 0xf3], second: [0x80, 0xbf], length: 4 },
  { lead: [0xf4, 0xf4], second: [0x80, 0x8f], length: 4 },
]

/**
 * Finds the first byte that does not start a well-formed sequence.
 *
 * @param bytes - any bytes
 * @returns the offset of that byte; -1 if all bytes are UTF-8
 */
export function invalidByteAt(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const length = lengthAt(bytes, at)
    if (length === 0) return at
    at += length
  }
  return -1
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const sequence = sequences.find(({ lead }) => isIn(lead, bytes[at]))
  if (sequence === undefined) return 0
  for (let index = 1; index < sequence.length; index += 1) {
    if (!isIn(index === 1 ? sequence.second : [0x80, 0xbf], bytes[at + index])) return 0
  }
  return sequence.length
}

function isIn([from, to]: readonly [from: number, to: number], byte: number | undefined): boolean {
  return byte !== undefined && byte >= from && byte <= to
}
