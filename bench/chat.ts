/** The messages of `chat`: one day of a team that uses the dialect, with its bots. */
import { asides, intros, items, markers, notices, replies, statements } from './chat-vocabulary.js'
import { fencedCode } from './messages.js'
import { pick, type Random } from './random.js'
import { type Language, logLines } from './vocabulary.js'
import { fill, lines, pickLanguage, sentence } from './wording.js'

/** Makes a short reply, a line, some lines, a list, something pasted, or a bot's message. */
export function chatMessage(random: Random): string {
  const language = pickLanguage(random)
  const kind = random(100)
  if (kind < 12) return fill(pick(random, replies), random)
  if (kind < 72) return chatLine(random, language)
  if (kind < 83) return lines(2 + random(2), () => chatLine(random, language))
  if (kind < 92) return listed(random, language)
  if (kind < 95) return pasted(random, language)
  return fill(pick(random, notices).replaceAll('~', '\n'), random)
}

/** A sentence of a language or a statement, usually with something before it, in it or after it. */
function chatLine(random: Random, language: Language | null): string {
  let line = random(100) < 30 ? fill(pick(random, statements), random) : sentence(random, language)
  if (random(100) < 28) line = marked(random, line)
  if (random(100) < 7) line = fill(`{mention} ${line}`, random)
  if (random(100) < 34) line += ` ${fill(pick(random, asides), random)}`
  if (random(100) < 12) line += ` ${sentence(random, language)}`
  if (random(100) < 18) line += fill(' {emoji}', random)
  return line
}

/** Puts delimiters around the first word of four letters, or around four characters if words are not spaced. */
function marked(random: Random, line: string): string {
  const marker = pick(random, markers)
  return line.replace(/(?<=^|\s)[\p{L}\p{M}]{4,}(?=[\s,.:、。，！？!?])/u, (word) => `${marker}${word}${marker}`)
}

function listed(random: Random, language: Language | null): string {
  const item = () => (random(3) > 0 ? fill(pick(random, items), random) : chatLine(random, language))
  return `${fill(pick(random, intros), random)}\n${lines(2 + random(3), () => `* ${item()}`)}`
}

function pasted(random: Random, language: Language | null): string {
  const text =
    random(2) === 0 ? fencedCode(random, 2 + random(2)) : lines(2, () => fill(pick(random, logLines), random))
  return `${chatLine(random, language)}\n${text}`
}
