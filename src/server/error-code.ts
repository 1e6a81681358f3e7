/** What an error of the system, or of a driver, is known by. */

/**
 * Reads an error's code.
 *
 * @param error - what was caught
 * @returns its code, as `ENOENT` or `23505`; empty where it has none
 */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
