/** Uploads read without any package, for tests of bots. Nobody asks for a content again, so none is kept. */

import { createHash } from 'node:crypto'
import { ApiError } from '../contract/errors.js'
import { sentences } from '../contract/sentences.js'
import type { Files, IncomingRequest, ReceivedFile } from '../service/options.js'
import { inspect } from './content-type.js'
import { nameOf, notOneFile } from './received.js'
import { mediaTypeOfHead } from './signatures.js'

/** Takes uploads that fit into memory. */
export function createMemoryFiles(uploadBytesMax: number): Files {
  return { receive: (request) => receiveForm(request, uploadBytesMax) }
}

async function receiveForm(request: IncomingRequest, sizeMax: number): Promise<ReceivedFile> {
  const [part, another] = (await readForm(request)).getAll('data')
  if (part === undefined || typeof part === 'string' || another !== undefined) throw notOneFile()
  const { content, kind } = inspect(chunksOf(part), sizeMax, async (head) => mediaTypeOfHead(head))
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  const { mediaType } = await kind()
  return {
    ...{ hash: hash.digest('hex'), size: part.size, mediaType, imageSize: null, name: nameOf(part.name) },
    ...{ keep: async () => undefined, discard: async () => undefined },
  }
}

async function readForm(request: IncomingRequest): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (request.body === null) throw notOneFile()
  const chunks: Uint8Array[] = []
  for await (const chunk of request.body) chunks.push(chunk)
  try {
    return await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ApiError('invalid_request', sentences.brokenForm, { cause })
  }
}

async function* chunksOf(part: Blob): AsyncGenerator<Uint8Array> {
  if (part.size > 0) yield new Uint8Array(await part.arrayBuffer())
}
