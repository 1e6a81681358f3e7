/**
 * Inputs of any length: every short sequence of the dialect's symbols, repeated, between other text, nested, and in runs
 * of growing length; and longer random sequences.
 */
import { isLong } from '../amount.js'
import { seededRandom } from '../reference/generate.js'

/** An input of any length: `before`, `unit` repeated, `closer` the same number of times, `after`. */
export interface Family {
  readonly before: string
  readonly unit: string
  readonly closer: string
  readonly after: string
  /** Whether the unit is repeated once, then twice, then three times …, with the closer after each. */
  readonly isGrowing: boolean
}

/**
 * Returns the input of a family with about the given length, and the one with half of it. Both numbers of repetitions are
 * multiples of twelve, so that delimiters match in both or in neither, also by the rule of three.
 */
export function build(family: Family, length: number): { whole: string; half: string } {
  const { before, unit, closer, after, isGrowing } = family
  const room = length - before.length - after.length
  if (isGrowing) return { whole: before + grow(family, room) + after, half: before + grow(family, room / 2) + after }
  const count = 12 * Math.max(1, Math.floor(room / (24 * (unit.length + closer.length))))
  const repeat = (times: number): string => before + unit.repeat(times) + closer.repeat(times) + after
  return { whole: repeat(count * 2), half: repeat(count) }
}

function grow({ unit, closer }: Family, length: number): string {
  let grown = ''
  for (let times = 1; grown.length < length; times += 1) grown += unit.repeat(times) + closer
  return grown
}

/** Families whose inputs have one length, in UTF-16 code units. */
export interface Kind {
  readonly name: string
  readonly length: number
  /** The share of the families that is examined if not all are; each is drawn with the same probability. */
  readonly share: number
  readonly families: () => Iterable<Family>
}

/** One character of each kind that the rules distinguish, and the beginnings of links and mentions. */
const symbols: readonly string[] = [
  ...['\\', '`', '*', '_', '-', '[', ']', '(', ')', '<', '>', '@', '|', '#', ':', '"', 'a', ' ', '\n', '\r', '中'],
  ...['http://', '](a:', '<@1', '\u2063'],
]

/** Other characters of the same classes, and pieces that random sequences rarely contain. */
const moreSymbols: readonly string[] = [
  ...symbols,
  ...['!', '/', '.', ',', ';', '=', "'", '?', '{', '}', '+', '&', '%', '1', 'h', 'é', '\u0301', '¯', 'ツ', '。', '“'],
  ...['😀', '𠮷', '\u200b', '\ud800', '\0', '\t', '\f', '\u2028'],
]

const pieces: readonly string[] = [
  ...['\\\\', '**', '``', '```', '://', 'https://a', '<!1|', '](http://a)', '[a](b:c)', '<@1|a>', '¯\\_(ツ)_/¯', '# '],
  ...['* ', '\n\n', '\n* ', '\n# ', '\n```\n', ' \n', 'a\r', 'a*', '*a', '_ ', ' _'],
  ...['\u2063*', '*\u2063', '\u2063_', '_\u2063', '\u2063**a**\u2063'],
]

const openers: readonly Partial<Family>[] = [
  ...[
    '*',
    '**a',
    '_a ',
    '[',
    '[a](b:',
    '`',
    '``',
    '```\n',
    '(',
    'http://a',
    '<@1|',
    '# ',
    '\\',
    '\u2063*',
    '\u2063*\u2063_',
  ].map((before) => ({
    before,
  })),
]
const closers: readonly string[] = [' a**', 'a*', ' a_', '](a:b)', ')', '`', '``', '\n```', '>', '&', '中', '*\u2063']
const frames: readonly Partial<Family>[] = [
  ...openers,
  ...closers.map((after) => ({ after })),
  { before: '[', after: '](a:b)' },
  { before: '[a](b:', after: ')' },
  { before: '`', after: '`' },
  { before: '*a ', after: ' a*' },
]

/**
 * Returns every kind; `seed` decides about the random sequences. Long units have long inputs, so that the differences at
 * the ends of an input count for little.
 */
export function kindsOf(seed: number): readonly Kind[] {
  const kinds: readonly Kind[] = [
    {
      name: `rows of up to three of ${moreSymbols.length} symbols`,
      length: 2 * 1024,
      share: 0.05,
      families: () => repeated(rowsUpTo(moreSymbols, 3)),
    },
    {
      name: `rows of up to three of ${symbols.length} symbols`,
      length: 64 * 1024,
      share: 0.01,
      families: () => repeated(rowsUpTo(symbols, 3)),
    },
    {
      name: `rows of four of ${symbols.length} symbols`,
      length: 4 * 1024,
      share: 0.01,
      families: () => repeated(rows(symbols, 4)),
    },
    { name: 'rows of up to two symbols between other text', length: 4 * 1024, share: 0.1, families: framed },
    { name: 'nested rows', length: 4 * 1024, share: 0.1, families: nested },
    { name: 'runs that get longer', length: 64 * 1024, share: 0.1, families: growing },
    { name: 'longer rows by chance', length: 16 * 1024, share: 0.05, families: () => byChance(seed) },
  ]
  return isLong ? kinds : kinds.map((kind) => ({ ...kind, share: kind.share / 16 }))
}

type Row = readonly string[]

function* rows(from: readonly string[], length: number): Generator<Row> {
  if (length === 0) yield []
  else for (const row of rows(from, length - 1)) for (const symbol of from) yield [...row, symbol]
}

function* rowsUpTo(from: readonly string[], length: number): Generator<Row> {
  for (let each = 1; each <= length; each += 1) yield* rows(from, each)
}

function* repeated(units: Iterable<Row>): Generator<Family> {
  for (const unit of units) yield familyOf({ unit: unit.join('') })
}

function familyOf(family: Partial<Family>): Family {
  return { before: '', unit: '', closer: '', after: '', isGrowing: false, ...family }
}

function* framed(): Generator<Family> {
  yield* repeated(rowsUpTo([...moreSymbols, ...pieces], 2))
  for (const frame of frames) for (const { unit } of repeated(rowsUpTo(symbols, 2))) yield familyOf({ ...frame, unit })
}

function* nested(): Generator<Family> {
  for (const row of rowsUpTo(symbols, 2)) {
    const mirrored = [...row].reverse().join('')
    for (const closer of [...symbols, ...closers, mirrored]) yield familyOf({ unit: row.join(''), closer })
  }
}

function* growing(): Generator<Family> {
  for (const unit of symbols) {
    for (const closer of [...symbols, ...closers, 'a\n\n', ' a ']) yield familyOf({ unit, closer, isGrowing: true })
  }
}

function* byChance(seed: number): Generator<Family> {
  const random = seededRandom(seed)
  const all = [...moreSymbols, ...pieces]
  const oneOf = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  for (let left = 10_000; left > 0; left -= 1) {
    let unit = ''
    for (let size = 3 + random() * 12; size > 0; size -= 1) unit += oneOf(random() < 0.5 ? symbols : all)
    yield familyOf({ unit, before: random() < 0.3 ? oneOf(all) : '', after: random() < 0.3 ? oneOf(all) : '' })
  }
}
