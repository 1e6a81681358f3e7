/** Uploads for tests of bots: the file data is never read again, so it is not kept. */

import { createHash } from 'node:crypto'
import type { Files } from '../service/options.js'
import { inspect } from './content-type.js'
import { type Receive, receiveForm } from './received.js'
import { mediaTypeOfHead } from './signatures.js'

/** Takes uploads of at most this many bytes. */
export function createMemoryFiles(uploadBytesMax: number): Files {
  const receive: Receive = async (source, name) => {
    const { content, kind } = inspect(source, uploadBytesMax, async (head) => mediaTypeOfHead(head))
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of content) {
      hash.update(chunk)
      size += chunk.byteLength
    }
    const { mediaType } = await kind()
    const nothing = async (): Promise<void> => undefined
    return { hash: hash.digest('hex'), size, mediaType, imageSize: null, name, keep: nothing, discard: nothing }
  }
  return { receive: (request) => receiveForm(request, receive) }
}
