/** The account that runs PostgreSQL, which refuses to run as root. */

import { readFileSync, statSync } from 'node:fs'

export interface Account {
  readonly uid: number
  readonly gid: number
  /** Whether the process must change to this account because it is root. */
  readonly switches: boolean
  /** The options to start a program as this account. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/**
 * Finds the account that runs PostgreSQL: the one of this process. For root, it is the owner of the cluster or of the
 * data folder, or the account `nobody` if root owns both.
 */
export function accountFor(candidates: readonly string[]): Account {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  if (uid !== 0) return { uid, gid, switches: false, identity: {} }
  for (const folder of candidates) {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found !== undefined && found.uid !== 0 && isKnown(found.uid)) {
      return switchedTo(found)
    }
  }
  return switchedTo(nobody())
}

function switchedTo({ uid, gid }: Pick<Account, 'uid' | 'gid'>): Account {
  return { uid, gid, switches: true, identity: { uid, gid } }
}

/** initdb looks up the name of its user, so a user without a name cannot create a cluster. */
function isKnown(uid: number): boolean {
  return passwd().some((entry) => entry[2] === String(uid))
}

function nobody(): { uid: number; gid: number } {
  const entry = passwd().find(([name]) => name === 'nobody')
  return { uid: Number(entry?.[2] ?? 65534), gid: Number(entry?.[3] ?? 65534) }
}

function passwd(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch {
    return []
  }
}
