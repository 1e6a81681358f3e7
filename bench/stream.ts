/**
 * What does it cost to show an answer of 100 KB while it arrives, in chunks of four characters? After each chunk the HTML
 * of all that has come is asked for: of the stream what has settled once and the tail each time; of the others all again.
 */
import { streamContenders } from './contenders.js'
import { makeCorpus } from './corpora.js'
import type { Amount, Answer } from './question.js'
import { type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

const CHUNK_LENGTH = 4

interface Row {
  contender: string
  /** Milliseconds for the whole answer. */
  whole: Spread
  /** Microseconds for one chunk. */
  chunk: number
}

export async function stream(amount: Amount): Promise<Answer> {
  const length = amount === 'full' ? 100_000 : 2_000
  const rounds = amount === 'full' ? 9 : 2
  const answer = makeCorpus('post', 0.1).messages.join('\n\n').slice(0, length)
  const chunks: string[] = []
  for (let at = 0; at < answer.length; at += CHUNK_LENGTH) chunks.push(answer.slice(at, at + CHUNK_LENGTH))
  const rows: Row[] = []
  for (const { name, every, show } of await streamContenders()) {
    // What reads all again is asked at every so many chunks only, or a round would take minutes.
    const step = amount === 'full' ? every : 1
    const samples = Array.from({ length: rounds }, () => timeOf(() => show(chunks, step)) * step)
    const whole = spreadOf(samples)
    rows.push({ contender: name, whole, chunk: (whole.median * 1000) / chunks.length })
  }
  print(answer.length, rows)
  return { figures: [], details: rows }
}

function timeOf(work: () => number): number {
  const start = performance.now()
  if (work() === 0) throw new Error('nothing was shown')
  return performance.now() - start
}

function print(length: number, rows: readonly Row[]): void {
  const own = rows[0]?.whole.median ?? Number.NaN
  printTable(
    `An answer of ${Math.round(length / 1000)} KB in chunks of ${CHUNK_LENGTH} characters, shown after each`,
    ['contender', 'milliseconds', 'quartiles', 'microseconds a chunk', 'times as long'],
    rows.map(({ contender, whole, chunk }) => [
      contender,
      whole.median.toFixed(1),
      whole.quartiles.map((value) => value.toFixed(1)).join('–'),
      chunk.toFixed(2),
      (whole.median / own).toFixed(1),
    ]),
  )
}
