/**
 * The messages of four corpora: `calm`, chat messages with little markup; `plain`, those of them without markup; `post`,
 * posts with every construct; `prose`, long texts without markup.
 */
import { countMarks } from './marks.js'
import { pick, type Random } from './random.js'
import {
  codeLines,
  elaborated,
  formatted,
  headings,
  infoStrings,
  type Language,
  logLines,
  proseParts,
  reactions,
  technical,
} from './vocabulary.js'
import { capitalized, composed, fill, lines, pickLanguage, sentence } from './wording.js'

/** Makes one line; in one message out of ten two or three lines. All are in one language. */
export function calmMessage(random: Random): string {
  const language = pickLanguage(random)
  const lineCount = random(10) > 0 ? 1 : 2 + random(2)
  return lines(lineCount, () => calmLine(random, language))
}

export function calmLine(random: Random, language: Language | null): string {
  const kind = random(100)
  if (kind < 14) return fill(pick(random, reactions), random)
  let line = kind < 36 ? fill(pick(random, technical), random) : sentence(random, language)
  if (random(100) < 25) line += ` ${sentence(random, language)}`
  if (random(100) < 9) line = `${fill(pick(random, formatted), random)} ${line}`
  if (random(100) < 8) line = `${fill('{mention}', random)} ${line}`
  if (random(100) < 16) line += ` ${fill('{emoji}', random)}`
  return line
}

/** Makes a heading and an introduction, then sections of every kind up to a size between 2 and 6 KB. */
export function post(random: Random): string {
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
  if (kind < 85) return fencedCode(random, 4 + random(10))
  if (kind < 95) return lines(3 + random(6), () => fill(pick(random, logLines), random))
  return fill(pick(random, ['<!{userID}|{snake}.pdf>', '<@{userID}>', '{mention} {mention} {mention}']), random)
}

function paragraph(random: Random, language: Language | null, sentenceCount: number): string {
  const sentences = Array.from({ length: sentenceCount }, () =>
    random(10) < 3 ? calmLine(random, language) : sentence(random, language),
  )
  if (random(4) === 0) sentences.unshift(fill(pick(random, formatted), random))
  if (random(3) === 0) sentences.push(`${fill(pick(random, elaborated), random)}.`)
  return sentences.join(random(8) === 0 ? '\n' : ' ')
}

function item(random: Random, language: Language | null): string {
  const text = random(10) < 4 ? fill(pick(random, technical), random) : sentence(random, language)
  return random(3) === 0 ? `${fill(pick(random, formatted), random)} ${text}` : text
}

/** Makes fenced code with the given number of lines. */
export function fencedCode(random: Random, lineCount: number): string {
  const code = lines(lineCount, () => '  '.repeat(random(3)) + fill(pick(random, codeLines), random))
  const fence = random(8) === 0 ? '````' : '```'
  return `${fence}${pick(random, infoStrings)}\n${code}\n${fence}`
}

/** Makes a message of a calm chat without a character that may be markup. */
export function plainMessage(random: Random): string {
  for (;;) {
    const message = calmMessage(random)
    if (countMarks(message) === 0) return message
  }
}

/** Makes paragraphs without markup up to a size between 2 and 5 KB. */
export function prose(random: Random): string {
  const language = pickLanguage(random)
  // Sentences of a chat have slots for names, commands and URLs; prose has none.
  const sentences = language?.sentences.filter((each) => !/\{(?!name|month|number)/.test(each))
  const size = 2_000 + random(3_000)
  const paragraphs: string[] = []
  while (paragraphs.join('\n\n').length < size) {
    const count = 3 + random(5)
    const paragraph = Array.from({ length: count }, () =>
      sentences === undefined ? capitalized(composed(proseParts, random)) : fill(pick(random, sentences), random),
    )
    paragraphs.push(paragraph.join(' '))
  }
  return paragraphs.join('\n\n')
}
