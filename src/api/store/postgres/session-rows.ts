/** The rows of those who have signed in: see `store.ts` for what each means. */

import { timingSafeEqual } from 'node:crypto'
import type { Rows, SessionUser } from '../store.js'
import type { Scope } from './rows.js'

type SessionCalls = 'takeLink' | 'addSession' | 'session' | 'removeSession'

/**
 * Binds the statements of sessions.
 *
 * @param scope - how statements are run
 * @returns the calls
 */
export function sessionRows({ one, count }: Scope): Pick<Rows, SessionCalls> {
  return {
    takeLink: async (hash, now) => (await one<{ userID: string }>('takeLink', hash, now))?.userID ?? null,
    async addSession({ hash, userID, keyHash, expiresAt }) {
      await count('addSession', hash, userID, keyHash, expiresAt)
    },
    async session(hash, now) {
      const row = await one<SessionUser & { hash: Uint8Array }>('session', hash, now)
      if (row === null || !timingSafeEqual(row.hash, hash)) return null
      const { userID, userName, organizationName } = row
      return { userID, userName, organizationName }
    },
    async removeSession(hash) {
      await count('removeSession', hash)
    },
  }
}
