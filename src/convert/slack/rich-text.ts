/** The elements of Slack's rich text as mdast's phrasing. */
import type { List, PhrasingContent } from 'mdast'
import { mentionOf } from './element.js'
import { fieldOf, listIn, stringIn } from './fields.js'
import { type ListLine, listsOf } from './list.js'
import { linesOf, linkTo, text } from './nodes.js'
import { note, type SlackReading } from './reading.js'

/** Reads the elements of a section. */
export function phrasingOfElements(elements: readonly unknown[], reading: SlackReading): PhrasingContent[] {
  return elements.flatMap((element) => {
    const nodes = nodesOf(element, reading)
    return nodes.length === 0 ? [] : styled(nodes, fieldOf(element, 'style'))
  })
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
      return mentionOf(stringIn(element, 'user_id'), '', reading, 0, 0)
    case 'emoji':
      return emojiOf(element)
    default:
      note(reading, 'slack-element', 0, 0)
      return linesOf(shownOf(element))
  }
}

/** The text of an element that has no counterpart. */
function shownOf(element: unknown): string {
  switch (stringIn(element, 'type')) {
    case 'channel':
      return `#${stringIn(element, 'channel_id')}`
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
function emojiOf(element: unknown): PhrasingContent[] {
  const codes = stringIn(element, 'unicode')
    .split('-')
    .map((code) => Number.parseInt(code, 16))
  const isKnown = codes.every((code) => code > 0 && code <= 0x10ffff)
  return [text(isKnown ? String.fromCodePoint(...codes) : `:${stringIn(element, 'name')}:`)]
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

/** Consecutive lists are one list whose lines have their own depth and marker. */
export function readList(lists: readonly unknown[], reading: SlackReading): List[] {
  const entries = lists.flatMap((list) =>
    listIn(list, 'elements').map(
      (section): ListLine => ({
        depth: numberIn(list, 'indent'),
        isOrdered: stringIn(list, 'style') === 'ordered',
        offset: numberIn(list, 'offset'),
        children: phrasingOfElements(listIn(section, 'elements'), reading),
        position: undefined,
      }),
    ),
  )
  return listsOf(entries)
}

export function linkOfButton(button: unknown): PhrasingContent {
  const [label, url] = [stringIn(fieldOf(button, 'text'), 'text'), stringIn(button, 'url')]
  return linkTo(url, url === '' ? `[${label}]` : label || url)
}

function numberIn(value: unknown, name: string): number {
  const field = fieldOf(value, name)
  return typeof field === 'number' && Number.isSafeInteger(field) && field > 0 ? field : 0
}
