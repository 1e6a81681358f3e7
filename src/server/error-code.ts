/** The codes of errors from the system and from drivers. */

/**
 * Reads an error's code.
 *
 * @param error - the value that was caught
 * @returns the code, for example `ENOENT` or `23505`; empty if the value has none
 */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
