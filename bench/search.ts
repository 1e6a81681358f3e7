/**
 * Which inputs take longest for each character? Looks at repeated strings of the dialect's own characters, alone, nested
 * and between other text: all short ones, then chance, then small changes of the worst so far. Of each kind of input the
 * worst is kept and changed further, lest one slow spot fill the list; the fifty worst of these go to `worst-cases.json`.
 * Runs only when it is named: `npm run bench -- search`.
 */
import { writeFileSync } from 'node:fs'
import { loadLibrary } from './modules.js'
import type { Amount, Answer } from './question.js'
import { createRandom, type Random } from './random.js'
import { at, sampleOf } from './statistics.js'
import { printTable } from './table.js'
import { buildInput, type WorstCase } from './worst-case.js'

/** Every character that a rule of the dialect names, and one of each class. */
const characters: readonly string[] = [
  ...list('* _ - ` [ ] ( ) < > @ ! | \\ # : / . , ; " \' = ? & % a 1 ␠ ␊ ␉ ␀ é 中 。 “ ” 😀'),
  '\u200b',
  '\ud800',
]

/** What takes several characters to begin. */
const pieces: readonly string[] = list(
  `** *** \`\` \`\`\`␊ <@ <@1 <@1| <@1|a> <! <!1|a>␊ ]( ](a: ](http://a.b) [a](b:c) [a](b: http:// http://a https://a.b
  http://a.b/(((( \\\\ \\* \\\` \\( #␠ *␠ ␊␊ ␊*␠ ␊#␠ a_b x**2 ¯\\_(ツ)_/¯ *a a* _a a_ -a a- *_ _* -* **a a** ␠* ␠_ _␠`,
)

const frames: readonly Pick<WorstCase, 'before' | 'after'>[] = [
  { before: '', after: '' },
  ...list('* _a␠ -a␠ **a␠ [ ` ( http://a/ <@1| #␠ *␠ ```␊ [a](b:').map((before) => ({ before, after: '' })),
  ...list('a* ␠a_ ␠a- ␠a** ](b:c) ` > ) ␊```').map((after) => ({ before: '', after })),
  { before: '*a ', after: ' a*' },
  { before: '[', after: '](b:c)' },
  { before: '`', after: '`' },
]

const nests: readonly (readonly [opener: string, closer: string])[] = [
  ...list('* _ - ** *_ _- *_- **_ ␠* ␠_ *a␠ _a␠ -a␠ **a␠').map((opener) => [opener, reversed(opener)] as const),
  ...list('[…] (…) […](b:c) [a…](b:c) <@1|…> [*…*](b:c) *[…](b:c)* http://a/(…)').map((pair) => splitAt('…', pair)),
]

/** So many inputs are kept. */
const keptCount = 50
/** What a unit and its frame may grow to: a longer one is no longer understood by looking at it. */
const unitLengthMax = 20
const beforeLengthMax = 12

interface Candidate extends WorstCase {
  nanosecondsPerCharacter: number
}

/** The worst of each kind at one length. */
type Worst = Map<string, Candidate>

export async function search(amount: Amount): Promise<Answer> {
  const { parse, toHtml } = await loadLibrary()
  const run = (input: string): void => {
    toHtml(input)
    toHtml(parse(input))
  }
  const random = createRandom(4)
  const length = (amount === 'full' ? 16 : 2) * 1024
  let worst = worstOf(firstCandidates(amount, random), 2 * 1024, run)
  worst = worstOf(worstFirst(worst).slice(0, 4 * keptCount), length, run)
  for (let round = amount === 'full' ? 20 : 1; round > 0; round -= 1) {
    worst = worstOf(changed(worstFirst(worst).slice(0, 2 * keptCount), random), length, run, worst)
  }
  const kept = worstFirst(worstOf(worstFirst(worst).slice(0, 2 * keptCount), 16 * length, run)).slice(0, keptCount)
  if (amount === 'full') {
    const lines = kept.map(({ before, unit, closer, after }) => `  ${JSON.stringify({ before, unit, closer, after })}`)
    writeFileSync(new URL('../worst-cases.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`)
  }
  printTable(
    'The worst inputs found',
    ['before, unit, closer, after', 'ns a character'],
    kept.map((each) => [JSON.stringify(partsOf(each)), each.nanosecondsPerCharacter.toFixed(1)]),
  )
  return { figures: [], details: kept }
}

/** Reads words; `␠`, `␊`, `␉` and `␀` stand for the characters that they picture. */
function list(words: string): string[] {
  const pictured: Readonly<Record<string, string>> = { '␠': ' ', '␊': '\n', '␉': '\t', '␀': '\u0000' }
  return words.split(/\s+/).map((word) => word.replace(/[␠␊␉␀]/g, (picture) => pictured[picture] ?? picture))
}

function reversed(text: string): string {
  return [...text].reverse().join('')
}

function splitAt(separator: string, pair: string): readonly [string, string] {
  const [opener = '', closer = ''] = pair.split(separator)
  return [opener, closer]
}

/** All units of up to three characters, pieces in every frame, nested pairs, and longer units by chance. */
function* firstCandidates(amount: Amount, random: Random): Generator<WorstCase> {
  for (const unit of unitsOf(amount === 'full' ? 3 : 1)) yield { before: '', unit, closer: '', after: '' }
  for (const frame of frames) {
    for (const unit of [...characters, ...pieces]) yield { ...frame, unit, closer: '' }
    for (const [unit, closer] of nests) yield { ...frame, unit, closer }
    for (const [unit, closer] of nests) yield { ...frame, unit, closer: `a${closer}` }
  }
  for (let count = amount === 'full' ? 40_000 : 500; count > 0; count -= 1) {
    yield { ...at(frames, random(frames.length)), unit: unitByChance(random), closer: '' }
  }
}

function unitsOf(length: number): string[] {
  if (length === 0) return []
  return [
    ...characters,
    ...(length === 1 ? [] : unitsOf(length - 1).flatMap((unit) => characters.map((character) => unit + character))),
  ]
}

function unitByChance(random: Random): string {
  let unit = ''
  for (let count = 2 + random(6); count > 0; count -= 1) {
    unit += random(2) === 0 ? at(characters, random(characters.length)) : at(pieces, random(pieces.length))
  }
  return unit
}

/** Each with something put in, taken out, doubled, nested, or moved to another frame. */
function* changed(candidates: readonly WorstCase[], random: Random): Generator<WorstCase> {
  for (const each of candidates) {
    const place = random(each.unit.length + 1)
    const extra = random(2) === 0 ? at(characters, random(characters.length)) : at(pieces, random(pieces.length))
    yield { ...each, unit: each.unit.slice(0, place) + extra + each.unit.slice(place) }
    yield { ...each, unit: each.unit.slice(0, place) + each.unit.slice(place + 1) }
    yield { ...each, unit: each.unit + each.unit.slice(0, place) }
    yield { ...each, unit: each.unit + at(candidates, random(candidates.length)).unit }
    yield { ...each, closer: each.closer === '' ? reversed(each.unit) : '' }
    yield { ...each, ...at(frames, random(frames.length)) }
    yield { ...each, before: each.before + extra }
  }
}

/**
 * Times every candidate at one length; one that looks worse than the worst of its kind has to look so three times.
 *
 * @param known - the worst so far, at the same length
 */
function worstOf(cases: Iterable<WorstCase>, length: number, run: (input: string) => void, known?: Worst): Worst {
  const worst: Worst = new Map(known)
  const seen = new Set<string>()
  for (const each of cases) {
    const key = JSON.stringify(partsOf(each))
    if (each.unit === '' || each.unit.length > unitLengthMax || each.before.length > beforeLengthMax || seen.has(key))
      continue
    seen.add(key)
    const kind = kindOf(each)
    const bound = worst.get(kind)?.nanosecondsPerCharacter ?? 0
    let nanosecondsPerCharacter = Number.POSITIVE_INFINITY
    for (let look = 0; look < 3 && nanosecondsPerCharacter > bound; look += 1) {
      nanosecondsPerCharacter = Math.min(nanosecondsPerCharacter, timeOf(each, length, run))
    }
    if (nanosecondsPerCharacter > bound) worst.set(kind, { ...each, nanosecondsPerCharacter })
  }
  return worst
}

function worstFirst(worst: Worst): Candidate[] {
  return [...worst.values()].sort((left, right) => right.nanosecondsPerCharacter - left.nanosecondsPerCharacter)
}

/** The constructs that a unit can begin, whether it ends a line or a leaf, and whether it nests. */
function kindOf({ unit, closer }: WorstCase): string {
  const repeated = unit + closer
  const marks = ['*', '_', '-', '`', '[', '<', '//', '\\'].filter((mark) => repeated.includes(mark))
  const lines = repeated.includes('\n') ? (/\n\s*\n/.test(repeated + repeated) ? 'leaves' : 'lines') : ''
  return `${marks.join('')} ${lines} ${closer === '' ? '' : 'nested'}`
}

function partsOf({ before, unit, closer, after }: WorstCase): string[] {
  return [before, unit, closer, after]
}

/** Returns what one run takes, by processor time. */
function timeOf(worstCase: WorstCase, length: number, run: (input: string) => void): number {
  const input = buildInput(worstCase, length)
  return (sampleOf(() => run(input)).cpu * 1e6) / input.length
}
