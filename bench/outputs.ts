/**
 * Outputs of language models: CommonMark with GFM, with every construct that models use, nested as they nest it. They are
 * made from one seed on every run. Except in fenced code, their visible text contains no markup character: if one shows,
 * it is a marker.
 */
import { createRandom, pick, type Random } from './random.js'

/** Makes outputs, each of one to four kilobytes. */
export function makeOutputs(count: number): readonly string[] {
  const random = createRandom(20)
  return Array.from({ length: count }, () => output(random))
}

/** Makes the same outputs for CommonMark parsers: with a space wherever CommonMark would not close emphasis. */
export function makeSpacedOutputs(count: number): readonly string[] {
  return makeOutputs(count).map((given) =>
    given
      .split('\n\n')
      .filter((some) => !translations.includes(some))
      .join('\n\n')
      .replace(/:\*\*(?=[\p{L}\p{N}])/gu, ':** '),
  )
}

function output(random: Random): string {
  const blocks: string[] = []
  const size = 600 + random(2_400)
  const definitions: string[] = []
  if (random(4) === 0) {
    definitions.push(`[guide]: https://example.com/guide${random(9)} "The guide"`)
    blocks.push(definitions.join('\n'))
  }
  while (blocks.join('\n\n').length < size) blocks.push(block(random, definitions.length > 0))
  return blocks.join('\n\n')
}

function block(random: Random, hasGuide: boolean): string {
  const kind = random(100)
  if (kind < 12) return `${'#'.repeat(1 + random(4))} ${inline(random, 2)}`
  if (kind < 45) return paragraph(random, hasGuide)
  if (kind < 60) return list(random, 0)
  if (kind < 68) return table(random)
  if (kind < 78) return fence(random)
  if (kind < 84) return quoted(random)
  if (kind < 88) return pick(random, ['---', '***', '- - -'])
  if (kind < 92) return `${words(random, 4)}\n${pick(random, ['===', '---', '-'])}`
  if (kind < 95) return html(random)
  return pick(random, translations)
}

const nouns =
  'build release server token table answer model thread limit chunk message bridge script folder reader writer queue'
const verbs = 'reads writes sends needs keeps shows moves splits checks waits for runs before follows'
const others = 'the a each every next first new old long small with from into after then now also 3rd v12 Q4'
const vocabulary: readonly string[] = `${nouns} ${verbs} ${others} ${others}`.split(' ')

/** Sentences in which emphasis is next to letters without a space. */
const translations: readonly string[] = [
  '**注意：**この設定は**「重要」**です。次の*手順*に従ってください。',
  '**작성자**가 **(관리자)**를 확인합니다. `코드`는 그대로 둡니다.',
  '**重要：**请先运行`命令`，然后查看~~旧的~~**新的**结果。',
  '**Status:**OK and **Owner:**team, as the *form* says.',
  'ขั้นตอน**แรก**คือการอ่าน และ*ขั้นตอน*ถัดไป',
]

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => pick(random, vocabulary)).join(' ')
}

function inline(random: Random, parts: number): string {
  return Array.from({ length: parts }, () => {
    const text = words(random, 1 + random(4))
    return random(5) < 2 ? formatted(random, text) : text
  }).join(' ')
}

function formatted(random: Random, text: string): string {
  switch (random(16)) {
    case 0:
    case 1:
    case 2:
      return `**${text}**`
    case 3:
      return `*${text}*`
    case 4:
      return `_${text}_`
    case 5:
    case 6:
      return `\`${text}\``
    case 7:
      return `~~${text}~~`
    case 8:
      return `***${text}***`
    case 9:
      return `**${text} *${words(random, 2)}* ${words(random, 1)}**`
    case 10:
      return `[${text}](https://example.com/${random(99)}${random(3) === 0 ? ' "Title"' : ''})`
    case 11:
      return `[**${text}** \`${words(random, 1)}\`](https://example.com/a_b_(${random(9)}))`
    case 12:
      return `![${text}](https://example.com/${random(99)}.png)`
    case 13:
      return pick(random, ['<https://example.com/a_b>', 'https://example.com/a_b?c=d', '**https://example.com**'])
    case 14:
      return pick(random, [
        `<b>${text}</b>`,
        `<kbd>${text}</kbd>`,
        `${text}<br>${text}`,
        `<span class="a b">${text}</span>`,
      ])
    default:
      return `**${text}:**${words(random, 1)}`
  }
}

function sentence(random: Random): string {
  return `${inline(random, 2 + random(4))}${pick(random, ['.', '.', '!', '?', ':', ', so', ' &amp; more.'])}`
}

function paragraph(random: Random, hasGuide: boolean): string {
  const sentences = Array.from({ length: 1 + random(4) }, () => sentence(random))
  if (hasGuide && random(3) === 0)
    sentences.push(pick(random, ['See [the guide][guide].', 'Read the [guide].', '![logo][guide]']))
  return sentences.join(pick(random, [' ', ' ', '\n', '  \n', ' \\\n']))
}

function list(random: Random, depth: number): string {
  const isOrdered = random(3) === 0
  const marker = pick(random, ['-', '*', '+'])
  const gap = random(4) === 0 ? '\n\n' : '\n'
  const items = Array.from({ length: 2 + random(4) }, (_, index) => {
    const mark = isOrdered ? `${index + 1}.` : marker
    const box = !isOrdered && random(6) === 0 ? pick(random, ['[ ] ', '[x] ']) : ''
    const inner = [`${box}${random(3) === 0 ? `**${words(random, 2)}:** ` : ''}${inline(random, 2)}`]
    if (depth < 2 && random(4) === 0) inner.push(list(random, depth + 1))
    if (depth < 1 && random(8) === 0) inner.push(`\n${fence(random)}`)
    if (depth < 1 && random(12) === 0) inner.push(`\n${table(random)}`)
    const indent = ' '.repeat(mark.length + 1)
    return `${mark} ${inner.join('\n').replace(/\n(?=[^\n])/g, `\n${indent}`)}`
  })
  return items.join(gap)
}

function table(random: Random): string {
  const columns = 2 + random(3)
  const row = (cell: () => string): string => `| ${Array.from({ length: columns }, cell).join(' | ')} |`
  const rows = Array.from({ length: 1 + random(5) }, () => row(() => (random(6) === 0 ? '' : inline(random, 1))))
  return [row(() => words(random, 1)), row(() => pick(random, ['---', ':--', '--:', ':-:'])), ...rows].join('\n')
}

function fence(random: Random): string {
  const code = Array.from({ length: 1 + random(5) }, () =>
    pick(random, [
      'const a = b[0] * 2',
      '# install',
      'npm ci && npm test',
      '',
      '  return [x]',
      '| a | b |',
      '- x',
      '**not bold**',
    ]),
  )
  const marks = pick(random, ['```', '```', '```', '~~~', '````'])
  return `${marks}${pick(random, ['', 'js', 'sh', 'ts title="a.ts"'])}\n${code.join('\n')}\n${marks}`
}

function quoted(random: Random): string {
  const inner = random(3) === 0 ? `${sentence(random)}\n\n${list(random, 1)}` : sentence(random)
  return inner.replace(/^/gm, '> ')
}

function html(random: Random): string {
  return pick(random, [
    `<details>\n<summary>${words(random, 2)}</summary>\n\n${sentence(random)}\n\n</details>`,
    `<p align="center">\n  <b>${words(random, 3)}</b>\n</p>`,
    `<!-- ${words(random, 3)} -->`,
  ])
}
