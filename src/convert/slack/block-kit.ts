/** Slack's blocks as mdast. They come from outside: a field that is not what it should be is as if it were not there. */
import type { BlockContent, PhrasingContent, RootContent } from 'mdast'
import { fieldOf, listIn, stringIn } from './fields.js'
import { readMrkdwn } from './mrkdwn.js'
import { noteKind, type Reading } from './reading.js'
import { linkOfButton, phrasingOfElements, readList } from './rich-text.js'

/** Reads one block. */
export function readBlock(block: unknown, reading: Reading): RootContent[] {
  const kind = stringIn(block, 'type')
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (read !== undefined) return read(block, reading)
  noteKind(reading, 'slack-block', kind)
  const text = fieldOf(block, 'text')
  return typeof text === 'string' ? plainParagraphs(text) : textObject(text, reading)
}

const readers: Readonly<Record<string, (block: unknown, reading: Reading) => RootContent[]>> = {
  rich_text: (block, reading) => readRichText(listIn(block, 'elements'), reading),
  section: (block, reading) => [
    ...textObject(fieldOf(block, 'text'), reading),
    ...listIn(block, 'fields').flatMap((field) => textObject(field, reading)),
    ...accessory(fieldOf(block, 'accessory'), reading),
  ],
  header: (block) => [{ type: 'heading', depth: 1, children: [plain(stringIn(fieldOf(block, 'text'), 'text'))] }],
  context: (block, reading) => listIn(block, 'elements').flatMap((element) => contextElement(element, reading)),
  divider: () => [{ type: 'thematicBreak' }],
  image: (block) => [paragraph([imageOf(block)])],
  video: (block) => readVideo(block),
  actions: (block, reading) => listIn(block, 'elements').flatMap((element) => accessory(element, reading)),
  markdown: (block, reading) => {
    noteKind(reading, 'slack-element', 'markdown')
    return plainParagraphs(stringIn(block, 'text'))
  },
  table: (block, reading) => readTable(block, reading),
}

function readRichText(elements: readonly unknown[], reading: Reading): RootContent[] {
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
        // A list with another depth or mark comes as a list of its own.
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

/** A blank line in a section ends a paragraph. */
function paragraphsOf(nodes: readonly PhrasingContent[]): BlockContent[] {
  const groups: PhrasingContent[][] = [[]]
  for (const [index, node] of nodes.entries()) {
    const isBlank = node.type === 'break' && nodes[index - 1]?.type === 'break'
    if (isBlank) groups.push([])
    else groups.at(-1)?.push(node)
  }
  return groups.filter((group) => group.some(({ type }) => type !== 'break')).map(paragraph)
}

/** The value of code, which holds text and links only. */
function codeOf(parts: readonly unknown[]): string {
  return parts.map((part) => stringIn(part, 'text') || stringIn(part, 'url')).join('')
}

function textObject(object: unknown, reading: Reading): RootContent[] {
  const value = stringIn(object, 'text')
  return stringIn(object, 'type') === 'mrkdwn' ? readMrkdwn(value, reading) : plainParagraphs(value)
}

function contextElement(element: unknown, reading: Reading): RootContent[] {
  return stringIn(element, 'type') === 'image' ? [paragraph([imageOf(element)])] : textObject(element, reading)
}

/** A button leads somewhere or does something; everything else only does something. */
function accessory(element: unknown, reading: Reading): RootContent[] {
  if (element === undefined) return []
  const kind = stringIn(element, 'type')
  if (kind === 'image') return [paragraph([imageOf(element)])]
  if (kind !== 'button' || stringIn(element, 'url') === '') noteKind(reading, 'slack-block', kind)
  return kind === 'button' ? [paragraph([linkOfButton(element)])] : []
}

/** Its title, which leads to it, who made it and what it says about itself. */
function readVideo(block: unknown): RootContent[] {
  const url = stringIn(block, 'title_url') || stringIn(block, 'video_url')
  const title = stringIn(fieldOf(block, 'title'), 'text') || stringIn(block, 'alt_text') || url
  const makers = [stringIn(block, 'author_name'), stringIn(block, 'provider_name')].filter((name) => name !== '')
  const maker: PhrasingContent[] = makers.length === 0 ? [] : [{ type: 'break' }, plain(makers.join(' · '))]
  const link: PhrasingContent = { type: 'link', url, children: [plain(title)] }
  return [paragraph([link, ...maker]), ...plainParagraphs(stringIn(fieldOf(block, 'description'), 'text'))]
}

function readTable(block: unknown, reading: Reading): RootContent[] {
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

function cellOf(cell: unknown, reading: Reading): PhrasingContent[] {
  if (stringIn(cell, 'type') !== 'rich_text') return [plain(stringIn(cell, 'text'))]
  return listIn(cell, 'elements').flatMap((element) => phrasingOfElements(listIn(element, 'elements'), reading))
}

function imageOf(image: unknown): PhrasingContent {
  const file = fieldOf(image, 'slack_file')
  const url = stringIn(image, 'image_url') || stringIn(file, 'url')
  return { type: 'image', url, alt: stringIn(image, 'alt_text') || stringIn(fieldOf(image, 'title'), 'text') }
}

export function plainParagraphs(text: string): BlockContent[] {
  const lines = text.split(/\r\n|\r|\n/)
  const nodes = lines.flatMap((line, index): PhrasingContent[] => [
    ...(index > 0 ? [{ type: 'break' as const }] : []),
    ...(line === '' ? [] : [plain(line)]),
  ])
  return paragraphsOf(nodes)
}

function paragraph(children: PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children }
}

function plain(value: string): PhrasingContent {
  return { type: 'text', value }
}
