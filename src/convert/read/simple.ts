/** Texts that need no parser: plain text, plain definitions, and texts over a limit. */
import type { Definition, Paragraph, PhrasingContent, RootContent } from 'mdast'
import type { Position } from '../../tree.js'
import { trimSpace } from '../lines.js'
import { type Piece, pointAt } from './line.js'
import { normalizedLabel } from './names.js'

/** Returns the nodes of some lines; null if they need the parser. */
export function simpleNodes(pieces: readonly Piece[]): RootContent[] | null {
  if (!pieces.some(({ text }) => MARKUP.test(text))) return [plainParagraph(pieces)]
  const definitions: Definition[] = []
  for (const piece of pieces) {
    const definition = simpleDefinition(piece)
    if (definition === null) return null
    definitions.push(definition)
  }
  return definitions
}

/** The characters that may begin anything except text; a lone `!` at the end of a line may begin an image. */
export const MARKUP: RegExp = /[*_~`[\]<&\\@$]|www\.|:\/\/| {2}$|(?:^|\s)!$/i

/** Returns the definition that is alone on its line, without title, escape or character reference; otherwise null. */
export function simpleDefinition(piece: Piece): Definition | null {
  const [, label, url] = /^\[([^[\]\\&]{1,999})\]:[ \t]*([^\s\\&<>()"'\p{Cc}]+)$/u.exec(piece.text) ?? []
  if (label === undefined || url === undefined || label.trim() === '') return null
  const identifier = normalizedLabel(label).toLowerCase()
  return { type: 'definition', identifier, label, title: null, url, ...placed([piece]) }
}

/** Returns the position of some lines, as a field of a node. */
export function placed(pieces: readonly Piece[]): { position?: Position } {
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined) return {}
  const end = pointAt(last.line, last.shift + last.text.length)
  return { position: { start: pointAt(first.line, first.shift), end } }
}

function plainParagraph(pieces: readonly Piece[]): Paragraph {
  const value = pieces.map(({ text }) => trimSpace(text)).join('\n')
  return { type: 'paragraph', children: [{ type: 'text', value, ...placed(pieces) }], ...placed(pieces) }
}

/** Returns a paragraph that shows lines as typed. */
export function unreadParagraph(pieces: readonly Piece[]): Paragraph {
  const children = pieces.flatMap((piece, index): PhrasingContent[] => {
    const line: PhrasingContent = { type: 'text', value: piece.text, ...placed([piece]) }
    return index === 0 ? [line] : [{ type: 'break' }, line]
  })
  return { type: 'paragraph', children, ...placed(pieces) }
}
