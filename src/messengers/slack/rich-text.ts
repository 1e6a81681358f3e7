/** Slack's rich text as mdast. */
import type { PhrasingContent, RootContent } from 'mdast'
import { withBreaks } from '../../convert/lines.js'
import { channelName, type ListLine, linkTo, listsOf, mentionOf, paragraphsOf, text } from './nodes.js'
import { fieldOf, listIn, numberIn, reportLoss, type SlackReading, stringIn } from './reading.js'

/** Reads the elements of a `rich_text` block. */
export function readRichText(elements: readonly unknown[], reading: SlackReading): RootContent[] {
  const blocks: RootContent[] = []
  /** The lines of consecutive lists: each depth and marker of a list is its own element. */
  let items: ListLine[] = []
  for (const element of elements) {
    const kind = stringIn(element, 'type')
    const parts = listIn(element, 'elements')
    if (kind === 'rich_text_list') {
      items.push(...itemsOf(element, reading))
      continue
    }
    blocks.push(...listsOf(items))
    items = []
    if (kind === 'rich_text_section') blocks.push(...paragraphsOf(phrasingOfElements(parts, reading)))
    else if (kind === 'rich_text_quote')
      blocks.push({ type: 'blockquote', children: paragraphsOf(phrasingOfElements(parts, reading)) })
    else if (kind === 'rich_text_preformatted')
      blocks.push({ type: 'code', lang: stringIn(element, 'language') || null, value: codeOf(parts) })
    else reportLoss(reading, 'slack-block', undefined, kind)
  }
  return [...blocks, ...listsOf(items)]
}

/** The value of code, which holds text and links only. Slack shows no line after the last line ending. */
function codeOf(parts: readonly unknown[]): string {
  const value = parts.map((part) => stringIn(part, 'text') || stringIn(part, 'url')).join('')
  return value.replace(/\r?\n$/, '')
}

function itemsOf(list: unknown, reading: SlackReading): ListLine[] {
  const offset = numberIn(list, 'offset')
  return listIn(list, 'elements').map((section, index) => ({
    depth: numberIn(list, 'indent'),
    isOrdered: stringIn(list, 'style') === 'ordered',
    number: index === 0 && offset > 0 ? offset + 1 : undefined,
    children: phrasingOfElements(listIn(section, 'elements'), reading),
  }))
}

/** Reads the elements of a section. */
export function phrasingOfElements(elements: readonly unknown[], reading: SlackReading): PhrasingContent[] {
  return elements.flatMap((element) => styled(nodesOf(element, reading), fieldOf(element, 'style')))
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

/** The character if Slack sends its code points, else the name as typed. */
function emojiOf(element: unknown): PhrasingContent {
  const codes = stringIn(element, 'unicode')
    .split('-')
    .map((code) => Number.parseInt(code, 16))
  const isKnown = codes.every((code) => code > 0 && code <= 0x10ffff)
  if (isKnown) return text(String.fromCodePoint(...codes))
  const tone = numberIn(element, 'skin_tone')
  return text(`:${stringIn(element, 'name')}:${tone > 0 ? `:skin-tone-${tone}:` : ''}`)
}

const kinds = { bold: 'strong', italic: 'emphasis', underline: 'underline', strike: 'delete' } as const

/** Wraps each node in the formatting of `style`. Breaks are not wrapped, and code keeps only its text. */
function styled(nodes: readonly PhrasingContent[], style: unknown): PhrasingContent[] {
  return nodes.map((node): PhrasingContent => {
    if (node.type === 'break') return node
    let inside: PhrasingContent = node
    if (fieldOf(style, 'code') === true && node.type === 'text') inside = { type: 'inlineCode', value: node.value }
    for (const [name, type] of Object.entries(kinds)) {
      if (fieldOf(style, name) === true) inside = { type, children: [inside] }
    }
    return inside
  })
}
