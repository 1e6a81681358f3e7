/**
 * The version of the dialect (§1 to §8) that this library reads and writes. After the first publication it increases
 * whenever a string parses to a different tree than before, so that services know which stored messages to check.
 *
 * @example
 * dialectVersion // => 1
 */
export const dialectVersion: number = 1
