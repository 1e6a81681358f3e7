/**
 * How much does it cost to show 100 KB of CommonMark while it arrives in chunks of four characters, and how
 * often is half a marker, a table delimiter row, half a link or half a tag visible?
 */

import { hasMarker } from './markers.js'
import { load } from './modules.js'
import { makeOutputs, makeSpacedOutputs } from './outputs.js'
import type { Amount, Answer, Figure } from './question.js'
import { createRandom } from './random.js'
import { type Spread, sampleOf, spreadOf } from './statistics.js'
import { type StreamContender, streamContenders } from './streaming-contenders.js'
import { printTable } from './table.js'

const CHUNK_LENGTH = 4

export async function streaming(amount: Amount): Promise<Answer> {
  const contenders = await streamContenders()
  const isFull = amount === 'full'
  // The output has no references, because they make some contenders parse the whole text as one block.
  const output = makeOutputs(90)
    .filter((some) => !some.includes('[guide]'))
    .join('\n\n')
    .slice(0, isFull ? 100_000 : 400)
  const times = contenders.map((contender) => timesOf(contender, output, isFull ? 3 : 1, isFull))
  printTimes(output.length, times)
  const [count, prefixCount] = isFull ? [1_000, 5] : [2, 2]
  const markers = contenders.map((contender) => markersOf(contender, makeSpacedOutputs(count), prefixCount))
  const [stream] = contenders
  if (stream === undefined) throw new Error('no contender shows the text')
  const own = markersOf(stream, makeOutputs(count), prefixCount)
  printMarkers([...markers, { ...own, contender: `${own.contender}, emphasis closed next to letters` }])
  const reached = Math.max(own.share, own.ended, markers[0]?.share ?? 1)
  const figures = [{ name: 'prefixes that show a marker, our stream', reached, atMost: 0, unit: '' }]
  const looks = await looksOf(isFull ? 16_384 : 1_024)
  printTable(
    'A look at the tail after each 20 characters',
    ['text', 'ms of CPU', 'at most'],
    looks.map(({ name, reached, atMost }) => [name, reached.toFixed(2), String(atMost)]),
  )
  return { figures: [...figures, ...looks], details: { times, markers, own } }
}

type Markdown = typeof import('../src/convert/index.js')

/** Repeated texts: one list, table, quote and paragraph, and the maximum time of a look in milliseconds of CPU. */
const longBlocks: readonly { name: string; before: string; unit: string; atMost: number }[] = [
  { name: 'one list', before: '', unit: '- a **b** c and some words\n', atMost: 8 },
  { name: 'one table', before: '| a | b |\n|---|---|\n', unit: '| a | **b** |\n', atMost: 10 },
  { name: 'one quote', before: '', unit: '> a **b** and some words\n>\n', atMost: 40 },
  { name: 'one paragraph', before: '', unit: 'some *words* and `code` of a text, ', atMost: 20 },
]

/** Measures looks at outputs of models and at long blocks while they arrive. */
async function looksOf(length: number): Promise<(Figure & { atMost: number })[]> {
  const place = new URL('../../dist/convert/index.js', import.meta.url).href
  const { createMarkdownStream } = await load<Markdown>(place)
  const outputs = makeOutputs(12)
  // The first round compiles the code.
  const mean = [0, 1].map(
    () => outputs.reduce((sum, output) => sum + lookTime(createMarkdownStream(), output), 0) / outputs.length,
  )
  const long = longBlocks.map(({ name, before, unit, atMost }) => {
    const text = before + unit.repeat(length / unit.length)
    return {
      name: `a look at ${name} of ${length / 1024} KiB`,
      reached: lookTime(createMarkdownStream(), text),
      atMost,
      unit: 'ms',
    }
  })
  return [{ name: 'a look at an output of a model', reached: mean[1] ?? 0, atMost: 3, unit: 'ms' }, ...long]
}

/** Returns the mean time of a push of 20 characters and a look at the tail. */
function lookTime(stream: ReturnType<Markdown['createMarkdownStream']>, text: string): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < text.length; at += 20) {
    sum += sampleOf(() => {
      stream.push(text.slice(at, at + 20))
      stream.tail
    }).cpu
    count += 1
  }
  return sum / count
}

interface Times {
  contender: string
  /** Milliseconds for the whole output. */
  whole: Spread
  /** Milliseconds of the slowest push, in the round in which it was the fastest. */
  longest: number
  /** Maximum number of characters of HTML that one push returned. */
  most: number
}

function timesOf({ name, interval, begin }: StreamContender, output: string, rounds: number, isFull: boolean): Times {
  const step = isFull ? interval : 1
  const all: number[] = []
  let [longest, most] = [Number.POSITIVE_INFINITY, 0]
  for (let round = 0; round < rounds; round += 1) {
    const push = begin()
    let [sum, longestOfRound, index] = [0, 0, 0]
    for (let at = 0; at < output.length; at += CHUNK_LENGTH, index += 1) {
      const isAsked = index % step === step - 1
      // A contender that is asked only at some chunks is measured there, and the result is scaled up.
      const isBefore = step > 1 && index % step === step - 2
      let html = ''
      const { wall, cpu } = sampleOf(() => {
        html = push(output.slice(at, at + CHUNK_LENGTH), isAsked || isBefore)
      })
      if (!isAsked) continue
      // The clock also counts other programs, and the processor time the engine's own threads: the smaller is nearer to the truth.
      const time = Math.min(wall, cpu)
      sum += time * step
      longestOfRound = Math.max(longestOfRound, time)
      most = Math.max(most, html.length)
    }
    all.push(sum)
    longest = Math.min(longest, longestOfRound)
  }
  return { contender: name, whole: spreadOf(all), longest, most }
}

interface Markers {
  contender: string
  /** Share of the prefixes that show a marker. Only outputs that show none when they have ended are counted. */
  share: number
  prefixes: number
  /** Share of the outputs that show a marker even when they have ended. */
  ended: number
}

/** Counts markers in some prefixes of each output; the prefixes are the same for all contenders. */
function markersOf({ name, show }: StreamContender, outputs: readonly string[], prefixCount: number): Markers {
  const random = createRandom(7)
  const samples = outputs.map((output) => ({
    output,
    ends: Array.from({ length: prefixCount }, () => 1 + random(output.length - 1)),
  }))
  const clean = samples.filter(({ output }) => !hasMarker(show(output, true)))
  const prefixes = clean.flatMap(({ output, ends }) => ends.map((end) => output.slice(0, end)))
  const shown = prefixes.filter((prefix) => hasMarker(show(prefix, false))).length
  const ended = 1 - clean.length / samples.length
  return { contender: name, share: shown / Math.max(1, prefixes.length), prefixes: prefixes.length, ended }
}

function printTimes(length: number, times: readonly Times[]): void {
  const own = times[0]?.whole.median ?? Number.NaN
  printTable(
    `An output of ${Math.round(length / 1000)} KB in chunks of ${CHUNK_LENGTH} characters, shown after each`,
    ['contender', 'milliseconds', 'times as long', 'longest push, ms', 'most HTML in a push, characters'],
    times.map(({ contender, whole, longest, most }) => [
      contender,
      whole.median.toFixed(0),
      (whole.median / own).toFixed(1),
      longest.toFixed(2),
      String(most),
    ]),
  )
}

function printMarkers(markers: readonly Markers[]): void {
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`
  printTable(
    'Unfinished outputs: how many show a marker, a table delimiter row, half a link or half a tag',
    ['contender', 'prefixes that show one', 'of', 'outputs that show one when they have ended'],
    markers.map(({ contender, share, prefixes, ended }) => [
      contender,
      percent(share),
      String(prefixes),
      percent(ended),
    ]),
  )
}
