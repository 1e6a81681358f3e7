/** Properties of the plain text of every string (§7). */

import { parse, toText } from '../../src/index.js'
import { type AnyNode, type Phrasing, type Root, showsUrl } from '../../src/tree.js'
import { nodesOf } from './example.js'
import { property } from './property.js'
import { source } from './sources.js'

const one = source.map((each) => ({ sources: [each] as const }))

property('the text contains every text, code value, label and URL, in order', one, ({ sources: [input] }) => {
  const tree = parse(input)
  const text = toText(tree)
  let at = 0
  for (const piece of piecesOf(tree)) {
    const found = text.indexOf(piece, at)
    if (found < 0) throw new Error(`${JSON.stringify(piece)} is not in ${JSON.stringify(text)} after ${at}`)
    at = found + piece.length
  }
})

property('the text of a string is the text of its tree', one, ({ sources: [input] }) => {
  const [text, textOfTree] = [toText(input), toText(parse(input))]
  if (text !== textOfTree) throw new Error(`${JSON.stringify(text)} is not ${JSON.stringify(textOfTree)}`)
})

property('no character is lost, except possible delimiters', one, ({ sources: [input] }) => {
  const tree = parse(input)
  if (nodesOf(tree).some((node) => isShownInPart(node, input))) return
  const [written, shown] = [withoutMarkers(input.replaceAll('\0', '\uFFFD')), withoutMarkers(toText(tree))]
  if (written !== shown) throw new Error(`of ${JSON.stringify(written)}, ${JSON.stringify(shown)} is left`)
})

/**
 * Whether plain text shows only a part of a node's source: it has no info string of fenced code, no id if a label is given,
 * and a named link whose label is its URL only once.
 */
function isShownInPart(node: AnyNode, input: string): boolean {
  if (node.type === 'code') return true
  if (node.type === 'link') return node.children.every(isText) && input[node.position?.start.offset ?? 0] === '['
  return (node.type === 'mention' || node.type === 'file') && node.label !== null
}

function isText({ type }: AnyNode): boolean {
  return type === 'text'
}

/** Removes white space, characters that can be part of a construct, and the text's prefixes of items and files. */
function withoutMarkers(text: string): string {
  return text.replaceAll('[file: ', '').replace(/[\s\p{Z}*_\-`\\[\]()<>#:@|!•\u2063]/gu, '')
}

/** Returns all visible text of a tree, in order. */
function piecesOf(tree: Root): string[] {
  return tree.children.flatMap((block) => {
    switch (block.type) {
      case 'code':
        return [block.value]
      case 'file':
        return [block.label ?? block.fileID]
      case 'list':
        return block.children.flatMap((item) => ['•', ...item.children[0].children.flatMap(phrasingPieces)])
      default:
        return block.children.flatMap(phrasingPieces)
    }
  })
}

function phrasingPieces(node: Phrasing): string[] {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return [node.value]
    case 'mention':
      return [`@${node.label ?? node.userID}`]
    case 'break':
      return ['\n']
    case 'link': {
      const label = node.children.flatMap(phrasingPieces)
      return showsUrl(label.join(''), node.url) ? label : [...label, `(${node.url})`]
    }
    default:
      return node.children.flatMap(phrasingPieces)
  }
}
