/** Converts the tree of §5 to mdast with the nodes of CommonMark and GFM. */
import type { Link, Root as MdastRoot, PhrasingContent, RootContent } from 'mdast'
import { isFormatting } from '../delimiters.js'
import type { Source } from '../index.js'
import { isSafeHref } from '../render/escape.js'
import { resolveFile } from '../render/options.js'
import { blocksOf } from '../source.js'
import { type Block, type Phrasing, unreachable } from '../tree.js'
import { textIn } from './conversion.js'
import { blocksOfLines, linesAsItems, linesOf } from './markers.js'
import { leafOf, type ProductRules, type TextBlock, type WritingOptions } from './names.js'

/**
 * Returns a message as an mdast tree that has only CommonMark's and GFM's nodes.
 *
 * @param source - text in the dialect, a tree, or a post's blocks
 * @param options - names of users and files, and whether lines that look like lists stay text
 * @throws {TypeError} if `source` is not a string, a tree or an array of both
 * @throws {BlockmarkError} if a tree is not valid
 */
export function toMdast(source: Source, options: WritingOptions = {}): MdastRoot {
  const blocks = options.literal ? blocksOf(source) : linesAsItems(blocksOf(source))
  return { type: 'root', children: blocks.flatMap((block) => mdastOf(block, options)) }
}

function mdastOf(block: Block, options: WritingOptions): RootContent[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
    case 'file': {
      const children = phrasingOf(block, options)
      if (children.length === 0) return []
      if (block.type === 'heading') return [{ type: 'heading', depth: block.depth, children }]
      const isRule = children.length === 1 && children[0]?.type === 'text' && children[0].value === '---'
      return [isRule && !options.literal ? { type: 'thematicBreak' } : { type: 'paragraph', children }]
    }
    case 'list': {
      const lines = linesOf(block).map((line) => ({
        ...line,
        content: line.content && phrasingOf(line.content, options),
      }))
      return blocksOfLines(lines.filter(({ content }) => content?.length !== 0))
    }
    case 'code':
      return [{ type: 'code', lang: block.lang, meta: block.meta, value: block.value }]
    default:
      return unreachable(block)
  }
}

/** Accepts links that §6 allows, also paths of the caller's own site, and every user id without white space. */
const rules: ProductRules = {
  isLink: ({ url }) => isSafeHref(url),
  isID: (id) => /^\S+$/.test(id),
}

function phrasingOf(leaf: TextBlock, options: WritingOptions): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of leafOf(leaf, options, rules)) addPhrasing(result, node, new Set(), options)
  return addSpaces(result)
}

/** Adds a space next to formatting that CommonMark would not find between punctuation and a letter: `**注意：** 正文`. */
function addSpaces(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node, index) => {
    if (node.type !== 'text')
      return 'children' in node ? ({ ...node, children: addSpaces(node.children) } as typeof node) : node
    const isFormattingAt = (at: number, edge: RegExp): boolean => {
      const sibling = nodes[at]
      return sibling !== undefined && isFormatting(sibling) && edge.test(textIn(sibling))
    }
    const start = LETTER_START.test(node.value) && isFormattingAt(index - 1, PUNCTUATION_END) ? ' ' : ''
    const end = LETTER_END.test(node.value) && isFormattingAt(index + 1, PUNCTUATION_START) ? ' ' : ''
    return { ...node, value: start + node.value + end }
  })
}

const [PUNCTUATION_START, PUNCTUATION_END] = [/^[\p{P}\p{S}]/u, /[\p{P}\p{S}]$/u]
const [LETTER_START, LETTER_END] = [/^[^\s\p{P}\p{S}]/u, /[^\s\p{P}\p{S}]$/u]

function addPhrasing(
  siblings: PhrasingContent[],
  node: Phrasing,
  around: ReadonlySet<string>,
  options: WritingOptions,
): void {
  const last = siblings.at(-1)
  if (node.type === 'text') siblings.push({ type: 'text', value: withFiles(node.value, options) })
  else if (node.type === 'mention') siblings.push({ type: 'text', value: `@${node.userID}` })
  else if (!('children' in node)) siblings.push({ ...node })
  else if (node.type === 'link') {
    const link: Link = { type: 'link', url: node.url, title: null, children: [] }
    siblings.push(link)
    for (const child of node.children) addPhrasing(link.children, child, around, options)
  } else {
    // CommonMark has no underline, so it becomes emphasis. Adjoining or nested formatting of one kind is merged, because its
    // delimiters would run together.
    const type = node.type === 'underline' ? 'emphasis' : node.type
    const parent = last?.type === type ? last : { type, children: [] }
    if (parent !== last && !around.has(type)) siblings.push(parent)
    const target = around.has(type) ? siblings : parent.children
    for (const child of node.children) addPhrasing(target, child, new Set(around).add(type), options)
  }
}

/** Replaces each `<!id|label>` inside a line, which is text in the dialect, with the name of the file. */
function withFiles(text: string, options: WritingOptions): string {
  return text.replace(FILE, (_, id: string, label: string) => `[file: ${resolveFile(id, label, options).name}]`)
}

const FILE = /<!([^<>|\\\p{Z}\p{Cc}]{1,128})\|([^<>|`\p{Cc}]{0,256})>/gu
