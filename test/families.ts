/**
 * Inputs of any length: every short sequence of the dialect's symbols, repeated, between other text, nested, and in runs
 * of growing length; and longer random sequences.
 */
import { pick, type Random } from './random.js'

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
 * Returns the input of a family with about the given length, and the one with a quarter of it. Both numbers of repetitions are
 * multiples of twelve, so that delimiters match in both or in neither, also by the rule of three.
 */
export function build(family: Family, length: number): { whole: string; quarter: string } {
  const { before, unit, closer, after, isGrowing } = family
  const room = length - before.length - after.length
  if (isGrowing) return { whole: before + grow(family, room) + after, quarter: before + grow(family, room / 4) + after }
  const count = 12 * Math.max(1, Math.floor(room / (48 * (unit.length + closer.length))))
  const repeat = (times: number): string => before + unit.repeat(times) + closer.repeat(times) + after
  return { whole: repeat(count * 4), quarter: repeat(count) }
}

function grow({ unit, closer }: Family, length: number): string {
  let grown = ''
  for (let times = 1; grown.length < length; times += 1) grown += unit.repeat(times) + closer
  return grown
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

/** Returns every family but those by chance. */
export function allFamilies(): Iterable<Family>[] {
  return [repeated(rowsUpTo(moreSymbols, 2)), repeated(rows(symbols, 3)), framed(), nested(), growing()]
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

/** Returns a family whose unit is a longer row, by chance. */
export function familyByChance(random: Random): Family {
  const all = [...moreSymbols, ...pieces]
  let unit = ''
  for (let size = 3 + random() * 12; size > 0; size -= 1) unit += pick(random, random() < 0.5 ? symbols : all)
  const frame = (): string => (random() < 0.3 ? pick(random, all) : '')
  return familyOf({ unit, before: frame(), after: frame() })
}
