/** Slack's blocks as mdast. They come from outside: a field of the wrong type counts as absent. */
import type { PhrasingContent, RootContent } from 'mdast'
import { parse } from '../../index.js'
import type { AnyNode } from '../../tree.js'
import { mentionOf } from './element.js'
import { fieldOf, listIn, stringIn } from './fields.js'
import { readMrkdwn } from './mrkdwn.js'
import { linkTo, paragraph, paragraphsOf, plainParagraphs, text } from './nodes.js'
import { noteKind, type SlackReading } from './reading.js'
import { linkOfButton, phrasingOfElements, readList } from './rich-text.js'

/** Reads one block; `depth` counts the unknown blocks around it. */
export function readBlock(block: unknown, reading: SlackReading, depth = 0): RootContent[] {
  const kind = stringIn(block, 'type')
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (read !== undefined) return read(block, reading)
  noteKind(reading, 'slack-block', kind)
  return depth < DEPTH_MAX ? readUnknown(block, reading, depth + 1) : []
}

/** Slack's own blocks nest three deep: a carousel, its cards, their buttons. */
const DEPTH_MAX = 5

/** The fields that hold the visible strings of a block, in the order in which Slack shows them. */
const visible = ['title', 'subtitle', 'label', 'text', 'body', 'description', 'hint'] as const

/** An unknown block is its strings and the blocks in it (a plan, a carousel of cards). */
function readUnknown(block: unknown, reading: SlackReading, depth: number): RootContent[] {
  const texts = visible.flatMap((name) => {
    const value = fieldOf(block, name)
    return typeof value === 'string' ? plainParagraphs(value) : readTyped(value, reading, depth)
  })
  const others = Object.entries(Object(block)).filter(([name]) => !visible.some((each) => each === name))
  return [...texts, ...others.flatMap(([, value]) => [value].flat().flatMap((each) => readTyped(each, reading, depth)))]
}

function readTyped(value: unknown, reading: SlackReading, depth: number): RootContent[] {
  const kind = stringIn(value, 'type')
  if (kind === '') return []
  if (kind === 'mrkdwn' || kind === 'plain_text') return textObject(value, reading)
  return elementKinds.test(kind) ? accessory(value, reading) : readBlock(value, reading, depth)
}

const elementKinds = /^(?:button|image|checkboxes|radio_buttons|overflow)$|_(?:select|input)$|picker$/

const readers: Readonly<Record<string, (block: unknown, reading: SlackReading) => RootContent[]>> = {
  rich_text: (block, reading) => readRichText(listIn(block, 'elements'), reading),
  section: (block, reading) => [
    ...textObject(fieldOf(block, 'text'), reading),
    ...listIn(block, 'fields').flatMap((field) => textObject(field, reading)),
    ...accessory(fieldOf(block, 'accessory'), reading),
  ],
  header: (block) => [{ type: 'heading', depth: 1, children: [text(stringIn(fieldOf(block, 'text'), 'text'))] }],
  context: (block, reading) => listIn(block, 'elements').flatMap((element) => contextElement(element, reading)),
  divider: () => [{ type: 'thematicBreak' }],
  image: (block) => [...plainParagraphs(stringIn(fieldOf(block, 'title'), 'text')), paragraph(imageOf(block))],
  video: (block) => readVideo(block),
  actions: (block, reading) => listIn(block, 'elements').flatMap((element) => accessory(element, reading)),
  markdown: (block, reading) => readMarkdown(stringIn(block, 'text'), reading),
  input: (block, reading) => {
    noteKind(reading, 'slack-block', 'input')
    const [label, hint] = [textObject(fieldOf(block, 'label'), reading), textObject(fieldOf(block, 'hint'), reading)]
    return [...label, ...accessory(fieldOf(block, 'element'), reading), ...hint]
  },
  table: (block, reading) => readTable(block, reading),
}

function readRichText(elements: readonly unknown[], reading: SlackReading): RootContent[] {
  const blocks: RootContent[] = []
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index]
    const parts = listIn(element, 'elements')
    switch (stringIn(element, 'type')) {
      case 'rich_text_section':
        blocks.push(...paragraphsOf(phrasingOfElements(parts, reading)))
        break
      case 'rich_text_quote':
        blocks.push({ type: 'blockquote', children: paragraphsOf(phrasingOfElements(parts, reading)) })
        break
      case 'rich_text_preformatted':
        blocks.push({ type: 'code', lang: stringIn(element, 'language') || null, meta: null, value: codeOf(parts) })
        break
      case 'rich_text_list': {
        // Each depth and marker of a list is its own element.
        const start = index
        while (stringIn(elements[index + 1], 'type') === 'rich_text_list') index += 1
        blocks.push(...readList(elements.slice(start, index + 1), reading))
        break
      }
      default:
        noteKind(reading, 'slack-block', stringIn(element, 'type'))
    }
  }
  return blocks
}

/** The value of code, which holds text and links only. Slack shows no line after the last line ending. */
function codeOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => stringIn(part, 'text') || stringIn(part, 'url'))
    .join('')
    .replace(/\r?\n$/, '')
}

/** Reads Markdown with the caller's reader; by default as the dialect, whose trees are valid mdast. */
function readMarkdown(source: string, reading: SlackReading): RootContent[] {
  const mentions = [...reading.mentions]
  if (reading.markdown === null) noteKind(reading, 'slack-element', 'markdown')
  const read = reading.markdown?.(source, { mentions })
  if (read !== undefined) reading.messages.push(...read.messages)
  const tree = read?.tree ?? parse(source, { position: false })
  return tree.children.map((block) => withMentions(block, reading)) as RootContent[]
}

/** A mention of a user that may not be mentioned is text. */
function withMentions(node: AnyNode, reading: SlackReading): object {
  if (node.type === 'mention') return mentionOf(node.userID, node.label ?? '', reading, 0, 0)[0] ?? node
  if (!('children' in node)) return node
  return { ...node, children: node.children.map((child) => withMentions(child, reading)) }
}

function textObject(object: unknown, reading: SlackReading): RootContent[] {
  const value = stringIn(object, 'text')
  return stringIn(object, 'type') === 'mrkdwn' ? readMrkdwn(value, reading) : plainParagraphs(value)
}

function contextElement(element: unknown, reading: SlackReading): RootContent[] {
  return stringIn(element, 'type') === 'image' ? [paragraph(imageOf(element))] : textObject(element, reading)
}

/** A button with a URL is a link. Any other element acts in Slack only: its visible texts are in brackets. */
function accessory(element: unknown, reading: SlackReading): RootContent[] {
  if (element === undefined) return []
  const kind = stringIn(element, 'type')
  if (kind === 'image') return [paragraph(imageOf(element))]
  if (kind !== 'button' || stringIn(element, 'url') === '') noteKind(reading, 'slack-block', kind)
  if (kind === 'button') return [paragraph(linkOfButton(element))]
  const options = kind === 'checkboxes' || kind === 'radio_buttons' ? listIn(element, 'options') : []
  const texts = [fieldOf(element, 'placeholder'), ...options.map((option) => fieldOf(option, 'text'))]
  const values = [stringIn(element, 'initial_value'), ...texts.map((object) => stringIn(object, 'text'))]
  return values.filter((value) => value !== '').map((value) => paragraph(text(`[${value}]`)))
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
  const rows = listIn(block, 'rows').map((row) => (Array.isArray(row) ? row : []))
  return [
    {
      type: 'table',
      children: rows.map((row) => ({
        type: 'tableRow',
        children: row.map((cell: unknown) => ({ type: 'tableCell', children: cellOf(cell, reading) })),
      })),
    },
  ]
}

function cellOf(cell: unknown, reading: SlackReading): PhrasingContent[] {
  if (stringIn(cell, 'type') !== 'rich_text') return [text(stringIn(cell, 'text'))]
  return listIn(cell, 'elements').flatMap((element) => phrasingOfElements(listIn(element, 'elements'), reading))
}

function imageOf(image: unknown): PhrasingContent {
  const file = fieldOf(image, 'slack_file')
  const url = stringIn(image, 'image_url') || stringIn(file, 'url')
  return { type: 'image', url, alt: stringIn(image, 'alt_text') || stringIn(fieldOf(image, 'title'), 'text') }
}
