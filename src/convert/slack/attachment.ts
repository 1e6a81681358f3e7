/** Slack's attachments as mdast: what bots posted before there were blocks, and most alerts still do. */
import type { PhrasingContent, RootContent } from 'mdast'
import { readBlock } from './block-kit.js'
import { fieldOf, listIn, stringIn } from './fields.js'
import { readMrkdwn } from './mrkdwn.js'
import { note, noteKind, type Reading, unescapeText } from './reading.js'

/** Reads one attachment, from top to bottom as it is shown. */
export function readAttachment(attachment: unknown, reading: Reading): RootContent[] {
  const field = (name: string): string => stringIn(attachment, name)
  const content = [
    ...linked(field('author_name'), field('author_link'), field('author_subname')),
    ...titled(field('title'), field('title_link')),
    ...readMrkdwn(field('text'), reading),
    ...readFields(listIn(attachment, 'fields'), reading),
    ...listIn(attachment, 'blocks').flatMap((block) => readBlock(block, reading)),
    ...imageOf(field('image_url')),
    ...readFooter(attachment),
    ...listIn(attachment, 'actions').flatMap((action) => readAction(action, reading)),
  ]
  // Who sees the rest of it does not see the fallback.
  const shown = content.length > 0 ? content : readMrkdwn(field('fallback'), reading)
  return [...readMrkdwn(field('pretext'), reading), ...coloured(shown, field('color'), reading)]
}

function linked(name: string, url: string, more: string): RootContent[] {
  if (name === '') return []
  const text: PhrasingContent = { type: 'text', value: unescapeText(name) }
  const behind: PhrasingContent[] = more === '' ? [] : [{ type: 'text', value: ` ${unescapeText(more)}` }]
  return [paragraph([url === '' ? text : { type: 'link', url, children: [text] }, ...behind])]
}

function titled(title: string, url: string): RootContent[] {
  if (title === '') return []
  const text: PhrasingContent = { type: 'text', value: unescapeText(title) }
  return [paragraph([{ type: 'strong', children: [url === '' ? text : { type: 'link', url, children: [text] }] }])]
}

/** Fields of one line stand in lines behind their titles; a longer one has its title above it. */
function readFields(fields: readonly unknown[], reading: Reading): RootContent[] {
  const blocks: RootContent[] = []
  let lines: PhrasingContent[] = []
  const flush = (): void => {
    if (lines.length > 0) blocks.push(paragraph(lines))
    lines = []
  }
  for (const field of fields) {
    const title = unescapeText(stringIn(field, 'title'))
    const value = readMrkdwn(stringIn(field, 'value'), reading)
    const [first, ...others] = value
    const isLine =
      others.length === 0 && (first === undefined || (first.type === 'paragraph' && !hasBreak(first.children)))
    if (!isLine) flush()
    const line = isLine && first?.type === 'paragraph' ? first.children : []
    const name: PhrasingContent[] = title === '' ? [] : [strong(isLine && line.length > 0 ? `${title}:` : title)]
    const gap: PhrasingContent[] = name.length > 0 && line.length > 0 ? [{ type: 'text', value: ' ' }] : []
    if (name.length + line.length > 0)
      lines.push(...(lines.length > 0 ? [{ type: 'break' as const }] : []), ...name, ...gap, ...line)
    if (isLine) continue
    flush()
    blocks.push(...value)
  }
  flush()
  return blocks
}

function hasBreak(nodes: readonly PhrasingContent[]): boolean {
  return nodes.some(({ type }) => type === 'break')
}

/** Slack shows no text for the image of an attachment, so it is labelled by its file. */
function imageOf(url: string): RootContent[] {
  const [, name = ''] = /([^/?#]+)(?:[?#].*)?$/.exec(url.replace(/^\w+:\/\/[^/]*/, '')) ?? []
  return url === '' ? [] : [paragraph([{ type: 'image', url, alt: decoded(name) || 'image' }])]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The footer, and when it happened: a number of seconds, which Slack shows in everybody's own time. */
function readFooter(attachment: unknown): RootContent[] {
  const seconds = Number(fieldOf(attachment, 'ts') ?? Number.NaN)
  const isTime = seconds > 0 && seconds < SECONDS_MAX
  const time = isTime ? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  const parts = [unescapeText(stringIn(attachment, 'footer')), time].filter((part) => part !== '')
  return parts.length === 0 ? [] : [paragraph([{ type: 'text', value: parts.join(' | ') }])]
}

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_800

/** A button leads somewhere or does something; everything else only does something. */
function readAction(action: unknown, reading: Reading): RootContent[] {
  const [kind, label, url] = ['type', 'text', 'url'].map((name) => stringIn(action, name)) as [string, string, string]
  if (url === '') noteKind(reading, 'slack-block', kind)
  if (label === '') return []
  const text: PhrasingContent = { type: 'text', value: unescapeText(url === '' ? `[${label}]` : label) }
  return [paragraph([url === '' ? text : { type: 'link', url, children: [text] }])]
}

const names: Readonly<Record<string, string>> = { good: '🟩', warning: '🟨', danger: '🟥' }

/** The colour of the bar next to an attachment often says whether it is good news: a square before the first line says so too. */
function coloured(content: readonly RootContent[], colour: string, reading: Reading): readonly RootContent[] {
  const value = Object.hasOwn(names, colour) ? names[colour] : squareOf(colour)
  if (value === undefined) return content
  note(reading, 'slack-colour', 0, 0)
  const [first, ...others] = content
  if (first?.type !== 'paragraph') return [paragraph([{ type: 'text', value }]), ...content]
  return [{ ...first, children: [{ type: 'text', value: `${value} ` }, ...first.children] }, ...others]
}

/** By the angle of the hue at which each ends. */
const hues: readonly (readonly [end: number, square: string])[] = [
  ...([
    [15, '🟥'],
    [45, '🟧'],
    [70, '🟨'],
    [170, '🟩'],
    [260, '🟦'],
    [330, '🟪'],
    [360, '🟥'],
  ] as const),
]

/** The square that is nearest to a colour as `#36a64f`. */
function squareOf(colour: string): string | undefined {
  const [, hexadecimal] = /^#?([\da-f]{6})$/i.exec(colour) ?? []
  if (hexadecimal === undefined) return undefined
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hexadecimal.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const range = most - least
  if (range < 32) return most < 128 ? '⬛' : '⬜'
  const sixth =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4
  return hues.find(([end]) => sixth * 60 <= end)?.[1]
}

function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [{ type: 'text', value }] }
}

function paragraph(children: PhrasingContent[]): RootContent {
  return { type: 'paragraph', children }
}
