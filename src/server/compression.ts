/** Pages and what they load, compressed for whoever takes it. */

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer, IncomingRequest } from '../api/service/options.js'

const TYPES = /^(?:text\/(?:html|css|javascript)|application\/json|image\/svg\+xml)\b/

/** Less than this is one packet either way. */
const SIZE_MIN = 500

type Coding = 'br' | 'gzip'

const compress: Readonly<Record<Coding, (text: string) => Promise<Uint8Array<ArrayBuffer>>>> = {
  // As fast as gzip, and smaller.
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => promisify(gzip)(text),
}

/** What is the same for everybody: the documents of the site, of which there are few. */
const kept = new Map<string, Uint8Array<ArrayBuffer>>()
const KEPT_MAX = 32

/** Compresses an answer where that is worth it. */
export async function compressed(answer: Answer, request: IncomingRequest): Promise<Answer> {
  const { headers, body } = answer
  const type = headers['content-type'] ?? ''
  // A form's secret stands beside what was sent: how long the two are together would tell it, bit by bit.
  if (typeof body !== 'string' || body.length < SIZE_MIN || !TYPES.test(type) || 'set-cookie' in headers) return answer
  const vary = [headers['vary'], 'accept-encoding'].filter((name) => name !== undefined).join(', ')
  const coding = codingOf(request.headers.get('accept-encoding') ?? '')
  if (coding === null) return { ...answer, headers: { ...headers, vary } }
  const name = headers['cache-control']?.startsWith('public') === true ? coding + body : null
  const packed = (name === null ? undefined : kept.get(name)) ?? (await compress[coding](body))
  if (name !== null && kept.size < KEPT_MAX) kept.set(name, packed)
  return { ...answer, headers: { ...headers, vary, 'content-encoding': coding }, body: packed }
}

/** The better of those that are taken (RFC 9110, 12.5.3). */
function codingOf(accepted: string): Coding | null {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/s, '').trim())
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : null
}
