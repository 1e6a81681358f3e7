/** Reads chunks as they arrive; an `AbortSignal` ends the wait for the next chunk. */

/** Returns the result of work, but rejects with the signal's reason if the signal aborts, even if the work ignores the signal. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The part of a `ReadableStream` that reading needs; the streams of all platforms have it. */
export interface ReadableChunks<Chunk> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Chunk | undefined }>
    cancel(): Promise<void>
  }
}

/** Returns an iterator over the chunks of a stream, because in some browsers streams do not have one. */
function iteratorOf<Chunk>(stream: ReadableChunks<Chunk>): AsyncIterator<Chunk, undefined> {
  const reader = stream.getReader()
  return {
    // The value at the end is undefined, so the cast holds.
    next: () => reader.read() as Promise<IteratorResult<Chunk, undefined>>,
    async return() {
      await reader.cancel().catch(() => undefined)
      return { done: true, value: undefined }
    },
  }
}

/** Yields the chunks of a source until the source ends. Throws the signal's reason if the signal aborts. */
export async function* chunksOf<Chunk>(
  source: AsyncIterable<Chunk> | ReadableChunks<Chunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk, undefined> {
  const chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : iteratorOf(source)
  let isEnded = false
  try {
    for (;;) {
      const result = await untilAborted(chunks.next(), signal)
      isEnded = result.done === true
      if (result.done === true) return
      yield result.value
    }
  } finally {
    // `return` is not awaited, because a source that waits for its next chunk may never end.
    if (!isEnded) void Promise.resolve(chunks.return?.()).catch(() => undefined)
  }
}

/** Calls an observer. Ignores the errors that the observer throws, and the rejection of a promise that the observer returns. */
export function notify(callback: () => unknown): void {
  try {
    Promise.resolve(callback()).catch(() => undefined)
  } catch {
    // Errors are ignored.
  }
}
