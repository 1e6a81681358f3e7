/** People that a request names by id or e-mail address. */

import { ApiError, type Detail } from '../../contract/errors.js'
import { detail } from '../../contract/schema.js'
import { limits } from '../../contract/schemas.js'
import type { People } from '../../contract/types.js'
import type { Rows } from '../../store/store.js'

/**
 * Checks that a body names no more people than it may; each of the two lists has the same limit in the schema.
 *
 * @param body - a request's body, as its schema read it
 * @returns the problem, where there is one
 */
export function checkPeople(body: unknown): Detail[] {
  if (typeof body !== 'object' || body === null) return []
  const { userIDs, emails }: { userIDs?: unknown; emails?: unknown } = body
  const actual = (Array.isArray(userIDs) ? userIDs.length : 0) + (Array.isArray(emails) ? emails.length : 0)
  if (actual <= limits.people) return []
  const problem = detail(['userIDs'], 'too_long', `and emails take at most ${limits.people} together`)
  return [{ ...problem, limit: limits.people, actual }]
}

/**
 * Finds the people that a request names.
 *
 * @param rows - the organization
 * @param people - their ids and e-mail addresses
 * @returns their ids, each once
 * @throws {ApiError} `user_not_found` with every unknown one
 */
export async function resolvePeople(rows: Rows, { userIDs = [], emails = [] }: People): Promise<Set<string>> {
  if (userIDs.length + emails.length === 0) return new Set()
  const found = await rows.usersBy(userIDs, emails.map(emailKey))
  const ids = new Set(found.map((user) => user.id))
  const keys = new Set(found.map((user) => user.emailKey))
  const unknown = [
    ...problems('userIDs', userIDs, (id) => ids.has(id)),
    ...problems('emails', emails, (email) => keys.has(emailKey(email))),
  ]
  if (unknown.length > 0) {
    throw new ApiError('user_not_found', 'Name only members of the organization; see details.', { details: unknown })
  }
  return ids
}

function problems(field: string, given: readonly string[], isKnown: (value: string) => boolean): Detail[] {
  return given.flatMap((value, index) =>
    isKnown(value) ? [] : [detail([field, index], 'user_not_found', 'is nobody in this organization')],
  )
}

/**
 * What an e-mail address is compared by.
 *
 * @param email - as it was written
 * @returns the key
 */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
