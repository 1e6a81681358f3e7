/** Converts mdast, including GFM's nodes and the dialect's own, to the tree of §5. */
import type { Root as MdastRoot } from 'mdast'
import type { Diagnostic } from '../diagnostic.js'
import { blocksOf, footnotesOf } from './blocks.js'
import { collectDefinitions, createConversion, type HtmlReader } from './conversion.js'
import type {} from './mdast.js'
import type { Converted, MarkdownOptions } from './options.js'

/**
 * Converts any mdast tree to a tree that the dialect can write. Nothing visible is lost: a construct that the dialect lacks
 * is degraded in the way that loses least, and each loss is a diagnostic.
 *
 * @param mdast - the tree; it is not changed
 * @param options - as for `fromMarkdown`
 * @param diagnostics - the diagnostics of the parser
 * @param html - the reader of HTML, if the tree may contain any
 */
export function fromMdast(
  mdast: MdastRoot,
  options: MarkdownOptions = {},
  diagnostics: readonly Diagnostic[] = [],
  html: HtmlReader | null = null,
): Converted {
  const conversion = createConversion(options, html)
  collectDefinitions(conversion, [mdast])
  const children = blocksOf(conversion, mdast.children).concat(footnotesOf(conversion))
  return {
    tree: { type: 'root', children },
    diagnostics: [...diagnostics, ...conversion.diagnostics].toSorted(byOffset),
  }
}

/** Compares diagnostics by their positions in the source. */
export function byOffset(one: Diagnostic, other: Diagnostic): number {
  return offsetOf(one) - offsetOf(other)
}

function offsetOf({ place }: Diagnostic): number {
  const point = place !== undefined && 'start' in place ? place.start : place
  return point?.offset ?? 0
}
