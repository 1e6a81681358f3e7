/** Paragraphs with many delimiters and separators: more than in any real message. */

import { delimiters } from '../src/delimiters.js'
import type { Phrasing, Root, Text } from '../src/tree.js'
import { pick, type Random, seededRandom } from './random.js'

/** The parents that nodes may have. */
export const parents: readonly ((children: Phrasing[]) => Phrasing)[] = [
  ...delimiters.map(
    ({ node }) =>
      (children: Phrasing[]): Phrasing => ({ type: node, children }),
  ),
  // The caller skips links in links, which are not trees of §5.
  (children) => ({ type: 'link', url: 'xy:z', title: null, children: children as never }),
]

export function rootOf(children: Phrasing[]): Root {
  return { type: 'root', children: [{ type: 'paragraph', children }] }
}

/** Whether a link is in a link, which is not of §5. */
export function isNested(node: Phrasing, isInLink = false): boolean {
  if (!('children' in node)) return false
  const isLink = node.type === 'link'
  return (isLink && isInLink) || node.children.some((child) => isNested(child, isInLink || isLink))
}

/** Texts that end with a separator or a delimiter, and nodes around them. */
const hostile: readonly Phrasing[] = [
  ...['a', 'a\u2063', '\u2063', '*\u2063', '*a\u2063', 'a*b\u2063', 'a*b', '-b_', '*a', '-a', '_', ' **', '. '].map(
    text,
  ),
  ...['http://a', '\\'].map(text),
  { type: 'inlineCode', value: '`' },
  { type: 'break' },
  { type: 'mention', userID: 'a', label: '*' },
  { type: 'link', url: 'http://a', title: null, children: [text('http://a')] },
]

function text(value: string): Text {
  return { type: 'text', value }
}

function drawn(random: Random, depth: number): Phrasing {
  if (depth === 0 || random() < 0.4) return pick(random, hostile)
  return pick(random, parents)(Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawn(random, depth - 1)))
}

/** The given number of such paragraphs. */
export function thickets(seed: number, count: number): Root[] {
  const random = seededRandom(seed)
  const found: Root[] = []
  while (found.length < count) {
    const children = Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawn(random, 3))
    if (!children.some((node) => isNested(node))) found.push(rootOf(children))
  }
  return found
}
