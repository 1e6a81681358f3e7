/** Who runs PostgreSQL, which refuses to run as root. */

import { readFileSync, statSync } from 'node:fs'

export interface Account {
  readonly uid: number
  readonly gid: number
  /** Whether the process has to change to this account, because it is root. */
  readonly switches: boolean
  /** What whoever starts a program as this account tells the system. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/**
 * The account that PostgreSQL runs as: this process's own, or, as root, the cluster's or the data folder's owner, and
 * `nobody` where these are root's too.
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

/** initdb looks its own user up, so one without a name can not make a cluster. */
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
