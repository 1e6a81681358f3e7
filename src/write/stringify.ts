/** Writes trees (§8). */

import { withoutNull } from '../characters.js'
import { fileOf, isID } from '../parse/mention.js'
import { type Block, type Code, type File, type List, type Phrasing, type Root, unreachable } from '../tree.js'
import { assertTree } from './assert-tree.js'
import { writeFenced, writeFile } from './constructs.js'
import type { LeafType, Report } from './draft.js'
import { createPool, type Pool, settle } from './settle.js'
import { writeSimple } from './simple.js'
import { refuseUnsound } from './sound.js'
import { trimSpaces } from './space.js'

/**
 * Writes a tree in the dialect, with few escapes (§8): `parse(stringify(tree))` equals `normalize(tree).tree`.
 *
 * @param tree - any tree of §5; it is not changed
 * @returns the source, without a line ending at its end
 * @throws {BlockmarkError} `tree/child`, `tree/field` or `tree/cycle` when it is none
 * @example
 * stringify(root(paragraph(text('snake_case and *stars*')))) // => 'snake_case and \\*stars*'
 * @see normalize for what can not be written as it stands
 */
export function stringify(tree: Root): string {
  return write(tree, () => {})
}

/**
 * Writes a tree, and tells of everything that had to be changed; several trees that are parts of one share a pool.
 *
 * @internal
 */
export function write(tree: Root, report: Report, pool: Pool = createPool()): string {
  try {
    refuseUnsound(tree)
    const writing: Writing = { report, pool }
    let source: string | null = null
    for (const block of tree.children) source = join(source, '\n\n', writeBlock(block, writing))
    return source ?? ''
  } catch (error) {
    // Whatever went wrong, the tree's own problems say it best.
    assertTree(tree)
    throw error
  }
}

/** Two sources with something between them, or the one that there is. */
function join(left: string | null, between: string, right: string | null): string | null {
  if (left === null) return right
  return right === null ? left : left + between + right
}

interface Writing {
  readonly report: Report
  readonly pool: Pool
}

function writeBlock(block: Block, writing: Writing): string | null {
  refuseUnsound(block)
  switch (block.type) {
    case 'paragraph':
      return writeLeaf('paragraph', block, block.children, writing)
    case 'heading':
      return writeLeaf(block.depth === 1 ? 'heading1' : 'heading2', block, block.children, writing)
    case 'list':
      return writeList(block, writing)
    case 'code':
      return writeCodeBlock(block, writing)
    case 'file':
      return writeFileBlock(block, writing)
    default:
      return unreachable(block)
  }
}

function writeLeaf(type: LeafType, node: object, children: readonly Phrasing[], writing: Writing): string | null {
  const source =
    writeSimple(type, children) ?? settle({ type, node, children, exceptions: null }, writing.report, writing.pool)
  if (source === null) writing.report(node, 'empty')
  return source
}

function writeList(list: List, writing: Writing): string | null {
  let source: string | null = null
  for (const item of list.children) {
    source = join(source, '\n', writeLeaf('listItem', item, item.children[0].children, writing))
  }
  if (source === null) writing.report(list, 'empty')
  return source
}

function writeCodeBlock(code: Code, { report }: Writing): string | null {
  const { lang, meta, value } = code
  // Most are as they can stand.
  if (meta === null && (lang === null || /^[!-_a-~]+$/.test(lang)) && !/[\0\r]/.test(value)) {
    return writeFenced(lang ?? '', value)
  }
  const source = withoutNull(value).replace(/\r\n?/g, '\n')
  if (source !== value) report(code, value.includes('\0') ? 'character' : 'break')
  return writeFenced(infoOf(code, report), source)
}

/** An info string holds no backtick, and its line endings are spaces (§2). */
function infoOf(code: Code, report: Report): string {
  const info = trimSpaces(`${code.lang ?? ''} ${code.meta ?? ''}`.replace(/[\0`]/g, '').replace(/[\r\n]/g, ' '))
  const [, lang = '', meta = ''] = /^([^ \t]*)[ \t]*(.*)/s.exec(info) ?? []
  if ((lang || null) !== code.lang || (meta || null) !== code.meta) report(code, 'info')
  return meta === '' ? lang : `${lang} ${meta}`
}

/** A file that can not be written is what would be seen of it. */
function writeFileBlock(file: File, writing: Writing): string | null {
  const { fileID, label } = file
  const source = writeFile(fileID, label || null)
  const isFile = isID(fileID) && fileOf(source) !== null
  if (!isFile || label === '') writing.report(file, isFile ? 'empty' : 'reference')
  return isFile
    ? source
    : writeLeaf('paragraph', file, [{ type: 'text', value: `[file: ${label || fileID}]` }], writing)
}
