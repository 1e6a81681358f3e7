/** One-time links by which people sign in to the pages. */

import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../api/service/operations/people.js'
import type { Database } from '../postgres/database.js'
import { OperatorError } from './organizations.js'
import { operatorSql as sql } from './sql.js'

const VALID_MILLISECONDS = 15 * 60 * 1000

/**
 * Makes a link that signs a person in, once, within 15 minutes. Only a hash of its secret is stored; the organization
 * is part of it, so that it can be found.
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
  if (userID === undefined) throw new OperatorError(`${email} is nobody in this organization, or a bot`)
  const secret = randomBytes(32)
  const hash = createHash('sha256').update(secret).digest()
  const expiresAt = new Date(now.getTime() + VALID_MILLISECONDS)
  await database.run('', sql.addLink, [organization, hash, userID, expiresAt])
  return `${siteUrl}/sign-in?link=${organization}.${secret.toString('base64url')}`
}
