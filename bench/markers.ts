/** Finds markup that is visible as text while a text arrives. In `outputs.ts`, every marker is markup. */
import type { Block, Phrasing } from '../src/tree.js'

/** A marker, half a link or tag, the number or bullet of an item that is still empty. `[1]` and `[^1]` are footnotes. */
const RAW = /[*_~`|\\<>#]|\]\(|!\[|\[(?!\^?\d+\])|(?<!\[\^?\d+)\]|&[a-z]+;|^[ \t]*(?:[-+•◦▪]|\d+[.)])[ \t]*$/m

/** Whether a text shows a marker. */
export function hasMarker(text: string): boolean {
  return RAW.test(text)
}

/**
 * Returns the visible text of blocks, without code, and without the characters that replace constructs that the dialect
 * lacks: the bars and lines of a table, the `>` of a quote, the dashes of a thematic break, URLs after link texts.
 */
export function textOf(blocks: readonly Block[]): string {
  const text = blocks
    .map((block) => {
      if (block.type === 'code') return isTable(block.value) ? block.value.replace(/^[-+]+$|\|/gm, '') : ''
      if (block.type === 'list') return block.children.map(({ children: [line] }) => shownBy(line.children)).join('\n')
      return block.type === 'file' ? '' : shownBy(block.children).replace(/^---$/, '')
    })
    .join('\n')
  return text.replace(/https?:\/\/\S*/g, 'address').replace(/^(?:> ?)+/gm, '')
}

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the visible text of HTML, without code and URLs. The end of a block or a `<br>` ends a line. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<pre[\s>][\s\S]*?<\/pre>|<code[\s>][\s\S]*?<\/code>|<!--[\s\S]*?-->/g, 'code')
    .replace(/<(?:br|hr)[^>]*>|<\/(?:p|h\d|li|tr|td|th|ul|ol|blockquote|summary|details|div)>/g, '\n')
    .replace(/<\/?[A-Za-z][^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (whole, decimal, hexadecimal, name) =>
      name === undefined
        ? String.fromCodePoint(Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10))
        : (references[name] ?? whole),
    )
    .replace(/https?:\/\/\S*/g, 'address')
}

function isTable(value: string): boolean {
  return /^-+(?:-\+-+)+$/m.test(value)
}

function shownBy(nodes: readonly Phrasing[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'break') return '\n'
      if (node.type === 'mention') return '@'
      return 'children' in node ? shownBy(node.children) : node.value
    })
    .join('')
}
