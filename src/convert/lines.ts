/** Splits, joins and trims the lines of phrasing. */
import { toText } from '../index.js'
import type { Break, Formatting, Link, Phrasing, Text } from '../tree.js'

/**
 * Splits phrasing at its breaks. Formatting and links around a break are closed before it and opened after it.
 *
 * @param nodes - the phrasing; it is not changed
 * @returns a list for each line, without the breaks
 */
export function splitLines(nodes: readonly Phrasing[]): Phrasing[][] {
  const lines: Phrasing[][] = [[]]
  for (const node of nodes) {
    if (node.type === 'break') lines.push([])
    else if (!('children' in node)) lines.at(-1)?.push(node)
    else {
      const [first = [], ...others] = splitLines(node.children)
      if (first.length > 0) lines.at(-1)?.push(withChildren(node, first))
      for (const line of others) lines.push(line.length > 0 ? [withChildren(node, line)] : [])
    }
  }
  return lines
}

/** Removes spaces at the ends of lines, which have no meaning (§1), and breaks at both ends. */
export function trimLines(nodes: readonly Phrasing[]): Phrasing[] {
  const trimmedNodes: Phrasing[] = []
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1]
    if (node.type !== 'text') trimmedNodes.push(node)
    else {
      const isFirst = trimmedNodes.length === 0 || trimmedNodes.at(-1)?.type === 'break'
      const start = isFirst ? node.value.replace(/^[ \t]+/, '') : node.value
      const isLast = next === undefined || next.type === 'break'
      // The lookbehind keeps the time linear for long runs of spaces before other text.
      const value = isLast ? start.replace(/(?<![ \t])[ \t]+$/, '') : start
      if (value !== '') trimmedNodes.push({ ...node, value })
    }
  }
  while (trimmedNodes[0]?.type === 'break') trimmedNodes.shift()
  while (trimmedNodes.at(-1)?.type === 'break') trimmedNodes.pop()
  return trimmedNodes
}

/** Returns text with a break for each line ending. */
export function withBreaks(text: string): (Break | Text)[] {
  return joinLines(text.split(/\r\n?|\n/).map((value): Text[] => (value === '' ? [] : [{ type: 'text', value }])))
}

/** Joins lines with breaks. */
export function joinLines<Node>(lines: readonly (readonly Node[])[]): (Node | Break)[] {
  return lines.flatMap((line, index): (Node | Break)[] => (index === 0 ? [...line] : [{ type: 'break' }, ...line]))
}

/** Returns the visible text of phrasing. */
export function textOf(nodes: readonly Phrasing[]): string {
  return toText({ type: 'root', children: [{ type: 'paragraph', children: [...nodes] }] })
}

/** Returns text on one line: a line ending with the spaces around it, a form feed and a vertical tab each become a space. */
export function unwrapLines(text: string): string {
  return text.replace(/[\f\v]/g, ' ').replace(/(?:(?<![ \t])[ \t]+)?(?:\r\n?|\n)[ \t]*/g, ' ')
}

/** Returns phrasing with a space instead of each break. */
export function inOneLine(nodes: readonly Phrasing[]): Phrasing[] {
  return nodes.map((node) => {
    if (node.type === 'break') return { type: 'text', value: ' ' }
    return 'children' in node ? withChildren(node, inOneLine(node.children)) : node
  })
}

/** Returns phrasing without one kind of formatting; the content stays. */
export function withoutKind(nodes: readonly Phrasing[], kind: Formatting['type']): Phrasing[] {
  return nodes.flatMap((node): Phrasing[] => {
    if (!('children' in node)) return [node]
    const inside = withoutKind(node.children, kind)
    return node.type === kind ? inside : [withChildren(node, inside)]
  })
}

/** Merges adjoining texts (§5). */
export function joinTexts(nodes: readonly Phrasing[]): Phrasing[] {
  const joinedNodes: Phrasing[] = []
  for (const node of nodes) {
    const last = joinedNodes.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      joinedNodes[joinedNodes.length - 1] = { ...last, value: last.value + node.value }
    else joinedNodes.push('children' in node ? withChildren(node, joinTexts(node.children)) : node)
  }
  return joinedNodes
}

function withChildren(node: Formatting | Link, children: readonly Phrasing[]): Formatting | Link {
  // The link contained no link, so its parts contain none, and the cast holds.
  return { ...node, children: [...children] } as Formatting | Link
}

/** Whether a text shows nothing: products reject a message of white space and invisible characters. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
}
