/** People that a request names by id or e-mail address. */

import { ApiError, type Detail } from '../../contract/errors.js'
import { detail } from '../../contract/schema.js'
import { fieldSentences as say, sentences } from '../../contract/sentences.js'
import type { People } from '../../contract/types.js'
import { limits } from '../../contract/types.js'
import type { Rows } from '../../store/store.js'

/** Checks the number of people in both lists of a body together; the schema checks each list. */
export function checkPeople(body: object): Detail[] {
  const { userIDs, emails }: { userIDs?: unknown; emails?: unknown } = body
  const actual = (Array.isArray(userIDs) ? userIDs.length : 0) + (Array.isArray(emails) ? emails.length : 0)
  if (actual <= limits.people) return []
  const sentence = (name: string): string => say.tooManyPeople(name, limits.people, actual)
  return [detail(['userIDs'], 'too_long', sentence, { limit: limits.people, actual })]
}

/** Finds the people that a request names, each once. Throws `user_not_found` with every unknown one. */
export async function resolvePeople(rows: Rows, { userIDs = [], emails = [] }: People): Promise<Set<string>> {
  if (userIDs.length + emails.length === 0) return new Set()
  const emailKeys = emails.map(emailKey)
  const found = await rows.usersBy(userIDs, emailKeys)
  const ids = new Set(found.map((user) => user.id))
  const keys = new Set(found.map((user) => user.emailKey))
  const unknown = [
    ...problems('userIDs', userIDs, (id) => ids.has(id)),
    ...problems('emails', emails, (_, index) => keys.has(emailKeys[index] ?? '')),
  ]
  if (unknown.length > 0) throw new ApiError('user_not_found', sentences.strangers, { details: unknown })
  return ids
}

function problems(
  field: string,
  given: readonly string[],
  isKnown: (value: string, index: number) => boolean,
): Detail[] {
  return given.flatMap((value, index) =>
    isKnown(value, index) ? [] : [detail([field, index], 'user_not_found', say.stranger)],
  )
}

/**
 * Returns the key by which e-mail addresses are compared. Sorting successive combining marks takes time quadratic in their
 * number, so an address may have only as many as the Stream-Safe Text Format allows (UAX #15, 13).
 */
export function emailKey(email: string): string {
  const text = email.trim()
  return /\p{M}{31}/u.test(text) ? text : text.normalize('NFC').toLowerCase()
}
