/** Slack's blocks and their elements as mdast. They come from outside: a field of the wrong type counts as absent. */
import type { PhrasingContent, RootContent, TableRow } from 'mdast'
import { parse } from '../../index.js'
import type { AnyNode } from '../../tree.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, mentionOf, paragraph, plainParagraphs, text } from './nodes.js'
import { fieldOf, listIn, reportLoss, type SlackReading, stringIn, unescapeText } from './reading.js'
import { phrasingOfElements, readRichText } from './rich-text.js'

type Read = (block: unknown, reading: SlackReading) => RootContent[]

/** Reads a block, an element or an object of text. `depth` counts the arrays and objects around it. */
export function readBlock(block: unknown, reading: SlackReading, depth = 0): RootContent[] {
  const kind = stringIn(block, 'type')
  const read = Object.hasOwn(readers, kind) ? readers[kind] : CONTROL.test(kind) ? readControl : undefined
  if (read !== undefined) return read(block, reading)
  if (!ARRANGING.test(kind) && (kind !== '' || depth === 0)) reportLoss(reading, 'slack-block', undefined, kind)
  return readStrings(block, reading, depth)
}

const readers: Readonly<Record<string, Read>> = {
  rich_text: (block, reading) => readRichText(listIn(block, 'elements'), reading),
  header: (block) => [{ type: 'heading', depth: 1, children: [text(stringIn(block, 'text'))] }],
  divider: () => [{ type: 'thematicBreak' }],
  image: readImage,
  table: readTable,
  markdown: (block, reading) => readMarkdown(stringIn(block, 'text'), reading),
  mrkdwn: (object, reading) => readMrkdwn(stringIn(object, 'text'), reading),
  plain_text: (object) => plainParagraphs(stringIn(object, 'text')),
}

/** Blocks that only arrange their elements. */
const ARRANGING = /^(?:section|context|actions|video|url)$/
/** Elements that people use. */
const CONTROL = /^(?:button|checkboxes|radio_buttons|overflow)$|_(?:select|input)$|picker$/

/** Maximum depth of arrays and objects. Slack's own blocks are less deep: a carousel, its cards, their buttons. */
const DEPTH_MAX = 12

/** The fields that hold the visible strings of a block, in the order in which Slack shows them. */
const visible: readonly string[] = [
  ...['title', 'subtitle', 'label', 'text', 'author_name', 'provider_name', 'body', 'description', 'element', 'hint'],
]

/**
 * Reads the visible strings of a block, and its other fields that may hold blocks: their strings are ids and states. The first string
 * is a link if the block has a URL.
 */
function readStrings(block: unknown, reading: SlackReading, depth: number): RootContent[] {
  const others = Object.entries(Object(block)).filter(
    ([name, value]) => !visible.includes(name) && Object(value) === value,
  )
  const values = [...visible.map((name) => fieldOf(block, name)), ...others.map(([, value]) => value)]
  const url = ['title_url', 'url', 'video_url'].map((name) => stringIn(block, name)).find((each) => each !== '')
  const [first, ...blocks] = values.flatMap((value) => readValue(value, reading, depth + 1))
  if (url === undefined) return first === undefined ? [] : [first, ...blocks]
  const isLabel = first?.type === 'paragraph'
  const link = paragraph({ type: 'link', url, children: isLabel ? first.children : [text(url)] })
  return [link, ...(isLabel || first === undefined ? [] : [first]), ...blocks]
}

/** Reads a string, or blocks of any depth. */
export function readValue(value: unknown, reading: SlackReading, depth = 0): RootContent[] {
  if (depth > DEPTH_MAX || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => readValue(each, reading, depth + 1))
  if (typeof value === 'string') return plainParagraphs(value)
  return typeof value === 'object' ? readBlock(value, reading, depth) : []
}

/** A button with a URL is a link. Any other element acts in Slack only: its visible texts are in brackets. */
function readControl(element: unknown, reading: SlackReading): RootContent[] {
  const [kind, url] = [stringIn(element, 'type'), stringIn(element, 'url')]
  if (url === '') reportLoss(reading, 'slack-block', undefined, kind)
  const shown = /^(?:checkboxes|radio_buttons)$/.test(kind) ? listIn(element, 'options') : [element]
  const labels = shown.map((each) => unescapeText(stringIn(each, 'text') || stringIn(each, 'placeholder')) || url)
  return labels
    .filter((label) => label !== '')
    .map((label) => paragraph(url === '' ? text(`[${label}]`) : linkTo(url, label)))
}

/** Reads an image. If it has no text, its label is the name of its file. */
function readImage(image: unknown): RootContent[] {
  const title = stringIn(image, 'title')
  const url = stringIn(image, 'image_url') || stringIn(fieldOf(image, 'slack_file'), 'url')
  const alt = stringIn(image, 'alt_text') || title || fileNameIn(url) || 'image'
  return [...plainParagraphs(title), paragraph({ type: 'image', url, alt })]
}

function fileNameIn(url: string): string {
  const [, path = ''] = /^\w+:\/\/[^/]*([^?#]*)/.exec(url) ?? []
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
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
  const { markdown } = reading.options
  if (markdown === undefined) reportLoss(reading, 'slack-element', undefined, 'markdown')
  // The callback decides who is mentioned.
  const mentions = Array.from(source.matchAll(/<@([^<>|]+)/g), ([, id = '']) => id)
  const read = markdown?.(source, { mentions })
  for (const message of read?.diagnostics ?? []) reading.diagnostics.push(message)
  const tree = read?.tree ?? parse(source, { position: false })
  return tree.children.map((block) => withMentions(block, reading)) as RootContent[]
}

function withMentions(node: AnyNode, reading: SlackReading): object {
  if (node.type === 'mention') return mentionOf(node.userID, node.label ?? '', reading)
  if (!('children' in node)) return node
  return { ...node, children: node.children.map((child) => withMentions(child, reading)) }
}
