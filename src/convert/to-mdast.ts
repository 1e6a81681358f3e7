/** From the tree of §5 to mdast as CommonMark and GFM have it. */
import type { ListItem, Link as MdastLink, Root as MdastRoot, PhrasingContent, RootContent } from 'mdast'
import type { Source } from '../index.js'
import { isSafeUrl } from '../render/escape.js'
import {
  type Block,
  type Formatting,
  isBareLink,
  type Link,
  type Mention,
  type Phrasing,
  unreachable,
} from '../tree.js'
import { treesOf } from './sources.js'

/**
 * A message as an mdast tree without node types of ours.
 *
 * @param source - markdown of the dialect, a tree, or a post's blocks
 * @throws {TypeError} when the source is none
 */
export function toMdast(source: Source): MdastRoot {
  return { type: 'root', children: treesOf(source).flatMap((tree) => tree.children.map(toBlock)) }
}

function toBlock(block: Block): RootContent {
  switch (block.type) {
    case 'heading':
      return { type: 'heading', depth: block.depth, children: toPhrasing(block.children) }
    case 'paragraph':
      return { type: 'paragraph', children: toPhrasing(block.children) }
    case 'list':
      return {
        type: 'list',
        ordered: false,
        spread: false,
        children: block.children.map((item) => toItem(item.children[0].children)),
      }
    case 'code':
      return { type: 'code', lang: block.lang, meta: block.meta, value: block.value }
    case 'file':
      return { type: 'paragraph', children: [{ type: 'text', value: `[file: ${block.label ?? block.fileID}]` }] }
    default:
      return unreachable(block)
  }
}

/** An item that begins with a box is a task. */
function toItem(phrasing: readonly Phrasing[]): ListItem {
  const children = toPhrasing(phrasing)
  const [first] = children
  const item: ListItem = { type: 'listItem', spread: false, children: [{ type: 'paragraph', children }] }
  if (first?.type !== 'text' || !/^[☐☑] ./su.test(first.value)) return item
  item.checked = first.value.startsWith('☑')
  first.value = first.value.slice(2)
  return item
}

/** What CommonMark has for each kind of formatting; an underline is stressed, too. */
const kinds: Readonly<Record<Formatting['type'], 'strong' | 'emphasis' | 'delete'>> = {
  strong: 'strong',
  emphasis: 'emphasis',
  underline: 'emphasis',
  delete: 'delete',
}

interface Level {
  readonly nodes: readonly Phrasing[]
  index: number
  /** Where its children go. */
  readonly children: PhrasingContent[]
  /** What it adds to what stands around them. */
  readonly opens: 'strong' | 'emphasis' | 'delete' | 'link' | null
  /** What follows the last child, as text. */
  readonly tail: string
}

/** Without recursion: a tree that somebody else made may be as deep as it likes. No kind stands inside itself. */
function toPhrasing(phrasing: readonly Phrasing[]): PhrasingContent[] {
  const result: PhrasingContent[] = []
  const levels: Level[] = [{ nodes: phrasing, index: 0, children: result, opens: null, tail: '' }]
  const open = new Set<Level['opens']>()
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.nodes[level.index]
    level.index += 1
    if (node === undefined) {
      addText(level.children, level.tail)
      open.delete(level.opens)
      levels.pop()
    } else if (!('children' in node)) addLeaf(level.children, node)
    else {
      const inside = node.type === 'link' ? enterLink(node, level.children, open) : enter(node, level.children, open)
      open.add(inside.opens)
      levels.push(inside)
    }
  }
  return result
}

function addLeaf(siblings: PhrasingContent[], node: Exclude<Phrasing, Formatting | Link>): void {
  switch (node.type) {
    case 'text':
      addText(siblings, node.value)
      break
    case 'mention':
      addText(siblings, nameOf(node))
      break
    case 'inlineCode':
      siblings.push({ type: 'inlineCode', value: node.value })
      break
    case 'break':
      siblings.push({ type: 'break' })
      break
    default:
      unreachable(node)
  }
}

function nameOf({ userID, label }: Mention): string {
  return `@${label ?? userID}`
}

function addText(siblings: PhrasingContent[], value: string): void {
  const last = siblings.at(-1)
  if (last?.type === 'text') last.value += value
  else if (value !== '') siblings.push({ type: 'text', value })
}

/** Two of a kind side by side are one, or their markers would run into each other. */
function enter(node: Formatting, siblings: PhrasingContent[], open: ReadonlySet<Level['opens']>): Level {
  const kind = kinds[node.type]
  if (open.has(kind)) return { nodes: node.children, index: 0, children: siblings, opens: null, tail: '' }
  const last = siblings.at(-1)
  if (last?.type === kind) return { nodes: node.children, index: 0, children: last.children, opens: kind, tail: '' }
  const made: Extract<PhrasingContent, { type: typeof kind }> = { type: kind, children: [] }
  siblings.push(made)
  return { nodes: node.children, index: 0, children: made.children, opens: kind, tail: '' }
}

function enterLink(node: Link, siblings: PhrasingContent[], open: ReadonlySet<Level['opens']>): Level {
  const { url, children: nodes } = node
  if (open.has('link') || !isSafeUrl(url)) {
    return { nodes, index: 0, children: siblings, opens: null, tail: isBareLink(node) ? '' : ` (${url})` }
  }
  const made: MdastLink = { type: 'link', url, title: null, children: [] }
  siblings.push(made)
  return { nodes, index: 0, children: made.children, opens: 'link', tail: '' }
}
