/** Measures in whatever runtime it is imported by: it needs nothing but a clock. */

/** What is measured of a build of this package. */
export interface Build {
  parse: (source: string) => Tree
  toHtml: (source: string | Tree) => string
}

interface Tree {
  children: readonly unknown[]
}

/** What takes part: builds of this package, by name, and a peer by which runtimes can be compared. */
export interface Participants {
  builds: Readonly<Record<string, Build>>
  marked: (source: string) => string
}

/** What each reader took in each round, in milliseconds: by the corpus, then the reader. */
export type Times = Record<string, Record<string, number[]>>

type Reader = readonly [name: string, read: (message: string) => number]

/** Browsers' clocks are coarse: a sample takes at least so many milliseconds. */
const sampleMin = 20

/**
 * Reads every corpus as often as there are rounds, all readers in turn, after three rounds unmeasured.
 *
 * @param corpora - the messages, by name
 */
export function measureHere(
  participants: Participants,
  corpora: Readonly<Record<string, readonly string[]>>,
  rounds: number,
): Times {
  const readers = readersOf(participants)
  const times: Times = {}
  for (const [corpus, messages] of Object.entries(corpora)) {
    for (let round = 0; round < 2; round += 1) for (const [, read] of readers) time(read, messages, 1)
    const tasks = readers.map(([name, read]) => {
      const taken: number[] = []
      return { name, read, taken, passes: Math.min(50, Math.ceil(sampleMin / (time(read, messages, 1) || 1))) }
    })
    for (let round = 0; round < rounds; round += 1)
      for (const { read, taken, passes } of turned(tasks, round)) taken.push(time(read, messages, passes))
    times[corpus] = Object.fromEntries(tasks.map(({ name, taken }) => [name, taken]))
  }
  return times
}

function readersOf({ builds, marked }: Participants): Reader[] {
  const own = Object.entries(builds).flatMap(([name, { parse, toHtml }]): Reader[] => [
    [`${name} toHtml(string)`, (message) => lastOf(toHtml(message))],
    [`${name} toHtml(parse(string))`, (message) => lastOf(toHtml(parse(message)))],
    [`${name} parse`, (message) => parse(message).children.length],
  ])
  return [...own, ['marked', (message) => lastOf(marked(message))]]
}

/** The order is turned by one from round to round, so that nobody always follows the same neighbour. */
function turned<Value>(values: readonly Value[], round: number): Value[] {
  const begin = round % values.length
  return [...values.slice(begin), ...values.slice(0, begin)]
}

/** What one pass takes, of so many in a row. */
function time(read: (message: string) => number, messages: readonly string[], passes: number): number {
  let sum = 0
  const start = performance.now()
  for (let pass = 0; pass < passes; pass += 1) for (const message of messages) sum += read(message)
  const taken = performance.now() - start
  if (!(sum > 0)) throw new Error('nothing came out')
  return taken / passes
}

/** The last character: the engine first puts the pieces of the string together. */
function lastOf(html: string): number {
  return html.charCodeAt(html.length - 1)
}
