/**
 * Sets `data` on nodes that remark-rehype does not know, or would show differently from §6. The fields are computed when they are
 * read, so that a plugin that changes a URL or a label changes the output.
 */
import type { ElementContent } from 'hast'
import type { Link, Nodes } from 'mdast'
import type {} from '../convert/mdast.js'
import { delimiterOf, isFormatting } from '../delimiters.js'
import { type Phrasing, toHast } from '../index.js'
import { encodeUrl, isSafeUrl } from '../render/escape.js'

/** Sets `data` on every node that needs it. */
export function describeForHast(node: Nodes, before?: Nodes): void {
  const data = dataOf(node, before)
  if (data !== null) node.data = data
  if (!('children' in node)) return
  for (const [index, child] of node.children.entries()) describeForHast(child, node.children[index - 1])
}

/** Returns the fields of `data` that mdast-util-to-hast reads: `hName`, `hProperties`, `hChildren`; null if none is needed. */
function dataOf(node: Nodes, before: Nodes | undefined): object | null {
  if (isFormatting(node)) return mdastFormatting.has(node.type) ? null : { hName: delimiterOf(node.type).element }
  switch (node.type) {
    case 'mention':
      return addComputed(
        { hName: 'span', hProperties: addComputed({ className: ['mention'] }, { dataUserId: () => node.userID }) },
        { hChildren: () => [textOf(`@${node.label ?? node.userID}`)] },
      )
    case 'file':
      return addComputed(
        { hName: 'div', hProperties: addComputed({ className: ['file'] }, { dataFileId: () => node.fileID }) },
        { hChildren: () => [textOf(node.label ?? node.fileID)] },
      )
    case 'link':
      return linkData(node, before?.type === 'break')
    case 'code':
      // remark-rehype would cut a language at its first white space. A tree from another program can contain such a language.
      return node.lang ? { hProperties: { className: [`language-${node.lang}`] } } : null
    case 'inlineCode':
      // remark-rehype trims the first text of an element after a break. An empty text before the code keeps the code's spaces.
      return /^[ \t]/.test(node.value) ? { hChildren: [textOf(''), textOf(node.value)] } : null
    default:
      return null
  }
}

/** Formatting that remark-rehype knows. */
const mdastFormatting: ReadonlySet<string> = new Set(['strong', 'emphasis', 'delete'])

function linkData(node: Link, isAfterBreak: boolean): object {
  const whenSafe = <Value>(get: () => Value): Value | undefined => (isSafeUrl(node.url) ? get() : undefined)
  const hProperties = addComputed(
    {},
    {
      href: () => whenSafe(() => encodeUrl(node.url)),
      rel: () => whenSafe(() => ['nofollow', 'noopener', 'noreferrer']),
    },
  )
  // remark-rehype cannot omit an element, so a link with an unsafe URL becomes a `span`.
  const hName = (): string => (isSafeUrl(node.url) ? 'a' : 'span')
  const isTrimmed = isAfterBreak && node.children[0]?.type === 'text' && /^[ \t]/.test(node.children[0].value)
  return addComputed({ hProperties }, isTrimmed ? { hName, hChildren: () => contentOf(node) } : { hName })
}

/** Returns the children with an empty text before them: remark-rehype trims the first text of an element after a break. */
function contentOf(node: Link): ElementContent[] | undefined {
  const dialectTypes = new Set(['text', 'inlineCode', 'mention', 'break', 'link'])
  const isOfDialect = (child: Nodes): boolean =>
    (isFormatting(child) || dialectTypes.has(child.type)) &&
    (!('children' in child) || child.children.every(isOfDialect))
  if (!node.children.every(isOfDialect)) return undefined
  // The condition above has checked the types of the children, so the cast holds.
  const children = node.children as Phrasing[]
  const root = toHast({ type: 'root', children: [{ type: 'paragraph', children }] })
  const paragraphs = root.children.filter((node) => node.type === 'element')
  return [textOf(''), ...paragraphs.flatMap((paragraph) => paragraph.children)]
}

/** Adds fields that are computed at each read, until a plugin sets them. */
function addComputed(data: object, fields: Readonly<Record<string, () => unknown>>): object {
  for (const [name, get] of Object.entries(fields)) {
    const set = (value: unknown): void => {
      Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true })
    }
    Object.defineProperty(data, name, { get, set, enumerable: true, configurable: true })
  }
  return data
}

function textOf(value: string): ElementContent {
  return { type: 'text', value }
}
