/** A thread that counts the steps (`meter.ts`) for Markdown as a whole and in chunks. */
import './built-ins.js'
import { parentPort } from 'node:worker_threads'
import { createMarkdownStream, fromMarkdown } from '../../src/convert/index.js'
import { meter } from './meter.js'

/** A text that arrives in chunks of one length, after an earlier text. */
export interface Arriving {
  readonly before: string
  readonly text: string
  readonly chunkLength: number
  /** Whether the tail is read after each chunk. */
  readonly isWatched: boolean
}

/** The numbers of steps. */
export interface Steps {
  /** The steps of all chunks and of the end. */
  readonly all: number
  /** The steps of the most expensive chunk with its tail, without the end. */
  readonly most: number
  /** The steps of `fromMarkdown`. */
  readonly whole: number
}

function stepsOf(work: () => unknown): number {
  const before = meter.steps
  work()
  return meter.steps - before
}

function count({ before, text, chunkLength, isWatched }: Arriving): Steps {
  const stream = createMarkdownStream()
  stream.push(before)
  let [all, most] = [0, 0]
  for (let at = 0; at < text.length; at += chunkLength) {
    const chunk = text.slice(at, at + chunkLength)
    const steps = stepsOf(() => {
      stream.push(chunk)
      if (isWatched) stream.tail
    })
    all += steps
    most = Math.max(most, steps)
  }
  all += stepsOf(() => stream.finish())
  return { all, most, whole: stepsOf(() => fromMarkdown(text)) }
}

// The first text creates the tables that are kept between calls.
count({ before: '', text: '# *a*\n\n| b |\n|---|\n| [c](d:e) |\n\n- `f` <g>\n', chunkLength: 1, isWatched: true })

parentPort?.on('message', (arriving: Arriving) => parentPort?.postMessage(count(arriving)))
