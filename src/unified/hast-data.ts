/** What remark-rehype is told of the nodes that it does not know, or shows in another way than §6. */
import type { ElementContent, Properties } from 'hast'
import type { Nodes } from 'mdast'
import { encodeUrl, isSafeUrl } from '../render/escape.js'
import type {} from './mdast.js'

/** The fields of `data` that mdast-util-to-hast reads. */
interface HastData {
  hName?: string
  hProperties?: Properties
  hChildren?: ElementContent[]
}

/** Writes `data` on every node that needs it. A parsed tree is never deep. */
export function describeForHast(node: Nodes): void {
  const data = dataOf(node)
  if (data !== null) node.data = { ...node.data, ...data }
  if (!('children' in node)) return
  for (const child of node.children) describeForHast(child)
}

function dataOf(node: Nodes): HastData | null {
  switch (node.type) {
    case 'underline':
      return { hName: 'u' }
    case 'mention': {
      const hProperties = { className: ['mention'], dataUserId: node.userID }
      return { hName: 'span', hProperties, hChildren: [textOf(`@${node.label ?? node.userID}`)] }
    }
    case 'file': {
      const hProperties = { className: ['file'], dataFileId: node.fileID }
      return { hName: 'div', hProperties, hChildren: [textOf(node.label ?? node.fileID)] }
    }
    case 'link':
      return isSafeUrl(node.url)
        ? { hName: 'a', hProperties: { href: encodeUrl(node.url), rel: ['nofollow', 'noopener', 'noreferrer'] } }
        : // remark-rehype has no way to leave an element out.
          { hName: 'span', hProperties: { href: undefined } }
    case 'code':
      // Otherwise the class would end at the first white space that is no space of §1.
      return node.lang ? { hProperties: { className: [`language-${node.lang}`] } } : null
    case 'inlineCode':
      // Behind a break the spaces are taken from the first text of what follows; code keeps its own.
      return /^[ \t]/.test(node.value) ? { hChildren: [textOf(''), textOf(node.value)] } : null
    default:
      return null
  }
}

function textOf(value: string): ElementContent {
  return { type: 'text', value }
}
