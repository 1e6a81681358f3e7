/** The blocks of Markdown, found by CommonMark's reference implementation and by ours, in one form for comparison. */
import { type Node as CommonMarkNode, Parser } from 'commonmark'
import type { Nodes } from 'mdast'

/** A block: its type, its fields, its text, and its child blocks. */
export type Shape = readonly [type: string, field: unknown, text: string, children: readonly Shape[]]

/**
 * Replaces the characters of constructs that only GFM has (tables, strikethrough, footnotes, tasks, literal autolinks), and
 * white space other than spaces and tabs, which commonmark.js confuses with those or with line endings. All blocks stay.
 *
 * @param markdown - any Markdown
 * @returns Markdown with the same meaning in CommonMark and in GFM
 */
export function withoutGfm(markdown: string): string {
  return markdown
    .replace(/\||[^\S \t\r\n]/g, '/')
    .replace(/(?<!~)~{1,2}(?!~)/g, '=')
    .replace(/\[\^/g, '[')
    .replace(/\[([ \txX])\]/g, '($1)')
    .replace(/:\/\//g, ':/')
    .replace(/www\./gi, 'www-')
    .replace(/(<[\w.+-]+@[\w.-]+>)|@/g, (_, autolink = '-') => autolink)
}

/** Returns the blocks that commonmark.js finds, the reference implementation of the specification. */
export function judge(markdown: string): Shape[] {
  return shapesIn(new Parser().parse(markdown))
}

/** Returns a shape without the text of paragraphs and headings. */
export function withoutText([type, field, text, children]: Shape): Shape {
  return [type, field, type === 'paragraph' || type === 'heading' ? '' : text, children.map(withoutText)]
}

function childrenOf(node: CommonMarkNode): CommonMarkNode[] {
  const children: CommonMarkNode[] = []
  for (let child = node.firstChild; child !== null; child = child.next) children.push(child)
  return children
}

/** Returns the shapes of the children. commonmark.js leaves an empty paragraph if definitions are followed by a setext underline. */
function shapesIn(node: CommonMarkNode): Shape[] {
  return childrenOf(node)
    .map(shapeOfNode)
    .filter(([type, , text]) => type !== 'paragraph' || text !== '')
}

function shapeOfNode(node: CommonMarkNode): Shape {
  const literal = verbatim(node.literal ?? '')
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return [node.type, node.level ?? null, normalized(childrenOf(node).map(textOfNode).join('')), []]
    case 'code_block':
      return ['code', null, literal, []]
    case 'html_block':
      return ['html', null, literal, []]
    case 'thematic_break':
      return ['thematicBreak', null, '', []]
    case 'list': {
      const field = [node.listType === 'ordered' ? node.listStart : null, node.listTight]
      return ['list', field, '', shapesIn(node)]
    }
    default:
      return [node.type === 'item' ? 'listItem' : 'blockquote', null, '', shapesIn(node)]
  }
}

function textOfNode(node: CommonMarkNode): string {
  if (node.type === 'softbreak' || node.type === 'linebreak') return '\n'
  return (node.literal ?? '') + childrenOf(node).map(textOfNode).join('')
}

/** Returns the blocks of an mdast tree, without definitions, which show nothing. */
export function shapesOf(nodes: readonly Nodes[]): Shape[] {
  return nodes
    .filter(({ type }) => type !== 'definition')
    .map(shapeOf)
    .filter(([type, , text]) => type !== 'paragraph' || text !== '')
}

function shapeOf(node: Nodes): Shape {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return [node.type, node.type === 'heading' ? node.depth : null, normalized(textOf(node)), []]
    case 'code':
    case 'html':
      return [node.type, null, verbatim(node.value), []]
    case 'list': {
      const isTight = !node.spread && node.children.every(({ spread }) => !spread)
      return ['list', [node.ordered ? (node.start ?? 1) : null, isTight], '', shapesOf(node.children)]
    }
    default:
      return [node.type, null, '', 'children' in node ? shapesOf(node.children) : []]
  }
}

function textOf(node: Nodes): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

/** Code or HTML, without the white space in blank lines, which the specification does not define. */
function verbatim(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]+$/gm, '')
    .trimEnd()
}

/** Only letters and digits: inline constructs are not compared here. */
function normalized(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}
