/** Finds markup that is visible as text while a text arrives. In `answers.ts`, every marker is markup. */
import type { Block, Phrasing } from '../src/tree.js'

/** A marker, half a link or tag, the number or bullet of an item that has nothing yet; notes are `[1]` and `[^1]`. */
const RAW = /[*_~`|\\<>#]|\]\(|!\[|\[(?!\^?\d+\])|(?<!\[\^?\d+)\]|&[a-z]+;|^[ \t]*(?:[-+•◦▪]|\d+[.)])[ \t]*$/m

/** Whether a marker shows in a text. */
export function hasMarker(text: string): boolean {
  return RAW.test(text)
}

/**
 * The text that blocks show, without what is code, and without what the dialect has in place of a construct that it lacks:
 * the bars and rules of a table, the `>` of a quote, the dashes of a thematic break, URLs after link texts.
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

/** The same of HTML: text without tags, code and addresses; what ends a block or a line ends a line. */
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
