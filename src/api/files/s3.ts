/** Contents in S3-compatible storage: `FILES=s3://bucket/prefix`. */

import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { StoreError } from '../store/store.js'
import { arrived, removeStale, spool } from './folder.js'
import type { ContentStorage } from './storage.js'

/** Where the bucket is; who we are there is taken from the environment, as the AWS SDK does. */
export interface S3Options {
  readonly bucket: string
  readonly prefix: string
  readonly region: string
  /** The address of a service that is not Amazon's. */
  readonly endpoint?: string
}

/** What a content's name begins with while it is on its way, among everybody's temporary files. */
const INCOMING = 'blockmark-incoming-'

/**
 * Makes a storage in a bucket.
 *
 * @param options - where it is
 * @returns the storage
 */
export async function createS3Storage({ bucket, prefix, region, endpoint }: S3Options): Promise<ContentStorage> {
  const s3 = await loadClient()
  const client: S3Client = new s3.S3Client({
    region,
    // Other services know neither a bucket's own host name nor the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await removeStale(tmpdir(), INCOMING)
  const placeOf = (organization: string, hash: string): { Bucket: string; Key: string } => ({
    Bucket: bucket,
    Key: `${prefix}${organization}/${hash}`,
  })
  return {
    async receive(organization, source) {
      const { hash, size, path } = await spool(join(tmpdir(), INCOMING + randomUUID()), source)
      const keep = async (): Promise<void> => {
        const Body = createReadStream(path)
        await reach(client.send(new s3.PutObjectCommand({ ...placeOf(organization, hash), Body, ContentLength: size })))
      }
      return arrived(hash, size, path, keep)
    },
    async open(organization, hash, range) {
      const Range = range === null ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const { Body } = await reach(client.send(new s3.GetObjectCommand({ ...placeOf(organization, hash), ...Range })))
      if (!(Body instanceof Readable)) throw new StoreError('unavailable')
      // Node's two declarations of the stream differ in a detail that nobody uses here.
      return Readable.toWeb(Body) as ReadableStream<Uint8Array>
    },
    async remove(organization, hash) {
      await reach(client.send(new s3.DeleteObjectCommand(placeOf(organization, hash))))
    },
    async ready() {
      await reach(client.send(new s3.HeadBucketCommand({ Bucket: bucket })))
    },
  }
}

async function loadClient(): Promise<typeof import('@aws-sdk/client-s3')> {
  try {
    return await import('@aws-sdk/client-s3')
  } catch (cause) {
    throw new Error('FILES=s3:// needs the package @aws-sdk/client-s3: npm install @aws-sdk/client-s3', { cause })
  }
}

async function reach<Answer>(sending: Promise<Answer>): Promise<Answer> {
  try {
    return await sending
  } catch (error) {
    throw new StoreError('unavailable', error)
  }
}
