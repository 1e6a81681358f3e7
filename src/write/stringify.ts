/** Writes trees in the dialect (§8). */

import { langOf, withoutNull } from '../characters.js'
import { firstSpecial, PLAIN } from '../parse/blocks.js'
import { checkTree, isID, isLabel } from '../tree/check.js'
import { type Block, type Code, type File, type List, type Phrasing, type Root, unreachable } from '../tree.js'
import type { LeafKind } from './compare.js'
import { writeFenced, writeFile } from './constructs.js'
import { flatten } from './flatten.js'
import { writeTokens } from './leaf.js'
import type { OnChange } from './token.js'

/**
 * Writes a tree in the dialect, with few escapes (§8): `parse(stringify(tree))` equals `normalize(tree).tree`.
 *
 * @param tree - any tree of §5; it is not changed
 * @returns the source, without a line ending at its end
 * @throws {BlockmarkError} `tree/child`, `tree/field`, `tree/cycle` or `tree/depth` if the tree is not valid (§5)
 * @example
 * stringify(root(paragraph(text('snake_case and *stars*')))) // => 'snake_case and \\*stars*'
 * @see normalize for the changes that a tree may need
 */
export function stringify(tree: Root): string {
  return write(tree, () => {})
}

/**
 * Writes a tree, and reports every change that was necessary.
 *
 * @internal
 */
export function write(tree: Root, onChange: OnChange): string {
  checkTree(tree)
  const blocks = tree.children.map((block) => writeBlock(block, onChange))
  return blocks.filter((block) => block !== null).join('\n\n')
}

const PARAGRAPH_LEAF: LeafKind = { block: 'paragraph', prefix: '' }
const HEADING_LEAVES: Readonly<Record<1 | 2, LeafKind>> = {
  1: { block: 'heading1', prefix: '# ' },
  2: { block: 'heading2', prefix: '## ' },
}
const ITEM_LEAF: LeafKind = { block: 'firstItem', prefix: '* ' }

function writeBlock(block: Block, onChange: OnChange): string | null {
  switch (block.type) {
    case 'paragraph':
      return writeLeaf(PARAGRAPH_LEAF, block, block.children, onChange)
    case 'heading':
      return writeLeaf(HEADING_LEAVES[block.depth], block, block.children, onChange)
    case 'list':
      return writeList(block, onChange)
    case 'code':
      return writeCodeBlock(block, onChange)
    case 'file':
      return writeFileBlock(block, onChange)
    default:
      return unreachable(block)
  }
}

function writeLeaf(kind: LeafKind, node: object, children: readonly Phrasing[], onChange: OnChange): string | null {
  const [child] = children
  if (children.length === 1 && child?.type === 'text' && firstSpecial(child.value) === PLAIN) {
    return kind.prefix + child.value
  }
  const tokens = flatten(children, kind === PARAGRAPH_LEAF, onChange)
  if (tokens.length > 0) return writeTokens(tokens, kind)
  onChange(node, 'empty')
  return null
}

function writeList(list: List, onChange: OnChange): string | null {
  const items = list.children.map((item) => writeLeaf(ITEM_LEAF, item, item.children[0].children, onChange))
  const visibleItems = items.filter((item) => item !== null)
  if (visibleItems.length > 0) return visibleItems.join('\n')
  onChange(list, 'empty')
  return null
}

function writeCodeBlock(code: Code, onChange: OnChange): string | null {
  const { lang, meta = null, value } = code
  // Most code contains no U+0000 and no CR, so it need not be copied.
  const source = /[\0\r]/.test(value) ? withoutNull(value).replace(/\r\n?/g, '\n') : value
  if (source !== value) onChange(code, value.includes('\0') ? 'character' : 'break')
  // Only the language is written, for example `js` of `js{1,3}`.
  const language = langOf(lang ?? '')
  if (language !== (lang ?? '') || lang === '' || meta !== null) onChange(code, 'info')
  return writeFenced(language, source)
}

/** Writes a file, or its visible text if the id or the label is not valid. */
function writeFileBlock(file: File, onChange: OnChange): string | null {
  const { fileID, label } = file
  const isFile = isID(fileID) && isLabel(label ?? '')
  if (!isFile || label === '') onChange(file, isFile ? 'empty' : 'reference')
  if (isFile) return writeFile(fileID, label || null)
  return writeLeaf(PARAGRAPH_LEAF, file, [{ type: 'text', value: `[file: ${label || fileID}]` }], onChange)
}
