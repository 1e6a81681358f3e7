/**
 * The inputs of the benchmark: short chat messages, posts with every construct, prose without markup. They are made
 * anew on every run from one seed each, without clock or chance, and must come out with the size and hash pinned here.
 */
import { createHash } from 'node:crypto'
import {
  chatParts,
  codeLines,
  formatted,
  headings,
  infoStrings,
  type Language,
  languages,
  logLines,
  proseParts,
  reactions,
  slots,
  technical,
} from './vocabulary.js'

/** One kind of input: its messages in the order in which every contender reads them. */
export interface Corpus {
  name: CorpusName
  messages: readonly string[]
  /** Size in UTF-8. */
  bytes: number
}

export type CorpusName = 'chat' | 'post' | 'plain'

interface Recipe {
  seed: number
  count: number
  make: (random: Random) => string
  /** Of all messages, each followed by U+0000, in UTF-8. */
  bytes: number
  sha256: string
}

/** Returns an integer from 0 up to, not including, `limit`. */
export type Random = (limit: number) => number

const recipes: Readonly<Record<CorpusName, Recipe>> = {
  chat: {
    seed: 1,
    count: 20_000,
    make: chatMessage,
    bytes: 1_515_505,
    sha256: 'b06cfa5bffd4db100c2a8750157f35fa91fe417bbcf881988747cc023d8f6954',
  },
  post: {
    seed: 2,
    count: 300,
    make: post,
    bytes: 1_201_318,
    sha256: 'cbd66022780d537ca7cf750def830e724150c71ca0e09e3ecf2c948ee15bf978',
  },
  plain: {
    seed: 3,
    count: 300,
    make: prose,
    bytes: 1_349_488,
    sha256: '3b73c72cf44279402aaf7d16e977021a728a66cdb14564d8408b89892aa52c20',
  },
}

export const corpusNames: readonly CorpusName[] = ['chat', 'post', 'plain']

/**
 * Makes a corpus and checks that it is the pinned one.
 *
 * @param name - which of the three
 * @param share - the part of its messages to return, from the first on; 1 for all
 * @throws {Error} when the corpus is not the pinned one, with the size and hash found
 */
export function makeCorpus(name: CorpusName, share: number): Corpus {
  const recipe = recipes[name]
  const random = createRandom(recipe.seed)
  const made = Array.from({ length: recipe.count }, () => recipe.make(random))
  const whole = made.map((message) => `${message}\0`).join('')
  const bytes = Buffer.byteLength(whole)
  const sha256 = createHash('sha256').update(whole).digest('hex')
  if (bytes !== recipe.bytes || sha256 !== recipe.sha256) {
    throw new Error(
      `corpus ${name}: expected bytes: ${recipe.bytes}, sha256: '${recipe.sha256}', received bytes: ${bytes}, sha256: '${sha256}'`,
    )
  }
  // Read back from JSON as a service reads them: flat strings of one byte for each character where Latin-1 holds them all.
  const messages: readonly string[] = JSON.parse(JSON.stringify(made.slice(0, Math.ceil(recipe.count * share))))
  return { name, messages, bytes: bytesOf(messages) }
}

/** Counts the bytes of messages in UTF-8. */
export function bytesOf(messages: readonly string[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
}

/** One line, or two or three in one message out of ten, all in one language. */
function chatMessage(random: Random): string {
  const language = pickLanguage(random)
  const lineCount = random(10) > 0 ? 1 : 2 + random(2)
  return lines(lineCount, () => chatLine(random, language))
}

function chatLine(random: Random, language: Language | null): string {
  const kind = random(100)
  if (kind < 14) return fill(pick(random, reactions), random)
  let line = kind < 36 ? fill(pick(random, technical), random) : sentence(random, language)
  if (random(100) < 25) line += ` ${sentence(random, language)}`
  if (random(100) < 9) line = `${fill(pick(random, formatted), random)} ${line}`
  if (random(100) < 8) line = `${fill('{mention}', random)} ${line}`
  if (random(100) < 16) line += ` ${fill('{emoji}', random)}`
  return line
}

/** A heading and an introduction, then sections of every kind up to a size between 2 and 6 KB. */
function post(random: Random): string {
  const language = pickLanguage(random)
  const size = 2_000 + random(3_600)
  const blocks = [`# ${fill(pick(random, headings), random)}`, paragraph(random, language, 3)]
  while (blocks.join('\n\n').length < size) blocks.push(section(random, language))
  return blocks.join('\n\n')
}

function section(random: Random, language: Language | null): string {
  const kind = random(100)
  if (kind < 14) return `## ${fill(pick(random, headings), random)}`
  if (kind < 50) return paragraph(random, language, 1 + random(4))
  if (kind < 72) return lines(3 + random(6), () => `* ${item(random, language)}`)
  if (kind < 85) return fencedCode(random)
  if (kind < 95) return lines(3 + random(6), () => fill(pick(random, logLines), random))
  return fill(random(2) === 0 ? '<!{number}{number}|{snake}.pdf>' : '{mention} {mention} {mention}', random)
}

function paragraph(random: Random, language: Language | null, sentenceCount: number): string {
  const sentences = Array.from({ length: sentenceCount }, () =>
    random(10) < 3 ? chatLine(random, language) : sentence(random, language),
  )
  if (random(4) === 0) sentences.unshift(fill(pick(random, formatted), random))
  return sentences.join(' ')
}

function item(random: Random, language: Language | null): string {
  const text = random(10) < 4 ? fill(pick(random, technical), random) : sentence(random, language)
  return random(3) === 0 ? `${fill(pick(random, formatted), random)} ${text}` : text
}

function fencedCode(random: Random): string {
  const code = lines(4 + random(10), () => '  '.repeat(random(3)) + fill(pick(random, codeLines), random))
  return `\`\`\`${pick(random, infoStrings)}\n${code}\n\`\`\``
}

function lines(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('\n')
}

/** Paragraphs of sentences without markup up to a size between 2 and 5 KB. */
function prose(random: Random): string {
  const language = pickLanguage(random)
  // What a chat's sentences point to has no place in prose.
  const sentences = language?.sentences.filter((each) => !/\{(?!name|month|number)/.test(each))
  const size = 2_000 + random(3_000)
  const paragraphs: string[] = []
  while (paragraphs.join('\n\n').length < size) {
    const count = 3 + random(5)
    const paragraph = Array.from({ length: count }, () =>
      sentences === undefined ? capitalised(composed(proseParts, random)) : fill(pick(random, sentences), random),
    )
    paragraphs.push(paragraph.join(' '))
  }
  return paragraphs.join('\n\n')
}

/** Picks a language by its share; English, which has the rest, is null. */
function pickLanguage(random: Random): Language | null {
  let left = random(100)
  for (const language of languages) {
    if (left < language.share) return language
    left -= language.share
  }
  return null
}

function sentence(random: Random, language: Language | null): string {
  return language === null ? englishSentence(random) : fill(pick(random, language.sentences), random)
}

function englishSentence(random: Random): string {
  const text = composed(chatParts, random)
  return random(3) === 0 ? text : capitalised(text)
}

/** Takes one of each list of parts, in order. */
function composed(parts: readonly (readonly string[])[], random: Random): string {
  let text = ''
  for (const choices of parts) {
    const part = fill(pick(random, choices), random)
    if (part !== '') text += text === '' || /^[.,;!?]/.test(part) ? part : ` ${part}`
  }
  return text
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Puts something into every `{slot}` of a sentence. */
function fill(template: string, random: Random): string {
  return template.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const values = slots[slot]
    return values === undefined ? (makers[slot]?.(random) ?? whole) : fill(pick(random, values), random)
  })
}

const makers: Readonly<Record<string, (random: Random) => string>> = {
  digit: (random) => String(1 + random(9)),
  number: (random) => String(random(random(2) === 0 ? 100 : 5_000)),
  letter: (random) => String.fromCharCode(97 + random(26)),
  time: (random) => `${7 + random(12)}:${String(random(60)).padStart(2, '0')}`,
  clock: (random) => fill(`{time}:${10 + random(50)}`, random),
  date: (random) => `2026-${String(1 + random(12)).padStart(2, '0')}-${String(1 + random(28)).padStart(2, '0')}`,
  version: (random) => `${random(5)}.${random(20)}.${random(10)}`,
  ticket: (random) => `${pick(random, ['OPS', 'WEB', 'APP'])}-${random(10_000)}`,
  hash: (random) => (0x10000000 + random(0xfffffff)).toString(16),
  snake: (random) => words(random, 2 + random(2)).join('_'),
  constant: (random) => words(random, 2).join('_').toUpperCase(),
  flag: (random) => words(random, 2).join('-'),
  branch: (random) => `${pick(random, ['fix', 'feature', 'release'])}/${words(random, 2).join('-')}`,
  camel: (random) =>
    words(random, 2)
      .join('_')
      .replace(/_./, (start) => start.charAt(1).toUpperCase()),
  path: (random) =>
    `${words(random, 2).join('/')}/${words(random, 2).join(random(2) === 0 ? '_' : '-')}.${fill('{extension}', random)}`,
  url: (random) => {
    const path = words(random, 1 + random(3)).join('/')
    const query = random(4) === 0 ? `?${words(random, 2).join('_')}=${random(1_000)}` : ''
    return `https://${fill('{host}', random)}/${path}${random(3) === 0 ? `_${fill('{word}', random)}` : ''}${query}`
  },
  mention: (random) => `<@${10_000_000 + random(1_000_000)}${random(4) === 0 ? '' : fill('|{name}', random)}>`,
}

function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => fill('{word}', random))
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** Mulberry32: a small generator whose integer arithmetic gives the same sequence on every machine. */
export function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
