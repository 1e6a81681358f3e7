/** Finds the bot of a request's API key. */

import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import { hashOfKey } from '../keys.js'
import type { Identity, Store } from '../store/store.js'

/** The challenge of a 401: at least one parameter must follow the scheme (RFC 6750, 3). */
const CHALLENGE = 'Bearer realm="blockmark"'

/** Returns the hash of the API key in an Authorization header; null if the header has no well-formed API key. */
export function keyHashOf(authorization: string | null): Buffer | null {
  return hashOfKey(keyOf(authorization) ?? '')
}

function keyOf(authorization: string | null): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

/** Finds the bot of an Authorization header. Throws `unauthorized`. */
export async function authenticate(
  authorization: string | null,
  { store, now }: { readonly store: Pick<Store, 'identify'>; readonly now: Date },
): Promise<Identity> {
  const keyHash = keyHashOf(authorization)
  const bot = keyHash === null ? null : await store.identify(keyHash, now)
  if (bot !== null && bot !== 'suspended') return bot
  const isInvalid = bot === null && keyOf(authorization) !== undefined
  throw new ApiError('unauthorized', bot === 'suspended' ? sentences.suspended : sentences.missingKey, {
    headers: { 'www-authenticate': isInvalid ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
  })
}
