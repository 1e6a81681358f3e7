/** The response of an endpoint that lists: read, written and sent in parts, so that it needs the memory of only one part. */

import type { Page } from '../store/store.js'
import { okResponse } from './response.js'
import type { TimeSlices } from './scheduler.js'
import type { ServiceResponse } from './types.js'

export type Read = (part: Page) => Promise<readonly Readonly<Record<string, unknown>>[]>

export interface List {
  readonly read: Read
  readonly page: Page
  /** The field that the list is sorted by. */
  readonly listedBy: string
  readonly slices: TimeSlices
  /** Charges the cost since an earlier moment, given in milliseconds. */
  readonly charge: (earlier: number) => void
}

/** The rows of one part. */
const ROWS = 200

/** Characters of JSON that are written in the time in which one character of a message is parsed. */
const LENGTH_PER_SLICE_BYTE = 32

/** Makes the response with a list. A list of several parts is a stream that waits for its reader. */
export async function answerList(list: List, headers: Readonly<Record<string, string>>): Promise<ServiceResponse> {
  const parts = textOf(list)
  const first = await parts.next()
  if (first.done === true) return okResponse(first.value, headers)
  return { ...okResponse('', headers), body: streamOf(first.value, parts, list) }
}

async function* textOf({ read, page, listedBy, slices }: List): AsyncGenerator<string, string, undefined> {
  let [after, left, text] = [page.after, page.count ?? Number.POSITIVE_INFINITY, '{"ok":true,"result":[']
  for (let separator = ''; ; ) {
    const count = Math.min(left, ROWS)
    // One more row is read than is shown, to find out whether another part follows.
    const rows = await read({ after, count: count + 1 })
    for (const row of rows.slice(0, count)) {
      const item = await slices.take(0, () => JSON.stringify(row))
      await slices.take(item.length / LENGTH_PER_SLICE_BYTE, () => undefined)
      text += separator + item
      separator = ','
    }
    if (rows.length <= count) return `${text}]}`
    left -= count
    after = String(rows[count - 1]?.[listedBy])
    if (left === 0) return `${text}],"nextCursor":"${Buffer.from(after).toString('base64url')}"}`
    yield text
    text = ''
  }
}

function streamOf(
  first: string,
  parts: AsyncGenerator<string, string, undefined>,
  { slices, charge }: List,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<string, string> | null = { value: first, done: false }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const earlier = slices.milliseconds
    const part: IteratorResult<string, string> = next ?? (await parts.next())
    next = null
    charge(earlier)
    controller.enqueue(encoder.encode(part.value))
    if (part.done === true) controller.close()
  }
  // A part is read only when the reader has taken the one before it.
  return new ReadableStream({ pull, cancel: () => void parts.return('') }, { highWaterMark: 0 })
}
