/** Reads an upload, in the server and in the service for tests. */

import { ApiError, invalid } from '../contract/errors.js'
import { detail, HIDDEN } from '../contract/schema.js'
import { fieldSentences as say, sentences } from '../contract/sentences.js'
import type { IncomingRequest, ReceivedFile } from '../rules/types.js'
import { StoreError } from '../store/store.js'
import { partsOf } from './multipart.js'

export type Receive = (content: AsyncIterable<Uint8Array>, name: string) => Promise<ReceivedFile>

/** Reads the form of an upload to its end. Throws `validation_failed` if its part `data` is not one file. */
export async function receiveForm(request: IncomingRequest, receive: Receive): Promise<ReceivedFile> {
  if (request.body === null) throw notOneFile()
  let received: ReceivedFile | null = null
  try {
    for await (const { name, filename, content } of partsOf(request.body, request.headers.get('content-type') ?? '')) {
      if (name !== 'data') continue
      if (filename === null || received !== null) throw notOneFile()
      received = await receive(content, nameOf(filename))
    }
    if (received === null) throw notOneFile()
    return received
  } catch (error) {
    await received?.discard()
    if (error instanceof ApiError || error instanceof StoreError) throw error
    throw new ApiError('invalid_request', sentences.brokenForm, { cause: error })
  }
}

/** Maximum bytes of a name in UTF-8: most file systems accept no longer one. */
const NAME_BYTES_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** Returns the last part of a path, without characters that no name may have; `file` if no name is left. */
function nameOf(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(UNWANTED, '').trim()
  return /^\.{0,2}$/.test(clean) ? 'file' : shortened(clean)
}

/** Cuts a name that is too long before its extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? ''
  // `encodeInto` never writes half a character.
  const room = new Uint8Array(NAME_BYTES_MAX - extension.length)
  return name.slice(0, new TextEncoder().encodeInto(name, room).read) + extension
}

function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.noFile)])
}
