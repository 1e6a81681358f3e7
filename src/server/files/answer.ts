/** Serves files: only to readers of a message that shows them, and with headers that keep a browser from running them. */

import { ApiError } from '../../api/contract/errors.js'
import { readShareToken } from '../../api/rules/share-token.js'
import type { IncomingRequest, ServiceResponse } from '../../api/rules/types.js'
import type { FileRow } from '../../api/store/store.js'
import type { RequestContext } from '../admission/index.js'
import { organizationsOf, withPageLimit } from '../pages/index.js'
import { hasTag } from '../static.js'
import type { ByteRange } from './storage.js'

/** Image types that cannot contain a script. */
const RASTER = /^image\/(png|jpeg|gif|webp|avif|apng|bmp|x-icon|heic|heif|tiff|jxl)$/

/** The cost of a file, as a part of the cost of a page. It is small, because a page may show many files. */
const PAGES_PER_FILE = 1 / 8

/** Responds to a request for a file. Returns null if the path does not name a file. */
export async function respondWithFile(context: RequestContext): Promise<ServiceResponse | null> {
  const id = /^\/files\/([^/]+)$/.exec(context.url.pathname)?.[1]
  if (id === undefined) return null
  context.endpoint = 'file'
  const { organization, file } = await readableFile(context, id)
  const etag = `"${file.hash}"`
  const headers = { ...headersOf(file), etag }
  if (hasTag(context.request.headers, etag)) return { status: 304, headers, body: null }
  const range = rangeOf(context.request, file, etag)
  if (range === 'unsatisfiable') {
    const rangeHeaders = { 'content-range': `bytes */${file.size}`, 'content-length': '0' }
    return { status: 416, headers: { ...headers, ...rangeHeaders }, body: null }
  }
  const length = range === null ? file.size : range.end - range.start + 1
  const isHead = context.request.method === 'HEAD'
  const body = isHead ? null : await context.contents.open(organization, file.hash, range)
  const rangeHeaders = range === null ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` }
  return {
    status: range === null ? 200 : 206,
    headers: { ...headers, ...rangeHeaders, 'content-length': String(length) },
    body,
  }
}

/** Finds the file if the viewer may read a message that shows it. Otherwise, throws the same error as for an unknown file. */
async function readableFile(context: RequestContext, id: string): Promise<{ organization: string; file: FileRow }> {
  const token = readShareToken(context.url.searchParams.get('s'))
  return withPageLimit(context, PAGES_PER_FILE, async (viewer) => {
    for (const organization of organizationsOf(viewer, token)) {
      const rows = context.store.rows(organization)
      const [file] = await rows.files([id])
      if (file === undefined) continue
      const isMember = viewer?.organization === organization
      if (isMember && (await rows.filesSeen([id], viewer.userID)).length > 0) return { organization, file }
      if (token !== null && (await rows.filesShared([id], token.secret)).length > 0) return { organization, file }
    }
    throw new ApiError('not_found', 'This path does not exist.')
  })
}

function headersOf(file: FileRow): Record<string, string> {
  const isText = file.mediaType.startsWith('text/')
  const isInline = RASTER.test(file.mediaType) || file.mediaType.startsWith('video/')
  return {
    'content-type': isText ? file.mediaType.replace(/^[^;]*/, 'text/plain') : file.mediaType,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${filenameOf(file.name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  }
}

/** Writes the name in both forms of RFC 6266. */
function filenameOf(name: string): string {
  const plainName = name.replace(/[^ !#-[\]-~]/g, '_')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plainName}"; filename*=UTF-8''${encodedName}`
}

/** Reads the range of a GET (RFC 9110). Returns null, for the whole file, unless there is one valid range for this version. */
function rangeOf(request: IncomingRequest, file: FileRow, etag: string): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(request.headers.get('range')?.trim() ?? '')
  const condition = request.headers.get('if-range')
  if (match === null || request.method !== 'GET' || (condition !== null && condition !== etag)) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, file.size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? file.size - 1 : Math.min(Number(last), file.size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  return start >= file.size || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { start, end }
}
