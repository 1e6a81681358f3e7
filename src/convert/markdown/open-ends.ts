/** Turns delimiters and brackets that nothing closes into nodes that end with their block. */
import type { Delete, Nodes } from 'mdast'
import type { CompileContext, Extension } from 'mdast-util-from-markdown'
import { LETTER, traitsAt, traitsBefore } from '../../characters.js'
import { isFormatting } from '../../delimiters.js'
import { namesOfOpen, readTag } from '../html.js'

/** The URL of a link that is not complete: only its text is shown. */
const HALF_LINK = 'half:'

/** Matches a text that people fill in, which is no link. */
const PLACEHOLDER =
  /^\[(?:your|insert|enter|add|name|date|company|city|address|recipient|phone|e-?mail|title|position)\b[^\]]*$/i

type OnEnterError = NonNullable<Parameters<CompileContext['enter']>[2]>
type Token = Parameters<CompileContext['exit']>[0]

/** Ends an open node at the end of a node around it. */
const end: OnEnterError = function (left) {
  // To exit takes no text from the source.
  if (left !== undefined) this.exit.call(this as CompileContext, left)
}

/**
 * Makes an extension for the tree.
 *
 * @param source - the whole text that is parsed
 * @param start - the offset of the unfinished text, which goes on to the end of the source
 * @param isInLine - whether it breaks off in the middle of a line
 * @param onUse - called if the extension changes the tree
 */
export function openEnds(source: string, start: number, isInLine: boolean, onUse: () => void): Extension {
  let struck: { readonly node: Delete; readonly mark: string } | null = null
  const opened = (mark: string, token: Token): Nodes[] => {
    if (/^!?\[$/.test(mark))
      return token._balanced || PLACEHOLDER.test(source.slice(token.start.offset))
        ? []
        : [{ type: 'link', url: HALF_LINK, children: [] }]
    const isLast = isInLine && token.end.offset === source.length && /^[*_~]+$/.test(mark)
    // A formatting without content is removed.
    if (isLast) return [{ type: 'emphasis', children: [] }]
    // A run in a word may be a power: `x**2 + 1`.
    if (!token._open || isInWord(source, token)) return []
    if (mark[0] !== '~') {
      const nodes: Nodes[] = mark.length % 2 === 1 ? [{ type: 'emphasis', children: [] }] : []
      return mark.length > 1 ? [...nodes, { type: 'strong', children: [] }] : nodes
    }
    // `~90 ms` means about 90 ms. Of several strikethroughs, the longer counts, or the inner if equal.
    if ((mark === '~' && /\d/.test(source[token.end.offset] ?? '')) || (struck?.mark.length ?? 0) > mark.length)
      return []
    struck?.node.children.unshift({ type: 'text', value: struck.mark })
    if (struck !== null) Object.assign(struck.node, { type: 'link', url: HALF_LINK })
    struck = { node: { type: 'delete', children: [] }, mark }
    return [struck.node]
  }
  return {
    canContainEols: ['link'],
    enter: {
      data(token) {
        const [around, onError] = this.tokenStack.at(-1) ?? []
        // In a complete construct, such a character is text.
        const mayOpen =
          token.start.offset >= start &&
          (onError === end || /^(?:paragraph|atxHeading|tableData|tableHeader)$/.test(around?.type ?? ''))
        const nodes = mayOpen ? opened(this.sliceSerialize(token), token) : []
        if (nodes.length === 0) this.config.enter['autolinkProtocol']?.call(this, token)
        else onUse()
        for (const node of nodes) this.enter(node, token, end)
      },
    },
    exit: {
      data(token) {
        if (this.tokenStack.at(-1)?.[0] !== token) this.config.exit['codeTextData']?.call(this, token)
      },
    },
    transforms: [
      ({ children }) => {
        const last = children.at(-1)
        if (last !== undefined && finish(last)) onUse()
      },
    ],
  }
}

function isInWord(source: string, { start, end: after }: Token): boolean {
  return (traitsBefore(source, start.offset) & traitsAt(source, after.offset) & LETTER) !== 0
}

/** Removes half links and everything empty at the end of a node, and ends open elements. Returns whether there was anything. */
function finish(parent: Nodes): boolean {
  if (!('children' in parent)) return false
  const children: Nodes[] = parent.children
  let isChanged = false
  for (let last = children.at(-1); last !== undefined; last = children.at(-1)) {
    isChanged = finish(last) || trimEnd(last) || isChanged
    const content = last.type === 'link' && last.url === HALF_LINK ? last.children : null
    if (content === null && !isNothing(last)) break
    children.splice(-1, 1, ...(content ?? []))
    isChanged = true
  }
  // In a container, HTML is a block.
  if (/^(?:root|blockquote|list|listItem|footnoteDefinition)$/.test(parent.type)) return isChanged
  const open = namesOfOpen(children.map((node) => (node.type === 'html' ? readTag(node.value) : null)))
  for (const name of open) children.push({ type: 'html', value: `</${name}>` })
  return isChanged || open.length > 0
}

/** Removes space at the end of a text. Returns whether there was any. */
function trimEnd(node: Nodes): boolean {
  if (node.type !== 'text' || !/\s$/.test(node.value)) return false
  node.value = node.value.trimEnd()
  return true
}

function isNothing(node: Nodes): boolean {
  if ('value' in node) return node.value === ''
  return node.type === 'break' || (isFormatting(node) && node.children.length === 0)
}
