/**
 * The version of the dialect (§1 to §8) that this library reads and writes. It counts up where something that was valid
 * before reads as another tree, so that whoever stores messages knows which of them to look at again: 2 knows hard
 * formatting (§3.6).
 *
 * @example
 * dialectVersion // => 2
 */
export const dialectVersion: number = 2
