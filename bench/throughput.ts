/**
 * How many megabytes a second become HTML, or a tree, and how many times faster is that than each contender? All
 * contenders run in one process on the same messages, one call for each message. Each round reads the next quarter of
 * every corpus.
 */
import { type Contender, htmlContenders, nativeNames, treeContenders } from './contenders.js'
import { bytesOf, type Corpus, corpusNames, makeCorpus } from './corpora.js'
import type { Amount, Answer, Figure } from './question.js'
import { at, interleave, type Ratio, ratioOf, type Sample, type Spread, spreadOf } from './statistics.js'
import { printTable } from './table.js'

interface Row {
  corpus: string
  contender: string
  megabytesPerSecond: Spread
  /** How many times faster each function of this package is than this contender. */
  ratios: Record<string, Ratio>
}

interface Pass {
  contender: Contender<string | object>
  corpus: SlicedCorpus
  consume: (output: string | object) => number
}

interface SlicedCorpus extends Corpus {
  /** Four quarters of the messages: every fourth one, starting with the first, second, third and fourth. */
  slices: readonly { messages: readonly string[]; bytes: number }[]
}

const sliceCount = 4

/**
 * Measures the rendering to HTML and the parsing into a tree.
 *
 * @param before - a folder that holds an older build of this package, which then takes part too
 */
export async function throughput(amount: Amount, before: string | null): Promise<Answer> {
  const corpora = corpusNames.map((name) => slice(makeCorpus(name, amount === 'full' ? 1 : 0.03)))
  const html = await htmlContenders(before)
  const trees = await treeContenders(before)
  const passes = corpora.flatMap((corpus): Pass[] => [
    ...html.map((contender) => ({ contender, corpus, consume: consumeHtml })),
    ...trees.map((contender) => ({ contender, corpus, consume: consumeTree })),
  ])
  const samples = amount === 'full' ? measure(passes, 2 * sliceCount, 7 * sliceCount) : measure(passes, 0, 2)
  const rows = corpora.flatMap((corpus) => [
    ...compare(corpus, html, passes, samples),
    ...compare(corpus, trees, passes, samples),
  ])
  for (const corpus of corpora) print(corpus, rows)
  return { figures: figuresOf(rows), details: rows }
}

function slice(corpus: Corpus): SlicedCorpus {
  const slices = Array.from({ length: sliceCount }, (_, number) => {
    const messages = corpus.messages.filter((_message, index) => index % sliceCount === number)
    return { messages, bytes: bytesOf(messages) }
  })
  return { ...corpus, slices }
}

/** Returns the time for a megabyte in each round, for each pass. Some passes run unmeasured first. */
function measure(passes: readonly Pass[], warmUps: number, rounds: number): Sample[][] {
  const tasks = passes.map((pass) => (round: number) => readSlice(pass, round % sliceCount))
  for (let round = 0; round < warmUps; round += 1) for (const task of tasks) task(round)
  const samples = interleave(tasks, rounds, collectYoungGarbage)
  return samples.map((row, index) =>
    row.map(({ wall, cpu }, round) => {
      const megabytes = at(at(passes, index).corpus.slices, round % sliceCount).bytes / 1e6
      return { wall: wall / megabytes, cpu: cpu / megabytes }
    }),
  )
}

function readSlice({ contender, corpus, consume }: Pass, number: number): void {
  const { messages } = at(corpus.slices, number)
  let consumed = 0
  for (const message of messages) consumed += consume(contender.run(message))
  if (consumed < messages.length) throw new Error(`${contender.name}: nothing came out of ${corpus.name}`)
}

/**
 * Reads the last character. The engine joins strings lazily; this makes it copy the pieces into one string, as every real
 * use of the output does.
 */
function consumeHtml(output: string | object): number {
  if (typeof output !== 'string' || output === '') throw new Error('expected HTML, received nothing')
  return output.charCodeAt(output.length - 1)
}

function consumeTree(output: string | object): number {
  const children: unknown = Array.isArray(output) ? output : Reflect.get(Object(output), 'children')
  if (!Array.isArray(children) || children.length === 0) throw new Error('expected a tree, received nothing')
  return children.length
}

/** Collects the garbage of the previous task, so that no task is slowed down by another's. */
function collectYoungGarbage(): void {
  globalThis.gc?.({ type: 'minor' })
}

function compare(
  corpus: SlicedCorpus,
  contenders: readonly Contender<string | object>[],
  passes: readonly Pass[],
  samples: readonly Sample[][],
): Row[] {
  const samplesOf = (contender: Contender<string | object>): Sample[] =>
    at(
      samples,
      passes.findIndex((pass) => pass.corpus === corpus && pass.contender === contender),
    )
  const own = contenders.filter((contender) => contender.module === 'blockmark')
  return contenders.map((contender) => {
    const row = samplesOf(contender)
    return {
      corpus: corpus.name,
      contender: contender.name,
      megabytesPerSecond: spreadOf(row.map(({ wall }) => 1_000 / wall)),
      ratios: Object.fromEntries(own.map((each) => [each.name, ratioOf(row, samplesOf(each))])),
    }
  })
}

function print(corpus: SlicedCorpus, rows: readonly Row[]): void {
  const title = `${corpus.name}: ${corpus.messages.length} messages, ${(corpus.bytes / 1e6).toFixed(2)} MB`
  const ratio = (found: Ratio | undefined): string[] =>
    found === undefined
      ? []
      : [
          `${text(found.paired.median)} (${text(found.paired.quartiles[0])}–${text(found.paired.quartiles[1])})`,
          text(found.best),
        ]
  const body = (names: readonly string[]): string[][] =>
    rows
      .filter((row) => row.corpus === corpus.name && names.every((name) => name in row.ratios))
      .map((row) => [
        row.contender,
        row.megabytesPerSecond.median.toFixed(1),
        row.megabytesPerSecond.max.toFixed(1),
        ...names.flatMap((name) => ratio(row.ratios[name])),
      ])
  const html = ['blockmark toHtml(string)', 'blockmark toHtml(parse(string))']
  const head = ['contender', 'MB/s', 'best']
  printTable(
    `To HTML, ${title}`,
    [...head, '× slower than toHtml(string)', 'best', '× slower than toHtml(parse(string))', 'best'],
    body(html),
  )
  printTable(`To a tree, ${title}`, [...head, '× slower than parse', 'best'], body(['blockmark parse']))
}

function text(factor: number): string {
  return factor < 10 ? factor.toFixed(2) : factor.toFixed(1)
}

/** The bounds: how many times faster this package must be than a contender, or than the fastest of several, on each corpus. */
const wanted: readonly [own: string, others: readonly string[], factors: Readonly<Record<string, number>>][] = [
  ['blockmark toHtml(string)', ['marked'], { chat: 9.8, post: 11.7, plain: 23 }],
  ['blockmark toHtml(string)', ['md4w'], { chat: 3.5, post: 2.1, plain: 14 }],
  ['blockmark toHtml(string)', nativeNames, { chat: 1.5, post: 1.05, plain: 6 }],
  ['blockmark toHtml(parse(string))', ['marked'], { chat: 5.5, post: 6.4, plain: 11 }],
  ['blockmark parse', ['mdast-util-from-markdown'], { chat: 60, post: 65, plain: 180 }],
]

function figuresOf(rows: readonly Row[]): Figure[] {
  return wanted.flatMap(([own, names, factors]) =>
    Object.entries(factors).map(([corpus, atLeast]): Figure => {
      const [fastest, ...others] = rows
        .filter((row) => row.corpus === corpus && names.includes(row.contender))
        .flatMap(({ contender, ratios }) => {
          const ratio = ratios[own]
          return ratio === undefined ? [] : [{ contender, ratio }]
        })
        .sort((left, right) => left.ratio.paired.median - right.ratio.paired.median)
      if (fastest === undefined) throw new Error(`no ratio of ${own} and ${names.join(', ')} on ${corpus}`)
      const contender = others.length === 0 ? fastest.contender : `the best native, ${fastest.contender}`
      return {
        name: `${own} against ${contender}, ${corpus}`,
        reached: fastest.ratio.paired.median,
        byBestSamples: fastest.ratio.best,
        atLeast,
        unit: '×',
      }
    }),
  )
}
