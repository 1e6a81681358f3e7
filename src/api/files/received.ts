/** Checks of an upload's name and form, for the server and for `blockmark/testing`. */

import { type ApiError, invalid } from '../contract/errors.js'
import { detail, HIDDEN } from '../contract/schema.js'
import { fieldSentences as say } from '../contract/sentences.js'

/** Maximum bytes of a name in UTF-8, which is the limit of most file systems. */
const NAME_BYTES_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** Returns the last part of a path, without characters that no name may have; `file` if no name is left. */
export function nameOf(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(UNWANTED, '').trim()
  return /^\.{0,2}$/.test(clean) ? 'file' : shortened(clean)
}

/** Cuts a name that is too long before its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? ''
  // `encodeInto` never writes half a character.
  const bytes = new Uint8Array(NAME_BYTES_MAX - extension.length)
  return name.slice(0, new TextEncoder().encodeInto(name, bytes).read) + extension
}

/** The error for a form whose part `data` is not exactly one file. */
export function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.noFile)])
}
