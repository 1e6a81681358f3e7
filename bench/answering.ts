/**
 * How much does it cost to show 100 KB of CommonMark while it arrives in chunks of four characters, and how
 * often does half a marker, a row of bars, half a link or half a tag show of it?
 */
import { type AnswerContender, answerContenders } from './answering-contenders.js'
import { makeAnswers, makeSpacedAnswers } from './answers.js'
import { hasMarker } from './markers.js'
import type { Amount, Answer } from './question.js'
import { createRandom } from './random.js'
import { type Spread, sampleOf, spreadOf } from './statistics.js'
import { printTable } from './table.js'

const CHUNK_LENGTH = 4

export async function answering(amount: Amount): Promise<Answer> {
  const contenders = await answerContenders()
  const isFull = amount === 'full'
  // Without references: where there are any, some read all of it as one block.
  const answer = makeAnswers(90)
    .filter((some) => !some.includes('[guide]'))
    .join('\n\n')
    .slice(0, isFull ? 100_000 : 400)
  const times = contenders.map((contender) => timesOf(contender, answer, isFull ? 3 : 1, isFull))
  printTimes(answer.length, times)
  const [count, prefixCount] = isFull ? [1_000, 5] : [2, 2]
  const markers = contenders.map((contender) => markersOf(contender, makeSpacedAnswers(count), prefixCount))
  const [stream] = contenders
  if (stream === undefined) throw new Error('no contender shows the text')
  const own = markersOf(stream, makeAnswers(count), prefixCount)
  printMarkers([...markers, { ...own, contender: `${own.contender}, emphasis closed next to letters` }])
  const reached = Math.max(own.share, own.ended, markers[0]?.share ?? 1)
  const figures = [{ name: 'prefixes that show a marker, our stream', reached, atMost: 0, unit: '' }]
  return { figures, details: { times, markers, own } }
}

interface Times {
  contender: string
  /** Milliseconds for the whole answer. */
  whole: Spread
  /** Milliseconds of the push that took the longest, in the round in which that was the shortest. */
  longest: number
  /** The most characters of HTML that one push gave. */
  most: number
}

function timesOf({ name, every, begin }: AnswerContender, answer: string, rounds: number, isFull: boolean): Times {
  const step = isFull ? every : 1
  const all: number[] = []
  let [longest, most] = [Number.POSITIVE_INFINITY, 0]
  for (let round = 0; round < rounds; round += 1) {
    const push = begin()
    let [sum, longestOfRound, index] = [0, 0, 0]
    for (let at = 0; at < answer.length; at += CHUNK_LENGTH, index += 1) {
      const isAsked = index % step === step - 1
      // A contender that is asked only at some chunks is measured there, and the result is scaled up.
      const isBefore = step > 1 && index % step === step - 2
      let html = ''
      const { wall, cpu } = sampleOf(() => {
        html = push(answer.slice(at, at + CHUNK_LENGTH), isAsked || isBefore)
      })
      if (!isAsked) continue
      // The clock counts what else the machine does, the processor's time what the engine's threads do.
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
  /** Of the prefixes of the answers that show none when they have ended: the part that shows one. */
  share: number
  prefixes: number
  /** The part of the answers that show one when they have ended, too. */
  ended: number
}

/** Of some prefixes of each answer, the same for all. */
function markersOf({ name, show }: AnswerContender, answers: readonly string[], prefixCount: number): Markers {
  const random = createRandom(7)
  const samples = answers.map((answer) => ({
    answer,
    ends: Array.from({ length: prefixCount }, () => 1 + random(answer.length - 1)),
  }))
  const clean = samples.filter(({ answer }) => !hasMarker(show(answer, true)))
  const prefixes = clean.flatMap(({ answer, ends }) => ends.map((end) => answer.slice(0, end)))
  const shown = prefixes.filter((prefix) => hasMarker(show(prefix, false))).length
  const ended = 1 - clean.length / samples.length
  return { contender: name, share: shown / Math.max(1, prefixes.length), prefixes: prefixes.length, ended }
}

function printTimes(length: number, times: readonly Times[]): void {
  const own = times[0]?.whole.median ?? Number.NaN
  printTable(
    `An answer of ${Math.round(length / 1000)} KB in chunks of ${CHUNK_LENGTH} characters, shown after each`,
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
    'Answers that break off: how many show a marker, a row of bars, half a link or half a tag',
    ['contender', 'prefixes that show one', 'of', 'answers that show one when they have ended'],
    markers.map(({ contender, share, prefixes, ended }) => [
      contender,
      percent(share),
      String(prefixes),
      percent(ended),
    ]),
  )
}
