/** Answers that are to stay as they were, each kept as two characters of its hash. */

import { createHash } from 'node:crypto'
import { expect } from 'vitest'

/** Whether what is there is kept from now on. */
export const isUpdate: boolean = process.env['UPDATE'] !== undefined

/** What is kept of an answer. */
export function signOf(answer: string): string {
  return createHash('sha256').update(answer).digest('base64url').slice(0, 2)
}

/** Says that an answer is another one. */
export function failChanged(asked: unknown, answer: string): never {
  return expect.fail(
    `not as it was, if it is meant to be another one run it with UPDATE=1:\n${JSON.stringify(asked)}\n${answer}`,
  )
}
