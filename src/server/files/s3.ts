/** Contents in S3-compatible storage: `FILES=s3://bucket/prefix`. */

import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AwsClient } from 'aws4fetch'
import { StoreError } from '../../api/store/store.js'
import { arrived, removeStale, spool } from './folder.js'
import type { ContentStorage } from './storage.js'

/** Where the bucket is, and who we are there. */
export interface S3Options {
  readonly bucket: string
  readonly prefix: string
  readonly region: string
  /** The address of a service that is not Amazon's. */
  readonly endpoint?: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** What goes with a key that is good for hours only. */
  readonly sessionToken?: string
}

/** What a content's name begins with while it is on its way, among everybody's temporary files. */
const INCOMING = 'blockmark-incoming-'

/** How often the service is asked again that has no time or is broken (429, 5xx), with a growing pause. */
const RETRIES = 3

/** Makes a storage in a bucket. */
export async function createS3Storage(options: S3Options): Promise<ContentStorage> {
  const { region, accessKeyId, secretAccessKey, sessionToken } = options
  const { AwsClient } = await import('aws4fetch')
  const token = sessionToken === undefined ? {} : { sessionToken }
  const client = new AwsClient({ service: 's3', region, accessKeyId, secretAccessKey, ...token, retries: RETRIES })
  await removeStale(tmpdir(), INCOMING)
  const bucket = bucketUrlOf(options)
  const folders = options.prefix.split('/').filter((part) => part !== '')
  const urlOf = (organization: string, hash: string): string =>
    [bucket, ...folders.map(encodeURIComponent), organization, hash].join('/')
  return {
    async receive(organization, source) {
      const { hash, size, path } = await spool(join(tmpdir(), INCOMING + randomUUID()), source)
      const keep = async (): Promise<void> => {
        // A content that is changed on its way is refused there.
        const headers = { 'x-amz-content-sha256': hash, 'content-type': 'application/octet-stream' }
        const body = await openAsBlob(path)
        await (await reach(client, urlOf(organization, hash), { method: 'PUT', headers, body })).body?.cancel()
      }
      return arrived(hash, size, path, keep)
    },
    async open(organization, hash, range) {
      const headers: Record<string, string> = range === null ? {} : { range: `bytes=${range.start}-${range.end}` }
      const { body } = await reach(client, urlOf(organization, hash), { method: 'GET', headers })
      return body ?? new ReadableStream({ start: (controller) => controller.close() })
    },
    async remove(organization, hash) {
      await (await reach(client, urlOf(organization, hash), { method: 'DELETE' })).body?.cancel()
    },
    async ready() {
      await reach(client, bucket, { method: 'HEAD' })
    },
  }
}

/** Amazon's buckets have host names of their own, unless a dot in theirs would break the certificate's; others have paths. */
function bucketUrlOf({ bucket, region, endpoint }: S3Options): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

async function reach(client: AwsClient, url: string, init: RequestInit & { method: string }): Promise<Response> {
  let response: Response
  try {
    response = await client.fetch(url, init)
  } catch (error) {
    throw new StoreError('unavailable', error)
  }
  if (response.ok) return response
  await response.body?.cancel()
  throw new StoreError('unavailable', new Error(`${init.method} ${new URL(url).host}: ${response.status}`))
}
