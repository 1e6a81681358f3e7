/** Share tokens: anyone who has the URL of a thread with its share token may read the thread. */

import { randomBytes } from 'node:crypto'

/** Number of random bytes of a secret, which is so large that share links cannot be guessed. */
const SECRET_BYTES = 16
/** Random bytes for up to 256 secrets. All are created at once, because one secret alone takes about as long. */
let unusedBytes = Buffer.alloc(0)

/** Creates the secret of a new thread. */
export function createSecret(): string {
  if (unusedBytes.length === 0) unusedBytes = randomBytes(256 * SECRET_BYTES)
  const bytes = unusedBytes.subarray(0, SECRET_BYTES)
  unusedBytes = unusedBytes.subarray(SECRET_BYTES)
  return bytes.toString('base64url')
}

/** The parts of a share token. */
export interface ShareToken {
  /** The organization that the token names. */
  readonly organization: string
  /** The secret of the thread, which the store contains. */
  readonly secret: string
}

/** Writes a share token: the organization's UUID in 22 characters, then the secret of the thread. */
export function shareTokenOf(organization: string, secret: string): string {
  return Buffer.from(organization.replaceAll('-', ''), 'hex').toString('base64url') + secret
}

/** Parses the share token of a URL. Returns null if the text is not a share token. */
export function readShareToken(text: string | null): ShareToken | null {
  const [, start, secret] = /^([\w-]{22})([\w-]{22})$/.exec(text ?? '') ?? []
  if (start === undefined || secret === undefined) return null
  const digits = Buffer.from(start, 'base64url').toString('hex')
  return { organization: digits.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), secret }
}
