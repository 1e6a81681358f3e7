/** Slack's rich text as mdast. */
import type { List, PhrasingContent, RootContent } from 'mdast'
import { channelName, linesOf, linkTo, listsOf, mentionOf, paragraphsOf, text } from './nodes.js'
import { fieldOf, listIn, note, numberIn, type SlackReading, stringIn } from './reading.js'

/** Reads the elements of a `rich_text` block. */
export function readRichText(elements: readonly unknown[], reading: SlackReading): RootContent[] {
  const blocks: RootContent[][] = []
  for (let index = 0; index < elements.length; index += 1) {
    const element = elements[index]
    const parts = listIn(element, 'elements')
    switch (stringIn(element, 'type')) {
      case 'rich_text_section':
        blocks.push(paragraphsOf(phrasingOfElements(parts, reading)))
        break
      case 'rich_text_quote':
        blocks.push([{ type: 'blockquote', children: paragraphsOf(phrasingOfElements(parts, reading)) }])
        break
      case 'rich_text_preformatted':
        blocks.push([{ type: 'code', lang: stringIn(element, 'language') || null, meta: null, value: codeOf(parts) }])
        break
      case 'rich_text_list': {
        // Each depth and marker of a list is its own element.
        const start = index
        while (stringIn(elements[index + 1], 'type') === 'rich_text_list') index += 1
        blocks.push(readLists(elements.slice(start, index + 1), reading))
        break
      }
      default:
        note(reading, 'slack-block', undefined, stringIn(element, 'type'))
    }
  }
  return blocks.flat()
}

/** The value of code, which holds text and links only. Slack shows no line after the last line ending. */
function codeOf(parts: readonly unknown[]): string {
  const value = parts.map((part) => stringIn(part, 'text') || stringIn(part, 'url')).join('')
  return value.replace(/\r?\n$/, '')
}

/** Consecutive lists are one list whose lines have their own depth and marker. */
function readLists(lists: readonly unknown[], reading: SlackReading): List[] {
  const lines = lists.flatMap((list) => {
    const [depth, offset] = [numberIn(list, 'indent'), numberIn(list, 'offset')]
    return listIn(list, 'elements').map((section, index) => ({
      depth,
      isOrdered: stringIn(list, 'style') === 'ordered',
      place: {},
      number: index === 0 && offset > 0 ? offset + 1 : undefined,
      children: phrasingOfElements(listIn(section, 'elements'), reading),
    }))
  })
  return listsOf(lines)
}

/** Reads the elements of a section. */
export function phrasingOfElements(elements: readonly unknown[], reading: SlackReading): PhrasingContent[] {
  return elements.flatMap((element) => styled(nodesOf(element, reading), fieldOf(element, 'style')))
}

function nodesOf(element: unknown, reading: SlackReading): PhrasingContent[] {
  switch (stringIn(element, 'type')) {
    case 'text':
      return linesOf(stringIn(element, 'text'))
    case 'link': {
      const url = stringIn(element, 'url')
      return [linkTo(url, stringIn(element, 'text') || url)]
    }
    case 'user':
      return [mentionOf(stringIn(element, 'user_id'), '', reading)]
    case 'emoji':
      return [emojiOf(element)]
    default:
      note(reading, 'slack-element')
      return linesOf(shownOf(element, reading))
  }
}

/** The text of an element that has no counterpart. */
function shownOf(element: unknown, reading: SlackReading): string {
  switch (stringIn(element, 'type')) {
    case 'channel':
      return `#${channelName(stringIn(element, 'channel_id'), '', reading)}`
    case 'usergroup':
      return `@${stringIn(element, 'usergroup_id')}`
    case 'team':
      return `@${stringIn(element, 'team_id')}`
    case 'broadcast':
      return `@${stringIn(element, 'range')}`
    case 'date':
      return stringIn(element, 'fallback') || String(fieldOf(element, 'timestamp') ?? '')
    default:
      return stringIn(element, 'text') || stringIn(element, 'value')
  }
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

/** Formatting is around the text between breaks; code contains only its value. */
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
