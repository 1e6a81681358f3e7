import { StoreError } from '../../api/store/store.js'

/** The reason why admission responded with 503, for the log. */
export type Reason = 'QUEUE_FULL' | 'QUEUE_SLOW' | 'BYTES_FULL' | 'CLIENT_GONE'

/** The error of a request that gets a 503 with Retry-After. */
export function refused(code: Reason): StoreError {
  return new StoreError('unavailable', Object.assign(new Error('too many requests at the same time'), { code }))
}
