/** Responses that must not change, each stored as two characters of its hash. */

import { createHash } from 'node:crypto'
import { expect } from 'vitest'

/** Whether the current responses are stored. */
export const isUpdate: boolean = process.env['UPDATE'] !== undefined

/** The stored form of a response. */
export function signOf(response: string): string {
  return createHash('sha256').update(response).digest('base64url').slice(0, 2)
}

/** Reports a changed response. */
export function failChanged(asked: unknown, response: string): never {
  return expect.fail(
    `not as it was, if it is meant to be another one run it with UPDATE=1:\n${JSON.stringify(asked)}\n${response}`,
  )
}
