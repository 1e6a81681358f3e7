/** Messages that hold a construct n times, and otherwise nothing: those with one more of it are as long. */
import type { ConstructName } from './construct-counts.js'
import { pick, type Random } from './random.js'

interface Sample {
  /** Makes the message with so many of it. */
  make: (count: number, random: Random) => readonly string[]
  /** By how many of the construct two samples differ whose counts differ by one. */
  step: number
}

/** Few enough for a message of a chat. */
export const countMax = 5

const url = 'https://example.com/path'

export const samples: Readonly<Record<ConstructName, Sample | null>> = {
  message: { make: (count, random) => Array.from({ length: count }, () => plain(random, 120 / count)), step: 1 },
  'message with markup': null,
  character: { make: (count, random) => [plain(random, 100 * count)], step: 100 },
  'character outside ASCII': { ...among(() => 'пожалуйста'), step: 10 },
  strong: among((word) => `**${word}**`),
  emphasis: among((word) => `*${word}*`),
  underline: among((word) => `_${word}_`),
  delete: among((word) => `-${word}-`),
  'named link': among((word) => `[${word}](${url})`),
  'bare url': among((word) => `${url}/${word}`),
  mention: among((word) => `<@10203040|${word}>`),
  'code span': among((word) => `\`${word}\``),
  item: among((word) => `${word}\n* ${word}`, '* '),
  heading: among((word) => `${word}\n# ${word}`, '# '),
  'further paragraph': among((word) => `${word}\n\n${word}`),
  break: among((word) => `${word}\n${word}`),
  '& or <': among((word) => `${word}&${word}`),
  escape: among((word) => `${word}\\*${word}`),
  'sign that stays text': among((word) => `${word} - ${word}`),
  'line of fenced code': among((word) => `${word}\n${word}`, '```\n'),
}

/** A text with {@link countMax} places between words, of which so many hold the construct, the others as many letters. */
function among(construct: (word: string) => string, begin = ''): Sample {
  const make = (count: number, random: Random): readonly string[] => {
    let message = begin + plain(random, 10)
    for (let place = 0; place < countMax; place += 1) {
      const made = construct(pick(random, words))
      message += ` ${place < count ? made : plain(random, made.length)} ${plain(random, 10)}`
    }
    return [message]
  }
  return { make, step: 1 }
}

/** Of one length, so that the samples are. */
const words: readonly string[] =
  'again every first great house large learn never other place plant point right small sound still study'.split(' ')

/** So many characters of words. */
function plain(random: Random, length: number): string {
  let text = pick(random, words)
  while (text.length < length) text += ` ${pick(random, words)}`
  return text.slice(0, length).replace(/ $/, 's')
}
