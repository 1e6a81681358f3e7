/** Share tokens: anyone who has the URL of a thread may read it. */

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
