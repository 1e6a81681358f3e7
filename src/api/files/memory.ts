/** Contents in memory, and uploads read without any package, for tests of bots. */

import { createHash } from 'node:crypto'
import { ApiError, invalid } from '../contract/errors.js'
import type { ByteRange, Files, IncomingRequest, ReceivedFile } from '../service/options.js'
import { StoreError } from '../store/store.js'
import { inspect } from './content-type.js'
import { nameOf, notOneFile } from './received.js'
import { mediaTypeOfHead } from './signatures.js'
import type { Arrived, ContentStorage } from './storage.js'

/**
 * Makes a storage in memory.
 *
 * @returns the storage
 */
export function createMemoryStorage(): ContentStorage {
  const contents = new Map<string, Uint8Array>()
  const keyOf = (organization: string, hash: string): string => `${organization}/${hash}`
  return {
    async receive(organization, source) {
      const chunks: Uint8Array[] = []
      for await (const chunk of source) chunks.push(chunk)
      const content = Buffer.concat(chunks)
      const hash = createHash('sha256').update(content).digest('hex')
      return {
        ...{ hash, size: content.byteLength },
        async keep() {
          contents.set(keyOf(organization, hash), content)
        },
        discard: async () => undefined,
      }
    },
    async open(organization, hash, range) {
      const content = contents.get(keyOf(organization, hash))
      if (content === undefined) throw new StoreError('unavailable')
      return streamOf(partOf(content, range))
    },
    async remove(organization, hash) {
      contents.delete(keyOf(organization, hash))
    },
    ready: async () => undefined,
  }
}

function partOf(content: Uint8Array, range: ByteRange | null): Uint8Array {
  return range === null ? content : content.subarray(range.start, range.end + 1)
}

function streamOf(content: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(content)
      controller.close()
    },
  })
}

/**
 * The service's view of a storage, for requests that fit into memory.
 *
 * @param contents - the storage
 * @param uploadBytesMax - the most bytes of an upload
 * @returns what the service needs of it
 */
export function memoryFilesOf(contents: ContentStorage, uploadBytesMax: number): Files {
  return {
    receive: (request, organization) => receiveForm(contents, request, organization, uploadBytesMax),
    open: (organization, hash, range) => contents.open(organization, hash, range),
    ready: () => contents.ready(),
  }
}

async function receiveForm(
  contents: ContentStorage,
  request: IncomingRequest,
  organization: string,
  sizeMax: number,
): Promise<ReceivedFile> {
  const parts = (await readForm(request)).getAll('data')
  const [part, another] = parts
  if (part === undefined || typeof part === 'string' || another !== undefined) throw notOneFile()
  const { content, kind } = inspect(chunksOf(part), sizeMax, async (head) => mediaTypeOfHead(head))
  const arrived: Arrived = await contents.receive(organization, content)
  return { ...arrived, ...(await kind()), name: nameOf(part.name) }
}

async function readForm(request: IncomingRequest): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  if (request.body === null) throw invalid([{ path: ['data'], code: 'required', message: 'data is required.' }])
  const chunks: Uint8Array[] = []
  for await (const chunk of request.body) chunks.push(chunk)
  try {
    return await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new ApiError('invalid_request', 'The multipart body is cut off or malformed.', { cause })
  }
}

async function* chunksOf(part: Blob): AsyncGenerator<Uint8Array> {
  if (part.size > 0) yield new Uint8Array(await part.arrayBuffer())
}
