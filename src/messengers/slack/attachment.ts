/** Slack's attachments as mdast: the format of bots before there were blocks, and still of most alerts. */
import type { PhrasingContent, RootContent } from 'mdast'
import { readBlock } from './block-kit.js'
import { readMrkdwn } from './mrkdwn.js'
import { joinLines, linkTo, paragraph, strong, text } from './nodes.js'
import { fieldOf, listIn, note, type SlackReading, stringIn, unescapeText } from './reading.js'

/** Reads one attachment, in the order in which Slack shows it. Its thumbnail is left out. */
export function readAttachment(attachment: unknown, reading: SlackReading): RootContent[] {
  const field = (name: string): string => stringIn(attachment, name)
  const plain = (name: string): string => unescapeText(field(name))
  const more = field('author_subname') === '' ? [] : [text(` ${plain('author_subname')}`)]
  const content = [
    ...(field('author_name') === '' ? [] : [paragraph(linkTo(field('author_link'), plain('author_name')), ...more)]),
    ...(field('title') === '' ? [] : [paragraph(strong(linkTo(field('title_link'), plain('title'))))]),
    ...readMrkdwn(field('text'), reading),
    ...readFields(listIn(attachment, 'fields'), reading),
    ...listIn(attachment, 'blocks').flatMap((block) => readBlock(block, reading)),
    ...imageOf(field('image_url')),
    ...readFooter(attachment),
    ...listIn(attachment, 'actions').flatMap((action) => readAction(action, reading)),
  ]
  // Slack shows the fallback only if it cannot show the rest.
  const shown = content.length > 0 ? content : readMrkdwn(field('fallback'), reading)
  return [...readMrkdwn(field('pretext'), reading), ...colored(shown, field('color'), reading)]
}

/** A field with one line is a line after its title; the title of a longer field is above it. */
function readFields(fields: readonly unknown[], reading: SlackReading): RootContent[] {
  const blocks: RootContent[][] = []
  let lines: PhrasingContent[][] = []
  const flush = (): void => {
    if (lines.length > 0) blocks.push([{ type: 'paragraph', children: joinLines(lines) }])
    lines = []
  }
  for (const field of fields) {
    const title = unescapeText(stringIn(field, 'title'))
    const value = readMrkdwn(stringIn(field, 'value'), reading)
    const [first] = value
    const isLine =
      value.length === 1 && first?.type === 'paragraph' && !first.children.some(({ type }) => type === 'break')
    if (title !== '' && isLine) lines.push([strong(text(`${title}:`)), text(' '), ...first.children])
    else if (isLine) lines.push(first.children)
    else {
      if (value.length > 0) flush()
      if (title !== '') lines.push([strong(text(title))])
      if (value.length > 0) flush()
      blocks.push(value)
    }
  }
  flush()
  return blocks.flat()
}

/** Slack shows no text for the image of an attachment: its label is the name of its file. */
function imageOf(url: string): RootContent[] {
  // A match starts at the start of a segment, so that the search is linear.
  const [, name = ''] = /(?<![^/?#])([^/?#]+)(?:[?#].*)?$/s.exec(url.replace(/^\w+:\/\/[^/]*/, '')) ?? []
  return url === '' ? [] : [paragraph({ type: 'image', url, alt: decoded(name) || 'image' })]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The footer and the time, a number of seconds. */
function readFooter(attachment: unknown): RootContent[] {
  const seconds = Number(fieldOf(attachment, 'ts') ?? Number.NaN)
  const isTime = seconds > 0 && seconds < SECONDS_MAX
  const time = isTime ? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  const parts = [unescapeText(stringIn(attachment, 'footer')), time].filter((part) => part !== '')
  return parts.length === 0 ? [] : [paragraph(text(parts.join(' | ')))]
}

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_800

/** A button with a URL is a link; every other action works only in Slack. */
function readAction(action: unknown, reading: SlackReading): RootContent[] {
  const [label, url] = [stringIn(action, 'text'), stringIn(action, 'url')]
  if (url === '') note(reading, 'slack-block', undefined, stringIn(action, 'type'))
  return label === '' ? [] : [paragraph(linkTo(url, unescapeText(url === '' ? `[${label}]` : label)))]
}

/** The color of the bar next to an attachment often says whether the news is good: so does a square before the first line. */
function colored(content: readonly RootContent[], color: string, reading: SlackReading): readonly RootContent[] {
  const square = Object.hasOwn(names, color) ? names[color] : squareOf(color)
  if (square === undefined) return content
  note(reading, 'slack-color')
  const [first, ...others] = content
  if (first?.type !== 'paragraph') return [paragraph(text(square)), ...content]
  return [{ type: 'paragraph', children: [text(`${square} `), ...first.children] }, ...others]
}

const names: Readonly<Record<string, string>> = { good: '🟩', warning: '🟨', danger: '🟥' }

type Rgb = readonly number[]

const squares: readonly (readonly [square: string, color: Rgb])[] = [
  ['🟥', [255, 45, 45]],
  ['🟧', [255, 128, 0]],
  ['🟨', [255, 230, 0]],
  ['🟩', [0, 255, 0]],
  ['🟦', [0, 128, 255]],
  ['🟪', [128, 0, 255]],
]

/** The square nearest to a color, for example `#36a64f`, at full brightness. */
function squareOf(color: string): string | undefined {
  if (!/^#?[\da-f]{6}$/i.test(color)) return undefined
  const rgb = [-6, -4, -2].map((at) => Number.parseInt(color.slice(at, at + 2 || undefined), 16))
  const most = Math.max(...rgb)
  if (most - Math.min(...rgb) < 32) return most < 128 ? '⬛' : '⬜'
  const bright = rgb.map((value) => (value * 255) / most)
  const distances = squares.map(([, other]) => Math.hypot(...other.map((value, index) => value - (bright[index] ?? 0))))
  return squares[distances.indexOf(Math.min(...distances))]?.[0]
}
