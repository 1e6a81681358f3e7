/**
 * How long does it take to split one message of a megabyte? Each corpus is one message; beside the two splitters stand
 * what they can not do without, parsing and writing, and the least that a splitter can do.
 */

import { judgedCorpusNames, makeCorpus } from './corpora.js'
import { loadLibrary } from './modules.js'
import type { Amount, Answer, Figure } from './question.js'
import { at, interleave, spreadOf } from './statistics.js'
import { printTable } from './table.js'

interface Splitter {
  name: string
  split: (message: string) => readonly string[]
}

export async function splitting(amount: Amount): Promise<Answer> {
  const length = amount === 'full' ? 1_000_000 : 20_000
  const messages = judgedCorpusNames.map((name) => ({
    name,
    message: oneMessage(makeCorpus(name, 1).messages, length),
  }))
  const all = await splitters()
  const passes = messages.flatMap(({ name, message }) => all.map((splitter) => ({ name, message, splitter })))
  const tasks = passes.map(({ message, splitter }) => () => {
    const strings = splitter.split(message)
    if (strings.length < message.length / 80_000) throw new Error(`${splitter.name}: expected more strings`)
  })
  for (const task of tasks) task()
  const samples = interleave(tasks, amount === 'full' ? 9 : 1, () => globalThis.gc?.())
  const rows = passes.map(({ name, message, splitter }, index) => {
    const spread = spreadOf(at(samples, index).map(({ wall }) => wall))
    return { corpus: name, splitter: splitter.name, strings: splitter.split(message).length, milliseconds: spread }
  })
  printTable(
    `Splitting one message of ${length} characters`,
    ['corpus, contender', 'strings', 'ms', 'best'],
    rows.map(({ corpus, splitter, strings, milliseconds: { median, min } }) => {
      return [`${corpus}, ${splitter}`, String(strings), median.toFixed(1), min.toFixed(1)]
    }),
  )
  const figures = rows
    .filter(({ splitter }) => splitter === 'blockmark toBlocks' || splitter === 'blockmark toBodies')
    .map(({ corpus, splitter, milliseconds }): Figure => {
      return { name: `${splitter}, ${corpus}, 1 MB`, reached: milliseconds.median, atMost: 500, unit: 'ms' }
    })
  return { figures, details: rows }
}

/** Whole messages one behind the other. */
function oneMessage(messages: readonly string[], length: number): string {
  let joined = ''
  for (let index = 0; joined.length < length; index += 1) joined += `${at(messages, index % messages.length)}\n\n`
  return JSON.parse(JSON.stringify(joined))
}

async function splitters(): Promise<readonly Splitter[]> {
  const { parse, stringify, toBlocks, toBodies } = await loadLibrary()
  return [
    { name: 'blockmark toBlocks', split: (message) => toBlocks(message, { blocks: Number.POSITIVE_INFINITY }) },
    { name: 'blockmark toBodies', split: (message) => toBodies(message) },
    { name: 'floor: stringify(parse(string))', split: (message) => sliced(stringify(parse(message)), 40_000) },
    { name: 'floor: slice', split: (message) => sliced(message, 4_000) },
  ]
}

function sliced(message: string, length: number): string[] {
  const count = Math.ceil(message.length / length)
  return Array.from({ length: count }, (_, index) => message.slice(index * length, (index + 1) * length))
}
