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

/** Maximum length of a name: no file system accepts a longer one. */
const NAME_LENGTH_MAX = 255

const UNWANTED: RegExp = new RegExp(`${HIDDEN.source}|\\p{Surrogate}`, 'gu')

/** The name of a file: the last part of a path, without characters that no name may have; `file` if nothing is left. */
function nameOf(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(UNWANTED, '').trim()
  return [...clean].slice(0, NAME_LENGTH_MAX).join('') || 'file'
}

function notOneFile(): ApiError {
  return invalid([detail(['data'], 'required', say.noFile)])
}
