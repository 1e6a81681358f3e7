/** The first inputs of the fuzzer: the examples of the chapters and of other specifications. */

import { examples } from '../../src/api/contract/examples.js'
import type { EndpointName } from '../../src/api/contract/types.js'
import { readConversions } from '../convert/examples.js'
import { specInputs } from '../convert/markdown.js'
import { readChapters } from '../fixtures/chapter.js'
import { MARK } from '../properties/template.js'

/** Maximum length of a first input. Longer ones find little more. */
const LENGTH_MAX = 600

function short(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text.length <= LENGTH_MAX)
}

let ofChapters: readonly string[] | null = null

/** Every block of every example. */
export function dialectSeeds(): readonly string[] {
  ofChapters ??= short(readChapters().flatMap((chapter) => chapter.examples.flatMap(({ blocks }) => blocks)))
  return ofChapters
}

/** Markdown of the chapter of conversions, of CommonMark and of GFM. */
export function markdownSeeds(): string[] {
  return short([...conversionsFrom(['markdown']), ...specInputs])
}

/** Input of Slack's bots: text, blocks as JSON, payloads as JSON. */
export function slackSeeds(): string[] {
  const json = conversionsFrom(['blocks', 'payload']).map((text) => JSON.stringify(JSON.parse(text)))
  return [...conversionsFrom(['slack']).map((text) => JSON.stringify(text)), ...json]
}

function conversionsFrom(wanted: readonly string[]): string[] {
  return readConversions().flatMap((entry) =>
    typeof entry !== 'string' && wanted.includes(entry.from) ? [entry.input] : [],
  )
}

/** The placeholder for a value, and a template with placeholders for its values. */
export function templateSeeds(): string[] {
  const values = ['a', '*a*\nb', '', 'x](y:z) **', '\u2063_a_\u2063', 'http://a.b', '`', '<@1|a>']
  return dialectSeeds().map((source, index) => {
    const at = (index * 7) % (source.length + 1)
    return [values[index % values.length], source.slice(0, at), source.slice(at)].join(MARK)
  })
}

/** Bodies of an endpoint, with the names of existing objects (`service.ts`). */
export function bodySeeds(name: EndpointName): string[] {
  const { body } = examples[name]
  const bodies: unknown[] = [body ?? {}, {}, { name: 'a', userIDs: ['USER'], emails: ['ann@people.test'] }]
  bodies.push({ channelID: 'CHANNEL' }, { threadID: 'THREAD' }, { commentID: 'COMMENT' }, { chatID: 'CHAT' })
  bodies.push({ messageID: 'MESSAGE' }, { channelID: 'CHANNEL', emails: ['ann@people.test'] })
  const sources = dialectSeeds().filter((_, index) => index % 23 === 0)
  for (const source of sources) {
    bodies.push({ channelID: 'CHANNEL', channel: 'general', blocks: [source, '<!FILE|a>'] })
    bodies.push({ threadID: 'THREAD', parentID: 'COMMENT', blocks: [source] })
    bodies.push({ chatID: 'CHAT', chat: 'ops', body: source })
  }
  return bodies.map((each) => JSON.stringify(each))
}

/** The query of a list. */
export const querySeeds: readonly string[] = [
  '',
  'limit=1',
  'limit=1000&cursor=MTAwMDAx',
  'limit=0',
  'cursor=',
  'limit=1&limit=2',
]

/** Uploads, from the first boundary to the last. */
export const formSeeds: readonly string[] = [
  part('form-data; name="data"; filename="a.txt"', 'text/plain', 'text'),
  part('form-data; name="data"; filename="a.png"', 'image/png', '\u0089PNG\r\n\u001a\n'),
  part('form-data; name="data"; filename="a.svg"', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  part('form-data; name="data"; filename*=UTF-8\'\'%e4%b8%ad.pdf', 'application/pdf', '%PDF-1.4\n'),
  part('form-data; name="other"', 'text/plain', 'text'),
  '--X--\r\n',
]

function part(disposition: string, type: string, content: string): string {
  return `--X\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--X--\r\n`
}
