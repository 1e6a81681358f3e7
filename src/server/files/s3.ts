/** File data in S3-compatible storage: `FILES=s3://bucket/prefix`. */

import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AwsClient } from 'aws4fetch'
import { StoreError } from '../../api/store/store.js'
import { removeStale } from '../disk.js'
import { STALE_MILLISECONDS, spool } from './folder.js'
import type { ContentStorage } from './storage.js'

/** The bucket and its credentials. */
export interface S3Options {
  readonly bucket: string
  readonly prefix: string
  readonly region: string
  /** The URL of a service that is not Amazon's. */
  readonly endpoint?: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. */
  readonly sessionToken?: string
}

/** The prefix of temporary files, in a folder that other programs use too. */
const INCOMING = 'blockmark-incoming-'

/** Maximum number of retries after a 429 or 5xx response. The maximum pause before a retry doubles each time. */
const RETRIES_MAX = 3

/** Time limit of a request with its retries, to which the time for the request's body at the rate below is added. */
const TIMEOUT_MILLISECONDS = 30_000
const BYTES_PER_MILLISECOND = 1000

/** Opens a storage in a bucket. */
export async function createS3Storage(options: S3Options): Promise<ContentStorage> {
  const { region, accessKeyId, secretAccessKey, sessionToken } = options
  const { AwsClient } = await import('aws4fetch')
  const token = sessionToken === undefined ? {} : { sessionToken }
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, ...token, retries: RETRIES_MAX })
  await removeStale(tmpdir(), INCOMING, STALE_MILLISECONDS)
  const bucket = bucketUrlOf(options)
  const folders = options.prefix.split('/').filter((part) => part !== '')
  const urlOf = (organization: string, hash: string): string =>
    [bucket, ...folders.map(encodeURIComponent), organization, hash].join('/')
  return {
    async receive(organization, source) {
      const path = join(tmpdir(), INCOMING + randomUUID())
      const { hash, size } = await spool(path, source)
      const url = urlOf(organization, hash)
      let isStored = false
      const keep = async (): Promise<void> => {
        // Cleanup may have removed the file data since it was stored.
        if (isStored && (await ask(client, url, { method: 'HEAD' }).catch(() => null)) !== null) return
        // With the hash, S3 rejects content that was changed on its way.
        const headers = { 'x-amz-content-sha256': hash, 'content-type': 'application/octet-stream' }
        const body = await openAsBlob(path)
        await (await ask(client, url, { method: 'PUT', headers, body }, size)).body?.cancel()
        isStored = true
      }
      return { hash, size, keep, discard: () => rm(path, { force: true }) }
    },
    async open(organization, hash, range) {
      const headers: Record<string, string> = range === null ? {} : { range: `bytes=${range.start}-${range.end}` }
      const { body } = await ask(client, urlOf(organization, hash), { method: 'GET', headers })
      return body ?? new ReadableStream({ start: (controller) => controller.close() })
    },
    async remove(organization, hash) {
      await (await ask(client, urlOf(organization, hash), { method: 'DELETE' })).body?.cancel()
    },
    async ready() {
      await ask(client, bucket, { method: 'HEAD' })
    },
  }
}

/**
 * Returns the URL of a bucket. A bucket of Amazon has its own host name, but Amazon's certificate does not cover names
 * with a dot: such a bucket is a path, and so is a bucket of another service.
 */
function bucketUrlOf({ bucket, region, endpoint }: S3Options): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

/**
 * Sends a request, and throws unless it succeeds. The time limit covers everything up to the headers of the response, not
 * its body.
 *
 * @param size - the length of the request's body
 */
async function ask(
  client: AwsClient,
  url: string,
  init: RequestInit & { readonly method: string },
  size = 0,
): Promise<Response> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MILLISECONDS + size / BYTES_PER_MILLISECOND)
  try {
    const response = await client.fetch(url, { ...init, signal: controller.signal })
    if (response.ok) return response
    await response.body?.cancel()
    throw new Error(`${init.method} ${new URL(url).host}: ${response.status}`)
  } catch (error) {
    throw new StoreError('unavailable', error)
  } finally {
    clearTimeout(timer)
  }
}
