/** Reads Slack's attachments as mdast. Bots used them before blocks existed, and most alerts still do. */
import type { BlockContent, PhrasingContent, RootContent } from 'mdast'
import { joinLines } from '../../convert/lines.js'
import { readBlock, readValue } from './block-kit.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, paragraph, text } from './nodes.js'
import { listIn, numberIn, reportLoss, type SlackReading, stringIn, unescapeText } from './reading.js'

/** Reads one attachment without its thumbnail, in the order in which Slack shows it. */
export function readAttachment(attachment: unknown, reading: SlackReading): RootContent[] {
  const field = (name: string): string => stringIn(attachment, name)
  const author = unescapeText([field('author_name'), field('author_subname')].join(' ').trim())
  const title = unescapeText(field('title'))
  const content = [
    ...(author === '' ? [] : [paragraph(linkTo(field('author_link'), author))]),
    ...(title === '' ? [] : [paragraph({ type: 'strong', children: [linkTo(field('title_link'), title)] })]),
    ...readMrkdwn(field('text'), reading),
    ...readFields(listIn(attachment, 'fields'), reading),
    ...readValue(listIn(attachment, 'blocks'), reading),
    ...(field('image_url') === '' ? [] : readBlock({ type: 'image', image_url: field('image_url') }, reading)),
    ...readFooter(unescapeText(field('footer')), numberIn(attachment, 'ts')),
    ...listIn(attachment, 'actions').flatMap((action) => readBlock(action, reading)),
  ]
  // Slack shows the fallback only if it cannot show the rest.
  const body = content.length > 0 ? content : readMrkdwn(field('fallback'), reading)
  return [...readMrkdwn(field('pretext'), reading), ...addColor(body, field('color'), reading)]
}

/** Reads fields: the title, then the value. Fields whose values have one line become lines of one paragraph. */
function readFields(fields: readonly unknown[], reading: SlackReading): BlockContent[] {
  const blocks: BlockContent[] = []
  let isOpen = false
  for (const field of fields) {
    const title = unescapeText(stringIn(field, 'title'))
    const [first, ...others] = readMrkdwn(stringIn(field, 'value'), reading)
    const value = first?.type === 'paragraph' ? first.children : []
    const isLine = !value.some(({ type }) => type === 'break')
    const name = text(value.length > 0 ? `${title}:` : title)
    const label: PhrasingContent[] = title === '' ? [] : [{ type: 'strong', children: [name] }]
    const gap: PhrasingContent = isLine ? text(' ') : { type: 'break' }
    const line = label.length > 0 && value.length > 0 ? [...label, gap, ...value] : [...label, ...value]
    const last = blocks.at(-1)
    if (isOpen && isLine && last?.type === 'paragraph') last.children = joinLines([last.children, line])
    else blocks.push({ type: 'paragraph', children: line })
    isOpen = isLine
    for (const block of value.length > 0 || first === undefined ? others : [first, ...others]) blocks.push(block)
  }
  return blocks
}

/** Reads the footer and the time, which is in seconds since 1970. */
function readFooter(footer: string, seconds: number): RootContent[] {
  const isTime = seconds > 0 && seconds < SECONDS_MAX
  const time = isTime ? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''
  const line = [footer, time].filter((part) => part !== '').join(' | ')
  return line === '' ? [] : [paragraph(text(line))]
}

/** The end of the year 9999, in seconds since 1970. */
const SECONDS_MAX = 253_402_300_800

/** Adds a square of the attachment's color before the first line, because the color often tells good news from bad. */
function addColor(content: readonly RootContent[], color: string, reading: SlackReading): readonly RootContent[] {
  const square = Object.hasOwn(namedSquares, color) ? namedSquares[color] : squareOf(color)
  if (square === undefined) return content
  reportLoss(reading, 'slack-color')
  const [first, ...others] = content
  if (first?.type !== 'paragraph') return [paragraph(text(square)), ...content]
  return [{ type: 'paragraph', children: [text(`${square} `), ...first.children] }, ...others]
}

const namedSquares: Readonly<Record<string, string>> = { good: '🟩', warning: '🟨', danger: '🟥' }

/** The squares at every twelfth of the color wheel. */
const squares = [...'🟥🟧🟨🟩🟩🟩🟦🟦🟦🟪🟪🟪']

/** Returns the square nearest to a color, for example `#36a64f`; undefined if the text is not a color. */
function squareOf(color: string): string | undefined {
  if (!/^#?[\da-f]{6}$/i.test(color)) return undefined
  const [red = 0, green = 0, blue = 0] = [-6, -4, -2].map((at) =>
    Number.parseInt(color.slice(at, at + 2 || undefined), 16),
  )
  const brightness = Math.max(red, green, blue)
  if (brightness - Math.min(red, green, blue) < 32) return brightness < 128 ? '⬛' : '⬜'
  const hue = Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) / (2 * Math.PI)
  return squares.at(Math.round(hue * squares.length) % squares.length)
}
