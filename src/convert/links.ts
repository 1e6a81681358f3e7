/** The URLs of links and images, and the text that replaces URLs that the dialect cannot contain (§3.4). */
import type { Definition, Image, ImageReference, LinkReference, Link as MdastLink } from 'mdast'
import { isBareLink, type Link, type Phrasing, type Position } from '../tree.js'
import { type Conversion, nameOf, report } from './conversion.js'

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:/

/** Characters that a URL cannot contain (§3.4); a browser encodes them in the same way. A lone surrogate has no encoding. */
const UNWRITABLE = /[\s\p{Z}\p{Cc}<]/gu

/** Returns the URL as the dialect can contain it; null if it has no scheme. */
function targetOf(url: string): string | null {
  return SCHEME.test(url) ? url.replace(UNWRITABLE, encodeURIComponent) : null
}

/** The URL of a link or an image. */
export interface Target {
  readonly url: string
  readonly hasTitle: boolean
}

/** Returns the target of a link or an image, or null if a reference has no definition. */
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
 * Returns a link. Without a scheme the target becomes text after the label, as in plain text (§7).
 *
 * @param label - its content; if it is not visible, the URL is shown
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
    // An anchor leads nowhere in a chat.
    const isShown = url === '' || url.startsWith('#') || isBareLink({ url, children: label })
    return isShown ? [...label] : [...label, { type: 'text', value: label.length > 0 ? ` (${url})` : url }]
  }
  const children = label.length > 0 ? label : [{ type: 'text' as const, value: target }]
  // The caller makes sure that the label contains no link.
  const link: Link = { type: 'link', url: target, title: null, children: [...children] as Link['children'] }
  if (node.position !== undefined) link.position = node.position
  return [link]
}
