/** Compression of pages and their assets, for clients that accept it. */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer, IncomingRequest } from '../api/service/options.js'

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

/** The documents of the site, which are the same for all readers: each is compressed once in each coding. */
const kept = new Map<string, { [Name in Coding]?: Promise<Uint8Array<ArrayBuffer>> }>()
/** Maximum number of kept documents, far above the actual number. */
const KEPT_MAX = 500

/** Compresses a response if that makes it much smaller. */
export async function compressed(answer: Answer, request: IncomingRequest): Promise<Answer> {
  const { headers, body } = answer
  const type = headers['content-type'] ?? ''
  const isPublic = headers['cache-control']?.startsWith('public') === true
  if (typeof body !== 'string' || body.length < SIZE_MIN || !TYPES.test(type)) return answer
  if ('set-cookie' in headers || (!isPublic && hasSecret(body))) return answer
  const vary = [headers['vary'], 'accept-encoding'].filter((name) => name !== undefined).join(', ')
  const coding = codingOf(request.headers.get('accept-encoding') ?? '')
  const packed = await (isPublic ? keep(body, coding) : compress[coding](body))
  const encoding = coding === 'identity' ? {} : { 'content-encoding': coding }
  return { ...answer, headers: { ...headers, vary, ...encoding }, body: packed }
}

/**
 * Whether a page contains the token of a form. If a stranger can choose text of the same page, the length of the compressed
 * page would reveal the token, character by character.
 */
function hasSecret(body: string): boolean {
  return body.includes('name="token"')
}

function keep(body: string, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const codings = kept.get(body) ?? {}
  if (kept.size < KEPT_MAX) kept.set(body, codings)
  const packed = codings[coding] ?? compress[coding](body)
  codings[coding] = packed
  return packed
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
