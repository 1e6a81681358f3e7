/** ETags of documents: a client that sends the current one gets 304 without a body (RFC 9110, 13.1.2). */

import { createHash } from 'node:crypto'
import type { Answer, IncomingRequest } from '../api/service/options.js'

/** The ETag of each document, by its text. */
const tags = new Map<string, string>()
/** Maximum number of kept ETags, far above the number of documents. */
const TAGS_MAX = 500

/** Adds an ETag to a public document that clients must revalidate, or responds with 304 if the client has it. */
export function revalidated(answer: Answer, { headers: sent }: IncomingRequest): Answer {
  const { status, headers, body } = answer
  if (status !== 200 || typeof body !== 'string' || headers['cache-control'] !== 'public, no-cache') return answer
  const etag = tagOf(body)
  const known = (sent.get('if-none-match') ?? '').split(',').map((each) => each.trim())
  const all = { ...headers, etag }
  return known.includes(etag) || known.includes('*')
    ? { status: 304, headers: all, body: null }
    : { status, headers: all, body }
}

/** The ETag is weak, because compression changes the bytes. */
function tagOf(body: string): string {
  const tag = tags.get(body) ?? `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  if (tags.size < TAGS_MAX) tags.set(body, tag)
  return tag
}
