/** A block of HTML: what its tags only arrange are paragraphs; the rest is code. */
import type { Html, Paragraph, PhrasingContent, RootContent, ThematicBreak } from 'mdast'
import { decode, isBreak, isComment, piecesOf, readTag } from './html.js'

/** Longer HTML was not written by hand between Markdown. */
const LENGTH_MAX = 2000

/**
 * The paragraphs that a block of HTML shows.
 *
 * @returns its blocks, their inline tags still in them; null where it holds what only HTML can show
 */
export function blocksOfHtml({ value, position }: Html): RootContent[] | null {
  const end = value.indexOf('-->')
  const isAllComment = isComment(value) && (end < 0 || end + 3 === value.trimEnd().length)
  if (isAllComment) return [{ type: 'paragraph', children: [htmlOf('<!---->', position)], ...placeOf(position) }]
  if (value.length > LENGTH_MAX) return null
  const blocks: (Paragraph | ThematicBreak)[] = []
  let children: PhrasingContent[] = []
  const flush = (): void => {
    if (children.length > 0) blocks.push({ type: 'paragraph', children, ...placeOf(position) })
    children = []
  }
  for (const piece of piecesOf(value)) {
    const tag = piece.type === 'tag' ? readTag(piece.value) : null
    // A sign that begins no tag: this is not as simple as it looks.
    if (piece.value === '<') return null
    if (piece.type === 'text') addText(children, piece.value, position)
    else if (piece.type === 'comment' || isBreak(piece.value)) children.push(htmlOf(piece.value, position))
    else if (tag?.name === 'hr') {
      flush()
      blocks.push({ type: 'thematicBreak', ...placeOf(position) })
    } else if (tag?.isBlock) {
      const isSummary = tag.name === 'summary'
      if (tag.isEnd && isSummary) children.push(htmlOf('</b>', position))
      flush()
      if (!tag.isEnd) children.push(htmlOf(isSummary ? '<b>' : piece.value, position))
    } else if (tag !== null && (tag.element !== null || tag.name === 'img'))
      children.push(htmlOf(piece.value, position))
    else return null
  }
  flush()
  return blocks
}

function addText(children: PhrasingContent[], text: string, position: Html['position']): void {
  const value = children.length === 0 ? text.trimStart() : text
  if (value !== '') children.push({ type: 'text', value: decode(value), ...placeOf(position) })
}

function htmlOf(value: string, position: Html['position']): Html {
  return { type: 'html', value, ...placeOf(position) }
}

function placeOf(position: Html['position']): { position?: NonNullable<Html['position']> } {
  return position === undefined ? {} : { position }
}
