/** Writes an upload to the storage while it arrives, so that memory does not grow with the file. */

import { inspect, tooLarge } from '../../api/files/content-type.js'
import { receiveForm } from '../../api/files/received.js'
import type { IncomingRequest, ReceivedFile } from '../../api/rules/types.js'
import { imageSize } from './image-size.js'
import type { ContentStorage } from './storage.js'

/** Maximum number of bytes of the form around a file. */
const FORM_BYTES_MAX = 65_536

/** Reads an upload into a temporary file. Throws if the form, the size or the type is not valid. */
export async function receiveUpload(
  storage: ContentStorage,
  request: IncomingRequest,
  organization: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  // An upload that declares too many bytes is rejected before they are sent.
  if (Number(request.headers.get('content-length')) > sizeMax + FORM_BYTES_MAX) throw tooLarge(sizeMax)
  return receiveForm(request, async (source, name) => {
    const { content, kind } = inspect(source, sizeMax, detect)
    const found = await storage.receive(organization, content)
    try {
      const { mediaType, head } = await kind()
      return { ...found, mediaType, imageSize: await imageSize(head, mediaType), name }
    } catch (error) {
      await found.discard()
      throw error
    }
  })
}

/** Finds the type of data that is not text, with a library. The service in tests has none: see `api/files/memory.ts`. */
export async function detect(head: Uint8Array): Promise<string | undefined> {
  // Imported on first use, because loading it takes longer than most uploads, and many servers receive no files.
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(head))?.mime
}
