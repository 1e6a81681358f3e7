/** One-time links with which people sign in to the pages. */

import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../api/rules/operations/people.js'
import type { Database } from '../store/database.js'
import { OperatorError } from './organizations.js'
import { operatorSql as sql } from './sql.js'

const VALID_MILLISECONDS = 15 * 60 * 1000

/**
 * Creates a link that signs a person in, once and within 15 minutes. Only the hash of its secret is stored. The link
 * names the organization, so that the hash can be found.
 */
export async function createSignInLink(
  database: Database,
  organization: string,
  email: string,
  siteUrl: string,
  now: Date,
): Promise<string> {
  const { rows } = await database.run<{ id: string }>('', sql.personByEmail, [organization, emailKey(email)])
  const userID = rows[0]?.id
  if (userID === undefined)
    throw new OperatorError(`no person has the e-mail address ${email}: see blockmark-server people list`)
  const secret = randomBytes(32)
  const hash = createHash('sha256').update(secret).digest()
  const expiresAt = new Date(now.getTime() + VALID_MILLISECONDS)
  await database.run('', sql.addLink, [organization, hash, userID, expiresAt])
  return `${siteUrl}/sign-in?link=${organization}.${secret.toString('base64url')}`
}
