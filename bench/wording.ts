/**
 * Writes the messages of the corpora: picks a language by its share, sentences in it, and a value for every slot.
 */
import { pick, type Random } from './random.js'
import { chatParts, type Language, languages, slots } from './vocabulary.js'

/** Picks a language by its share; null for English, which has the rest. */
export function pickLanguage(random: Random): Language | null {
  let left = random(100)
  for (const language of languages) {
    if (left < language.share) return language
    left -= language.share
  }
  return null
}

export function sentence(random: Random, language: Language | null): string {
  return language === null ? englishSentence(random) : fill(pick(random, language.sentences), random)
}

function englishSentence(random: Random): string {
  const text = composed(chatParts, random)
  return random(3) === 0 ? text : capitalized(text)
}

/** Picks one entry of each list of parts, in order. */
export function composed(parts: readonly (readonly string[])[], random: Random): string {
  let text = ''
  for (const choices of parts) {
    const part = fill(pick(random, choices), random)
    if (part !== '') text += text === '' || /^[.,;!?]/.test(part) ? part : ` ${part}`
  }
  return text
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Puts a value into every `{slot}` of a sentence. */
export function fill(template: string, random: Random): string {
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
  userID: (random) => String(10_000_000 + random(1_000_000)),
  mention: (random) => `<@${10_000_000 + random(1_000_000)}${random(4) === 0 ? '' : fill('|{name}', random)}>`,
}

export function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => fill('{word}', random))
}

export function lines(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('\n')
}
