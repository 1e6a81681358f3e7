/** Which constructs a message holds, and how many of each: from its tree, its source and its HTML. */
import type { AnyNode, Link, Root } from '../src/tree.js'
import { countMarks } from './marks.js'

export type ConstructName =
  | 'message'
  | 'message with markup'
  | 'character'
  | 'character outside ASCII'
  | 'strong'
  | 'emphasis'
  | 'underline'
  | 'delete'
  | 'named link'
  | 'bare url'
  | 'mention'
  | 'code span'
  | 'item'
  | 'heading'
  | 'further paragraph'
  | 'break'
  | '& or <'
  | 'escape'
  | 'sign that stays text'
  | 'line of fenced code'

/** In the order in which they are printed. */
export const constructNames: readonly ConstructName[] = [
  'message',
  'message with markup',
  'character',
  'character outside ASCII',
  'strong',
  'emphasis',
  'underline',
  'delete',
  'named link',
  'bare url',
  'mention',
  'code span',
  'item',
  'heading',
  'further paragraph',
  'break',
  '& or <',
  'escape',
  'sign that stays text',
  'line of fenced code',
]

/** How many there are of what is there. */
export type Counts = Map<ConstructName, number>

/**
 * Counts the constructs of a message.
 *
 * @param tree - what the message parses to, with positions
 * @param html - what it is rendered to: every `&` in it begins a character reference
 */
export function countConstructs(source: string, tree: Root, html: string): Counts {
  const counts: Counts = new Map()
  add(counts, 'message', 1)
  add(counts, 'character', source.length)
  add(counts, 'character outside ASCII', countOf(source, /[^\0-\x7f]/g))
  add(counts, '& or <', countOf(html, /&/g))
  add(counts, 'further paragraph', Math.max(0, tree.children.filter(({ type }) => type === 'paragraph').length - 1))
  const open: AnyNode[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    addNode(counts, source, node)
    if ('children' in node && !(node.type === 'link' && isBare(source, node))) open.push(...node.children)
  }
  // What is read of plain text alone may take a shorter way.
  if ([...counts.keys()].some((name) => !plainNames.includes(name))) add(counts, 'message with markup', 1)
  return counts
}

const plainNames: readonly ConstructName[] = ['message', 'character', 'character outside ASCII', 'further paragraph']

function addNode(counts: Counts, source: string, node: AnyNode): void {
  switch (node.type) {
    case 'strong':
    case 'emphasis':
    case 'underline':
    case 'delete':
    case 'mention':
    case 'heading':
    case 'break':
      add(counts, node.type, 1)
      break
    case 'inlineCode':
      add(counts, 'code span', 1)
      break
    case 'listItem':
      add(counts, 'item', 1)
      break
    case 'link':
      add(counts, isBare(source, node) ? 'bare url' : 'named link', 1)
      break
    case 'code':
      add(counts, 'line of fenced code', node.value.split('\n').length + 2)
      break
    case 'text':
      // Nothing but the backslash of an escape is in the source of a text and not in its value.
      add(counts, 'escape', offsetOf(node, 'end') - offsetOf(node, 'start') - node.value.length)
      add(counts, 'sign that stays text', countMarks(node.value) - countOf(node.value, /[<&]/g))
      break
  }
}

function isBare(source: string, link: Link): boolean {
  return source[offsetOf(link, 'start')] !== '['
}

function offsetOf(node: AnyNode, side: 'start' | 'end'): number {
  const offset = node.position?.[side].offset
  if (offset === undefined) throw new Error(`expected a tree with positions, received a ${node.type} without`)
  return offset
}

function add(counts: Counts, name: ConstructName, count: number): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count)
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
