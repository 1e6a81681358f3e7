/** What holds of every upload, however its body is read. */

import { type ApiError, invalid } from '../contract/errors.js'
import { detail, HIDDEN } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'

/** A name longer than file systems take is nobody's name for a file. */
const NAME_LENGTH_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** The name of a file: the last part of a path, without what no name may hold; `file` where there is none. */
export function nameOf(filename: string | undefined): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(UNWANTED, '').trim()
  return [...clean].slice(0, NAME_LENGTH_MAX).join('') || 'file'
}

/** The answer to a form whose part `data` is missing, no file, or there more than once. */
export function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.noFile)])
}
