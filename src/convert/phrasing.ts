/** Converts mdast's phrasing to the dialect's. */
import type {
  Definition,
  FootnoteReference,
  Image,
  ImageReference,
  LinkReference,
  Link as MdastLink,
  Nodes,
  PhrasingContent,
} from 'mdast'
import { isFormatting } from '../delimiters.js'
import { type Formatting, isBareLink, type Link, type Phrasing } from '../tree.js'
import { type Conversion, isBreak, nameOf, report, withPositionOf } from './conversion.js'
import { unwrapLines, withBreaks } from './lines.js'
import { isVisible } from './markers.js'

/** The formatting and the link around phrasing. */
type OuterTypes = ReadonlySet<Formatting['type'] | 'link'>

/** Converts the children of a node. A soft line break becomes a space, or a break if the option `breaks` is set. */
export function phrasingOf(
  conversion: Conversion,
  nodes: readonly PhrasingContent[],
  around: OuterTypes = new Set(),
): Phrasing[] {
  const convertedNodes: Phrasing[] = []
  for (const node of conversion.html?.withElements(conversion, nodes) ?? nodes) {
    for (const each of convert(conversion, node, around)) {
      // Adjoining code, for example two `kbd` elements, must not merge.
      if (each.type === 'inlineCode' && convertedNodes.at(-1)?.type === 'inlineCode')
        convertedNodes.push({ type: 'text', value: ' ' })
      convertedNodes.push(each.position === undefined ? withPositionOf(each, node) : each)
    }
  }
  return convertedNodes
}

function convert(conversion: Conversion, node: PhrasingContent, around: OuterTypes): Phrasing[] {
  if (isFormatting(node)) return convertFormatting(conversion, node.children, node.type, around)
  switch (node.type) {
    case 'text':
      return textOf(conversion, node.value)
    case 'inlineCode':
      // A line ending inside code becomes a space, as in the dialect (§3.2).
      return [{ type: 'inlineCode', value: node.value.replace(/\r\n|\r|\n/g, ' ') }]
    case 'link':
    case 'linkReference':
      return convertLink(conversion, node, around)
    case 'image':
    case 'imageReference':
      return convertImage(conversion, node, around)
    case 'footnoteReference':
      return convertFootnote(conversion, node)
    case 'mention':
      return [{ type: 'mention', userID: node.userID, label: node.label }]
    case 'break':
      return [{ type: 'break' }]
    default:
      return convertUnknown(conversion, node, around)
  }
}

function convertFormatting(
  conversion: Conversion,
  nodes: readonly PhrasingContent[],
  type: Formatting['type'],
  around: OuterTypes,
): Phrasing[] {
  // Formatting in formatting of the same kind is replaced by its content (§4), so that the depth of the result is limited.
  if (around.has(type)) return phrasingOf(conversion, nodes, around)
  const children = phrasingOf(conversion, nodes, new Set(around).add(type))
  return children.length === 0 ? [] : [{ type, children }]
}

function convertLink(conversion: Conversion, node: MdastLink | LinkReference, around: OuterTypes): Phrasing[] {
  const target = around.has('link') ? undefined : targetOf(conversion, node)
  // The same kind of formatting can be around a link and in its link text (§4).
  const label = phrasingOf(conversion, node.children, target === undefined ? around : new Set(['link']))
  return target === undefined ? label : linkOf(conversion, target, label, node)
}

function convertImage(conversion: Conversion, node: Image | ImageReference, around: OuterTypes): Phrasing[] {
  const label = textOf(conversion, node.alt ?? '')
  const target = targetOf(conversion, node)
  report(conversion, around.has('link') ? 'image-in-link' : 'image', node)
  return target === undefined || around.has('link') ? label : linkOf(conversion, target, label, node)
}

function convertFootnote(conversion: Conversion, node: FootnoteReference): Phrasing[] {
  const name = nameOf(node)
  if (!conversion.definitions.has(name)) return [{ type: 'text', value: `[^${node.label ?? node.identifier}]` }]
  const number = conversion.numbers.get(name) ?? conversion.numbers.size + 1
  conversion.numbers.set(name, number)
  report(conversion, 'footnote', node)
  return [{ type: 'text', value: `[${number}]` }]
}

/** Returns the content or the value of a node of another plugin. */
function convertUnknown(conversion: Conversion, node: Nodes, around: OuterTypes): Phrasing[] {
  const isFormula = String(node.type) === 'inlineMath'
  report(conversion, isFormula ? 'math' : 'unknown', node)
  if (isFormula && 'value' in node) return convert(conversion, { type: 'inlineCode', value: node.value }, around)
  if ('children' in node) {
    // The cast is safe: all children of phrasing are phrasing.
    return phrasingOf(conversion, node.children as PhrasingContent[], around)
  }
  return 'value' in node ? textOf(conversion, String(node.value)) : []
}

/** Returns text. A line ending becomes a space, as in CommonMark, or a break if the option `breaks` is set. */
function textOf({ rules }: Conversion, value: string): Phrasing[] {
  return withBreaks(rules.breaks ? value : unwrapLines(value))
}

/** Whether nodes contain a hard line break, a tag such as `<br>`, or a line ending that becomes a break. */
export function holdsBreak({ rules }: Conversion, nodes: readonly Nodes[]): boolean {
  const holds = (node: Nodes): boolean => {
    if (node.type === 'break' || (node.type === 'html' && isBreak(node.value))) return true
    if (rules.breaks && node.type === 'text' && /[\r\n]/.test(node.value)) return true
    return 'children' in node && node.children.some(holds)
  }
  return nodes.some(holds)
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:/

/** Characters that a URL cannot contain (§3.4); a browser encodes them, too. Lone surrogates stay, because they have no encoding. */
const UNWRITABLE = /[\s\p{Z}\p{Cc}<]/gu

/** The URL and the title of a link or an image. */
type Target = Pick<Definition, 'url' | 'title'>

/** Returns the target of a link or an image; undefined if a reference has no definition. */
function targetOf(
  { definitions }: Conversion,
  node: MdastLink | Image | LinkReference | ImageReference,
): Target | undefined {
  const target = 'url' in node ? node : definitions.get(nameOf(node))
  return target?.type === 'footnoteDefinition' ? undefined : target
}

/**
 * Returns a link. A URL without a scheme becomes text after the link text (§7). Anchors and `data:` URLs are dropped.
 *
 * @param label - the link text; if it is not visible, the URL is shown
 */
export function linkOf(
  conversion: Conversion,
  { url, title }: Target,
  label: readonly Phrasing[],
  node: Nodes,
): Phrasing[] {
  if (title) report(conversion, 'link-title', node)
  const [data] = /^data:[\w/+.-]*/i.exec(url) ?? []
  if (data !== undefined || !SCHEME.test(url)) {
    report(conversion, 'link-target', node)
    // An anchor leads nowhere in a chat, and a `data:` URL may be longer than a message, so they are left out after a label.
    const isAnchor = url === '' || url.startsWith('#')
    if (label.length === 0 && !isAnchor) return [{ type: 'text', value: data ?? url }]
    if (data !== undefined || isAnchor || isBareLink({ url, children: label })) return [...label]
    return [...label, { type: 'text', value: ` (${url})` }]
  }
  // micromark does not decode `&amp;` in a bare link. This code does, because models copy such URLs from HTML.
  const withAmpersands = (text: string): string => text.replaceAll('&amp;', '&')
  const target = withAmpersands(url).replace(UNWRITABLE, encodeURIComponent)
  const visibleLabel = label.some(isVisible) ? label : [{ type: 'text' as const, value: target }]
  const children = visibleLabel.map((child) => {
    const isUrl = child.type === 'text' && withAmpersands(url).endsWith(withAmpersands(child.value))
    return isUrl ? { ...child, value: withAmpersands(child.value) } : child
  })
  // The caller makes sure that the label contains no link.
  return [{ type: 'link', url: target, title: null, children: children as Link['children'] }]
}
