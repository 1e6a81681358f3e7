/** Compression of pages and their assets, for clients that accept it, and ETags of documents. */

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { IncomingRequest, ServiceResponse } from '../api/rules/types.js'

const TYPES = /^(?:text\/(?:html|css|javascript)|application\/json|image\/svg\+xml)\b/

/** A smaller response fits into one packet, compressed or not. */
const SIZE_MIN = 500

type Coding = 'br' | 'gzip' | 'identity'

const compress: Readonly<Record<Coding, (text: string) => Promise<Uint8Array<ArrayBuffer>>>> = {
  // As fast as gzip, and smaller.
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => promisify(gzip)(text),
  identity: async (text) => new TextEncoder().encode(text),
}

/** A document of the site, which is the same for all readers. */
interface Document {
  /** Weak, because compression changes the bytes. */
  readonly etag: string
  /** Its bytes in each coding that a client has accepted. */
  readonly packed: { [Name in Coding]?: Promise<Uint8Array<ArrayBuffer>> }
}

/** The documents by their texts. */
const documents = new Map<string, Document>()
/** Maximum number of kept documents, far above the actual number. */
const DOCUMENTS_MAX = 500

/**
 * Compresses a response if that makes it much smaller. A document that clients must revalidate gets an ETag, and a 304 if the
 * client has it (RFC 9110, 13.1.2).
 */
export async function compressed(
  answer: ServiceResponse,
  { headers: sent }: IncomingRequest,
): Promise<ServiceResponse> {
  const { status, headers, body } = answer
  const { 'content-type': type = '', 'cache-control': caching = '', vary: varying = [] } = headers
  if (typeof body !== 'string' || body.length < SIZE_MIN || !TYPES.test(type)) return answer
  const document = caching.startsWith('public') ? documentOf(body) : null
  if ('set-cookie' in headers || (document === null && hasSecret(body))) return answer
  const etag = status === 200 && caching === 'public, no-cache' ? document?.etag : undefined
  const all = etag === undefined ? headers : { ...headers, etag }
  if (etag !== undefined && hasTag(sent, etag)) return { status: 304, headers: all, body: null }
  const coding = codingOf(sent.get('accept-encoding') ?? '')
  const packed = document?.packed[coding] ?? compress[coding](body)
  if (document !== null) document.packed[coding] = packed
  const vary = [varying, 'accept-encoding'].flat().join(', ')
  const encoding = coding === 'identity' ? {} : { 'content-encoding': coding }
  return { status, headers: { ...all, vary, ...encoding }, body: await packed }
}

function documentOf(body: string): Document {
  const tag = (): string => createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const document = documents.get(body) ?? { etag: `W/"${tag()}"`, packed: {} }
  if (documents.size < DOCUMENTS_MAX) documents.set(body, document)
  return document
}

/** Whether a client has a document already: it sends a list of tags, weak or not, or `*` (RFC 9110, 13.1.2). */
export function hasTag(sent: IncomingRequest['headers'], etag: string): boolean {
  const tags = (sent.get('if-none-match') ?? '').split(',').map(strong)
  return tags.includes(strong(etag)) || tags.includes('*')
}

function strong(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}

/**
 * Whether a page contains the token of a form. If a stranger can choose text of the same page, the length of the compressed
 * page would reveal the token, character by character.
 */
function hasSecret(body: string): boolean {
  return body.includes('name="token"')
}

/** Returns the best coding that the client accepts (RFC 9110, 12.5.3). */
function codingOf(accepted: string): Coding {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/s, '').trim())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}
