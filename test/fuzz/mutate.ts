/** Changes inputs: with pieces of the dialect, with parts of other inputs, and in JSON by its values. */

import { randomSource } from '../reference/generate.js'
import { entriesOf, placesIn, readJson, replaced } from './json.js'
import type { Input } from './target.js'

type Random = () => number

/** Maximum length of an input. Longer inputs find little more, and are slow. */
const LENGTH_MAX = 400

/** Strings that are special by themselves, or hard to type. */
const pieces: readonly string[] = [
  ...[
    '*',
    '**',
    '***',
    '_',
    '-',
    '`',
    '``',
    '```',
    '~~',
    '\\',
    '\\\\',
    '[',
    ']',
    '](',
    '](xy:z)',
    '(',
    ')',
    '<',
    '>',
    '|',
  ],
  ...[
    '\u2063',
    '\u2063*',
    '*\u2063',
    '\u2063**',
    '**\u2063',
    '\u2063_',
    '_\u2063',
    '\u2063-',
    '-\u2063',
    '\0',
    '\uD83D',
  ],
  ...[
    '\uDE00',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    ' ',
    '\t',
    '\f',
    '\v',
    '\u00A0',
    '\u2028',
    '\uFEFF',
    '\u200B',
    '\u0301',
    '中',
  ],
  ...[
    '「',
    '」',
    '：',
    '😀',
    '\u200D',
    '# ',
    '## ',
    '* ',
    '- ',
    '1. ',
    '> ',
    '    ',
    '<@1>',
    '<@1|a>',
    '<!1|a>',
    '<!1|>',
  ],
  ...[
    'http://a',
    'https://a.b/c_d',
    'www.a.b',
    'mailto:a@b',
    '[a](http://b)',
    '![a](b)',
    '[a]: b',
    '[^a]',
    '[ ] ',
    '|-|',
  ],
  ...[
    '<b>',
    '</b>',
    '<br>',
    '<!--',
    '-->',
    '&amp;',
    '&lt;',
    '<http://a|b>',
    '<#C1|a>',
    '<!here>',
    ':a:',
    '"',
    "'",
    '/',
  ],
  ...[':', ';', ',', '.', '!', '?', '=', '+', '%', '@', '#', '~', '^', '$', '{', '}', 'a', 'B', '7', 'ꙮ', '---', '==='],
]

const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 7, 1e21, 2 ** 53, '', ' ', '#', 'constructor', '__proto__', [], {}, [null], [[]]],
  ...['\uD800', 'x'.repeat(81), 'public', 'private', '100001', '0', 'a@b.c', { __proto__: null, type: 'constructor' }],
]

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined && values.length === 0) throw new RangeError('nothing to pick from')
  return value as Value // The index is below the length.
}

/**
 * Changes an input.
 *
 * @param form - the form of the text
 * @param corpus - other inputs, parts of which may be put into it
 */
export function mutate(random: Random, form: 'text' | 'json', input: Input, corpus: readonly Input[]): Input {
  const others = corpus.map(({ text }) => text)
  const knob = random() < 0.2 ? Math.floor(random() * 2 ** 16) : input.knob
  let { text } = input
  for (let count = 1 + Math.floor(random() ** 2 * 5); count > 0; count -= 1) {
    text = form === 'json' && random() < 0.9 ? mutateJson(random, text, others) : mutateText(random, text, others)
  }
  return { text: text.slice(0, form === 'json' ? 8 * LENGTH_MAX : LENGTH_MAX), knob }
}

/** Returns a start and an end, often close to each other. */
function span(random: Random, { length }: string): [start: number, end: number] {
  const start = Math.floor(random() * (length + 1))
  return [start, Math.min(length, start + Math.floor(random() ** 3 * 24) + 1)]
}

type Edit = (random: Random, text: string, others: readonly string[]) => string

const edits: readonly Edit[] = [
  (random, text) => inserted(random, text, pick(random, pieces)),
  (random, text) => inserted(random, text, pick(random, pieces)),
  (random, text) => inserted(random, text, pick(random, pieces) + pick(random, pieces)),
  (random, text) => inserted(random, text, randomSource(random)),
  (random, text) => inserted(random, text, String.fromCharCode(Math.floor(random() ** 4 * 0x10000))),
  (random, text) => {
    const [start, end] = span(random, text)
    return text.slice(0, start) + text.slice(end)
  },
  (random, text) => {
    const [start, end] = span(random, text)
    return text.slice(0, start) + pick(random, pieces) + text.slice(end)
  },
  (random, text) => {
    const [start, end] = span(random, text)
    return text.slice(0, start) + text.slice(start, end).repeat(2 + Math.floor(random() * 4)) + text.slice(end)
  },
  (random, text) => {
    const [start, end] = span(random, text)
    return inserted(random, text, text.slice(start, end))
  },
  (random, text) => {
    const [start, end] = span(random, text)
    const piece = pick(random, pieces)
    return text.slice(0, start) + piece + text.slice(start, end) + piece + text.slice(end)
  },
  (random, text, others) => {
    const other = pick(random, others)
    return text.slice(0, span(random, text)[0]) + other.slice(span(random, other)[0])
  },
  (random, text, others) => {
    const other = pick(random, others)
    return inserted(random, text, other.slice(...span(random, other)))
  },
]

function mutateText(random: Random, text: string, others: readonly string[]): string {
  return pick(random, edits)(random, text, others)
}

function inserted(random: Random, text: string, piece: string): string {
  const [at] = span(random, text)
  return text.slice(0, at) + piece + text.slice(at)
}

function mutateJson(random: Random, text: string, others: readonly string[]): string {
  const value = readJson(text)
  if (value === undefined) return mutateText(random, text, others)
  const places = placesIn(value)
  const place = pick(random, places)
  const other = readJson(pick(random, others))
  return JSON.stringify(replaced(value, place, (there) => changed(random, there, other, others))) ?? text
}

function changed(random: Random, there: unknown, other: unknown, others: readonly string[]): unknown {
  if (typeof there === 'string' && random() < 0.6) return mutateText(random, there, [...others, there])
  const lot = random()
  if (lot < 0.15) return undefined
  if (lot < 0.35) return pick(random, oddValues)
  if (lot < 0.5) return randomSource(random)
  if (lot < 0.7 && other !== undefined) return partOf(random, other)
  if (Array.isArray(there)) return [...there, ...(there.length > 0 ? [pick(random, there)] : []), partOf(random, other)]
  if (typeof there !== 'object' || there === null) return [there]
  const [key, value] = pick(random, [...entriesOf(other), ...entriesOf(there), ['type', 'a'] as const])
  return { ...there, [key]: value }
}

function partOf(random: Random, value: unknown): unknown {
  let part = value
  for (const key of pick(random, placesIn(value))) part = entriesOf(part).find(([each]) => each === key)?.[1]
  return part ?? null
}
