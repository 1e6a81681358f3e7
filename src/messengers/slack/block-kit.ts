/** Reads Slack's blocks, their elements and rich text as mdast. */
import type { PhrasingContent, RootContent, TableRow } from 'mdast'
import { withBreaks } from '../../convert/lines.js'
import { blocksOfLines, type Container, type Line } from '../../convert/markers.js'
import { parse } from '../../index.js'
import type { AnyNode } from '../../tree.js'
import { readMrkdwn } from './mrkdwn.js'
import { channelName, DEPTH_MAX, linkTo, mentionOf, paragraph, paragraphsOf, plainParagraphs, text } from './nodes.js'
import { fieldOf, listIn, numberIn, reportLoss, type SlackReading, stringIn, unescapeText } from './reading.js'

type BlockReader = (block: unknown, reading: SlackReading) => RootContent[]

/** Reads a block, an element or an object of text. `depth` counts the arrays and objects around it. */
export function readBlock(block: unknown, reading: SlackReading, depth = 0): RootContent[] {
  const kind = stringIn(block, 'type')
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : CONTROL.test(kind) ? readControl : undefined
  if (reader !== undefined) return reader(block, reading)
  if (!ARRANGING.test(kind) && (kind !== '' || depth === 0)) reportLoss(reading, 'slack-block', undefined, kind)
  return readStrings(block, reading, depth)
}

const readers: Readonly<Record<string, BlockReader>> = {
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
/** Elements that users click or fill in. */
const CONTROL = /^(?:button|checkboxes|radio_buttons|overflow)$|_(?:select|input)$|picker$/

/** The fields that hold the visible strings of a block, in the order in which Slack shows them. */
const visibleFields: readonly string[] = [
  ...['title', 'subtitle', 'label', 'text', 'author_name', 'provider_name', 'body', 'description', 'element', 'hint'],
]

/**
 * Reads the visible strings of a block, then the arrays and objects in its other fields. Strings in other fields are ids and states,
 * which are not read. If the block has a URL, the first string becomes a link.
 */
function readStrings(block: unknown, reading: SlackReading, depth: number): RootContent[] {
  const others = Object.entries(Object(block)).filter(
    ([name, value]) => !visibleFields.includes(name) && Object(value) === value,
  )
  const values = [...visibleFields.map((name) => fieldOf(block, name)), ...others.map(([, value]) => value)]
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

/** Reads a control. A button with a URL becomes a link. All others work only in Slack and become their texts in brackets. */
function readControl(element: unknown, reading: SlackReading): RootContent[] {
  const [kind, url] = [stringIn(element, 'type'), stringIn(element, 'url')]
  if (url === '') reportLoss(reading, 'slack-block', undefined, kind)
  const elements = /^(?:checkboxes|radio_buttons)$/.test(kind) ? listIn(element, 'options') : [element]
  const labels = elements.map((each) => unescapeText(stringIn(each, 'text') || stringIn(each, 'placeholder')) || url)
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
  // The reader accepts all mentions, and then the callback decides which users are mentioned.
  const mentions = Array.from(source.matchAll(/<@([^<>|]+)/g), ([, id = '']) => id)
  const result = markdown?.(source, { mentions })
  for (const message of result?.diagnostics ?? []) reading.diagnostics.push(message)
  const tree = result?.tree ?? parse(source, { position: false })
  return tree.children.map((block) => withMentions(block, reading)) as RootContent[]
}

function withMentions(node: AnyNode, reading: SlackReading): object {
  if (node.type === 'mention') return mentionOf(node.userID, node.label ?? '', reading)
  if (!('children' in node)) return node
  return { ...node, children: node.children.map((child) => withMentions(child, reading)) }
}

/** Reads the elements of a `rich_text` block. */
function readRichText(elements: readonly unknown[], reading: SlackReading): RootContent[] {
  const groups: RootContent[][] = []
  /** The items of consecutive elements, because Slack sends each depth and style of a list as a separate element. */
  let items: Line<PhrasingContent[]>[] = []
  for (const element of elements) {
    const kind = stringIn(element, 'type')
    const parts = listIn(element, 'elements')
    if (kind === 'rich_text_list') {
      addItems(items, element, reading)
      continue
    }
    groups.push(blocksOfLines(items))
    items = []
    if (kind === 'rich_text_section') groups.push(paragraphsOf(phrasingOfElements(parts, reading)))
    else if (kind === 'rich_text_quote')
      groups.push([{ type: 'blockquote', children: paragraphsOf(phrasingOfElements(parts, reading)) }])
    else if (kind === 'rich_text_preformatted')
      groups.push([{ type: 'code', lang: stringIn(element, 'language') || null, value: codeOf(parts) }])
    else reportLoss(reading, 'slack-block', undefined, kind)
  }
  return [...groups, blocksOfLines(items)].flat()
}

/** Returns the value of code, which has only text and links. Slack shows no line after the last line ending. */
function codeOf(parts: readonly unknown[]): string {
  const value = parts.map((part) => stringIn(part, 'text') || stringIn(part, 'url')).join('')
  return value.replace(/\r?\n$/, '')
}

/**
 * Adds the items of a list. A deeper item belongs to the item before it. Slack gives the number of the first item, if it is not 1, as
 * an offset.
 */
function addItems(items: Line<PhrasingContent[]>[], list: unknown, reading: SlackReading): void {
  const [depth, offset] = [numberIn(list, 'indent'), numberIn(list, 'offset')]
  const isOrdered = stringIn(list, 'style') === 'ordered'
  for (const [index, section] of listIn(list, 'elements').entries()) {
    const before = items.at(-1)?.containers ?? []
    const around = before.slice(0, Math.min(depth, DEPTH_MAX))
    const last = before[around.length]
    const next = last?.type === 'item' ? (last.number ?? 0) + 1 : 1
    const number = index === 0 && offset > 0 ? offset + 1 : next
    const content = phrasingOfElements(listIn(section, 'elements'), reading)
    const item: Container = { type: 'item', marker: '', number: isOrdered ? number : null }
    items.push({ containers: [...around, item], continuedCount: around.length, content })
  }
}

/** Reads the elements of a section. */
function phrasingOfElements(elements: readonly unknown[], reading: SlackReading): PhrasingContent[] {
  return elements.flatMap((element) => applyStyle(nodesOf(element, reading), fieldOf(element, 'style')))
}

function nodesOf(element: unknown, reading: SlackReading): PhrasingContent[] {
  const [kind, value, url] = [stringIn(element, 'type'), stringIn(element, 'text'), stringIn(element, 'url')]
  if (kind === 'text') return withBreaks(value)
  if (kind === 'link') return [linkTo(url, value || url)]
  if (kind === 'user') return [mentionOf(stringIn(element, 'user_id'), '', reading)]
  if (kind === 'emoji') return [emojiOf(element)]
  reportLoss(reading, 'slack-element')
  if (kind === 'channel') return [text(`#${channelName(stringIn(element, 'channel_id'), '', reading)}`)]
  const id = stringIn(element, 'usergroup_id') || stringIn(element, 'team_id') || stringIn(element, 'range')
  if (id !== '') return [text(`@${id}`)]
  const timestamp = numberIn(element, 'timestamp')
  return withBreaks(
    value || stringIn(element, 'fallback') || stringIn(element, 'value') || (timestamp > 0 ? `${timestamp}` : ''),
  )
}

/** Returns the character if Slack sends its code points, else the name as typed. */
function emojiOf(element: unknown): PhrasingContent {
  const codes = stringIn(element, 'unicode')
    .split('-')
    .map((code) => Number.parseInt(code, 16))
  const isKnown = codes.every((code) => code > 0 && code <= 0x10ffff)
  if (isKnown) return text(String.fromCodePoint(...codes))
  const tone = numberIn(element, 'skin_tone')
  return text(`:${stringIn(element, 'name')}:${tone > 0 ? `:skin-tone-${tone}:` : ''}`)
}

const formattingByStyle = { bold: 'strong', italic: 'emphasis', underline: 'underline', strike: 'delete' } as const

/** Wraps each node in the formatting of `style`. Breaks are not wrapped, and only text becomes code. */
function applyStyle(nodes: readonly PhrasingContent[], style: unknown): PhrasingContent[] {
  return nodes.map((node): PhrasingContent => {
    if (node.type === 'break') return node
    let inside: PhrasingContent = node
    if (fieldOf(style, 'code') === true && node.type === 'text') inside = { type: 'inlineCode', value: node.value }
    for (const [name, type] of Object.entries(formattingByStyle)) {
      if (fieldOf(style, name) === true) inside = { type, children: [inside] }
    }
    return inside
  })
}
