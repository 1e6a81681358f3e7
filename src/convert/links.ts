/** Targets of links and images, and what stands for those that the dialect can not hold (§3.4). */
import type { Definition, Image, ImageReference, LinkReference, Link as MdastLink } from 'mdast'
import { isBareLink, type Link, type Phrasing, type Position } from '../tree.js'
import { type Conversion, nameOf, report } from './conversion.js'

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:/

/** What a url can not hold (§3.4); a browser encodes it in the same way. A lone surrogate has no encoding. */
const UNWRITABLE = /[\s\p{Z}\p{Cc}<]/gu

/** The target as the dialect can hold it; null without a scheme. */
function targetOf(url: string): string | null {
  return SCHEME.test(url) ? url.replace(UNWRITABLE, encodeURIComponent) : null
}

/** Where a link or an image leads. */
export interface Target {
  readonly url: string
  readonly hasTitle: boolean
}

/** The target of a link or an image, or of the definition that it refers to; null where there is none. */
export function targetOfNode(
  conversion: Conversion,
  node: MdastLink | Image | LinkReference | ImageReference,
): Target | null {
  const named: MdastLink | Image | Definition | undefined =
    'url' in node ? node : conversion.definitions.get(nameOf(node))
  if (named === undefined) return null
  if (named.type === 'definition') conversion.used.add(nameOf(named))
  return { url: named.url, hasTitle: typeof named.title === 'string' && named.title !== '' }
}

/**
 * A link, or what stands for it: without a scheme the target is text behind the label, as in plain text (§7).
 *
 * @param label - its content; where that shows nothing, the target does
 */
export function linkOf(
  conversion: Conversion,
  { url, hasTitle }: Target,
  label: readonly Phrasing[],
  node: { position?: Position | undefined },
): Phrasing[] {
  const target = targetOf(url)
  if (hasTitle) report(conversion, 'link-title', node)
  if (target === null) {
    report(conversion, 'link-target', node)
    const isShown = url === '' || isBareLink({ url, children: label })
    return isShown ? [...label] : [...label, { type: 'text', value: label.length > 0 ? ` (${url})` : url }]
  }
  const children = label.length > 0 ? label : [{ type: 'text' as const, value: target }]
  // What stands in a link is phrasing without a link: the caller sees to it.
  const link: Link = { type: 'link', url: target, title: null, children: [...children] as Link['children'] }
  if (node.position !== undefined) link.position = node.position
  return [link]
}
