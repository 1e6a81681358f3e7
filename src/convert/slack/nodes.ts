/** Short ways to write mdast nodes. */
import type { BlockContent, PhrasingContent } from 'mdast'

export function text(value: string): PhrasingContent {
  return { type: 'text', value }
}

/** A link; text if the URL is empty. */
export function linkTo(url: string, label: string): PhrasingContent {
  return url === '' ? text(label) : { type: 'link', url, children: [{ type: 'text', value: label }] }
}

export function strong(...children: PhrasingContent[]): PhrasingContent {
  return { type: 'strong', children }
}

export function paragraph(...children: PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children }
}

/** Text with a break for each line ending. */
export function linesOf(value: string): PhrasingContent[] {
  return value.split(/\r\n|\r|\n/).flatMap((line, index): PhrasingContent[] => {
    const nodes = line === '' ? [] : [text(line)]
    return index === 0 ? nodes : [{ type: 'break' }, ...nodes]
  })
}

/** A blank line ends a paragraph. */
export function paragraphsOf(nodes: readonly PhrasingContent[]): BlockContent[] {
  const groups: PhrasingContent[][] = [[]]
  for (const [index, node] of nodes.entries()) {
    const isBlank = node.type === 'break' && nodes[index - 1]?.type === 'break'
    if (isBlank) groups.push([])
    else groups.at(-1)?.push(node)
  }
  return groups.filter((group) => group.some(({ type }) => type !== 'break')).map((group) => paragraph(...group))
}

export function plainParagraphs(value: string): BlockContent[] {
  return paragraphsOf(linesOf(value))
}
