/** What holds of every upload, however its body is read. */

import { type ApiError, invalid } from '../contract/errors.js'

/** A name longer than file systems take is nobody's name for a file. */
const NAME_LENGTH_MAX = 255

/**
 * The name of a file: the last part of a path, without what no file name holds.
 *
 * @param filename - as it came
 * @returns the name; `file` where there is none
 */
export function nameOf(filename: string | undefined): string {
  const last = (filename ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Surrogate}]/gu, '').trim()
  return [...clean].slice(0, NAME_LENGTH_MAX).join('') || 'file'
}

/** The answer to a form whose part `data` is missing, no file, or there more than once. */
export function notOneFile(): ApiError {
  const message = 'has to be one file: send exactly one part named data, with a filename'
  return invalid([{ path: ['data'], code: 'required', message: `data ${message}.` }])
}
