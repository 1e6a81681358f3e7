/** Slack's blocks and their elements as mdast. They come from outside: a field of the wrong type counts as absent. */
import type { PhrasingContent, RootContent, TableRow } from 'mdast'
import { parse } from '../../index.js'
import type { AnyNode } from '../../tree.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, mentionOf, paragraph, plainParagraphs, text } from './nodes.js'
import { fieldOf, listIn, note, type SlackReading, stringIn } from './reading.js'
import { phrasingOfElements, readRichText } from './rich-text.js'

type Read = (block: unknown, reading: SlackReading, depth: number) => RootContent[]

/** Reads a block, an element or an object of text. `depth` counts the arrays and objects around it. */
export function readBlock(block: unknown, reading: SlackReading, depth = 0): RootContent[] {
  const kind = stringIn(block, 'type')
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (read !== undefined) return read(block, reading, depth)
  if (CONTROL.test(kind)) return readControl(block, reading)
  if (kind !== '' || depth === 0) note(reading, 'slack-block', undefined, kind)
  return readParts(block, [...visible, ...namesOfOthers(block)], reading, depth)
}

const readers: Readonly<Record<string, Read>> = {
  rich_text: (block, reading) => readRichText(listIn(block, 'elements'), reading),
  section: (block, reading, depth) => readParts(block, ['text', 'fields', 'accessory'], reading, depth),
  header: (block) => [{ type: 'heading', depth: 1, children: [text(stringIn(fieldOf(block, 'text'), 'text'))] }],
  context: (block, reading, depth) => readParts(block, ['elements'], reading, depth),
  actions: (block, reading, depth) => readParts(block, ['elements'], reading, depth),
  input: (block, reading, depth) => {
    note(reading, 'slack-block', undefined, 'input')
    return readParts(block, ['label', 'element', 'hint'], reading, depth)
  },
  divider: () => [{ type: 'thematicBreak' }],
  image: readImage,
  video: readVideo,
  table: readTable,
  markdown: (block, reading) => readMarkdown(stringIn(block, 'text'), reading),
  mrkdwn: (object, reading) => readMrkdwn(stringIn(object, 'text'), reading),
  plain_text: (object) => plainParagraphs(stringIn(object, 'text')),
  // The source of a task card.
  url: (element) => [
    paragraph(linkTo(stringIn(element, 'url'), stringIn(element, 'text') || stringIn(element, 'url'))),
  ],
}

/** Maximum depth of arrays and objects. Slack's own blocks are less deep: a carousel, its cards, their buttons. */
const DEPTH_MAX = 12

/** The fields that hold the visible strings of a block, in the order in which Slack shows them. */
const visible: readonly string[] = ['title', 'subtitle', 'label', 'text', 'body', 'description', 'hint']

/** Other fields of an unknown block that may hold blocks, for example the tasks of a plan. Their strings are ids and states. */
function namesOfOthers(block: unknown): string[] {
  const others = Object.entries(Object(block)).filter(
    ([name, value]) => !visible.includes(name) && Object(value) === value,
  )
  return others.map(([name]) => name)
}

function readParts(block: unknown, names: readonly string[], reading: SlackReading, depth: number): RootContent[] {
  return names.flatMap((name) => readValue(fieldOf(block, name), reading, depth + 1))
}

function readValue(value: unknown, reading: SlackReading, depth: number): RootContent[] {
  if (depth > DEPTH_MAX || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => readValue(each, reading, depth + 1))
  if (typeof value === 'string') return plainParagraphs(value)
  return typeof value === 'object' ? readBlock(value, reading, depth) : []
}

/** Elements that people use. */
const CONTROL = /^(?:button|checkboxes|radio_buttons|overflow)$|_(?:select|input)$|picker$/

/** A button with a URL is a link. Any other element acts in Slack only: its visible texts are in brackets. */
function readControl(element: unknown, reading: SlackReading): RootContent[] {
  const kind = stringIn(element, 'type')
  const url = stringIn(element, 'url')
  if (kind !== 'button' || url === '') note(reading, 'slack-block', undefined, kind)
  const label = stringIn(fieldOf(element, 'text'), 'text')
  if (kind === 'button') return [paragraph(linkTo(url, url === '' ? `[${label}]` : label || url))]
  const options = kind === 'checkboxes' || kind === 'radio_buttons' ? listIn(element, 'options') : []
  const texts = [fieldOf(element, 'placeholder'), ...options.map((option) => fieldOf(option, 'text'))]
  const values = [stringIn(element, 'initial_value'), ...texts.map((object) => stringIn(object, 'text'))]
  return values.filter((value) => value !== '').map((value) => paragraph(text(`[${value}]`)))
}

function readImage(image: unknown): RootContent[] {
  const title = stringIn(fieldOf(image, 'title'), 'text')
  const url = stringIn(image, 'image_url') || stringIn(fieldOf(image, 'slack_file'), 'url')
  const alt = stringIn(image, 'alt_text') || title
  return [...plainParagraphs(title), paragraph({ type: 'image', url, alt })]
}

/** A video is its title as a link, its author and provider, and its description. */
function readVideo(block: unknown): RootContent[] {
  const url = stringIn(block, 'title_url') || stringIn(block, 'video_url')
  const title = stringIn(fieldOf(block, 'title'), 'text') || stringIn(block, 'alt_text') || url
  const makers = [stringIn(block, 'author_name'), stringIn(block, 'provider_name')].filter((name) => name !== '')
  const maker: PhrasingContent[] = makers.length === 0 ? [] : [{ type: 'break' }, text(makers.join(' · '))]
  return [paragraph(linkTo(url, title), ...maker), ...plainParagraphs(stringIn(fieldOf(block, 'description'), 'text'))]
}

function readTable(block: unknown, reading: SlackReading): RootContent[] {
  const rows = listIn(block, 'rows').map((row): TableRow => {
    const cells = Array.isArray(row) ? row.map((cell: unknown) => cellOf(cell, reading)) : []
    return { type: 'tableRow', children: cells.map((children) => ({ type: 'tableCell', children })) }
  })
  return [{ type: 'table', children: rows }]
}

function cellOf(cell: unknown, reading: SlackReading): PhrasingContent[] {
  if (stringIn(cell, 'type') !== 'rich_text') return [text(stringIn(cell, 'text'))]
  return listIn(cell, 'elements').flatMap((element) => phrasingOfElements(listIn(element, 'elements'), reading))
}

/** Reads Markdown with the caller's reader; by default as the dialect, whose trees are valid mdast. */
function readMarkdown(source: string, reading: SlackReading): RootContent[] {
  if (reading.markdown === null) note(reading, 'slack-element', undefined, 'markdown')
  const read = reading.markdown?.(source, { mentions: [...reading.mentions] })
  for (const message of read?.diagnostics ?? []) reading.diagnostics.push(message)
  const tree = read?.tree ?? parse(source, { position: false })
  return tree.children.map((block) => withMentions(block, reading)) as RootContent[]
}

/** A mention of a user that may not be mentioned is text. */
function withMentions(node: AnyNode, reading: SlackReading): object {
  if (node.type === 'mention') return mentionOf(node.userID, node.label ?? '', reading)
  if (!('children' in node)) return node
  return { ...node, children: node.children.map((child) => withMentions(child, reading)) }
}
