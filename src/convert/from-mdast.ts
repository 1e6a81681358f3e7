/** Converts mdast, including GFM's nodes and the dialect's own, to the tree of §5. */
import type { Definition, FootnoteDefinition, Root as MdastRoot, RootContent } from 'mdast'
import type { Diagnostic } from '../diagnostic.js'
import type { Block } from '../tree.js'
import { addBlocks, addFootnote } from './blocks.js'
import { type Conversion, collectDefinitions, createConversion, type HtmlReader, nameOf, report } from './conversion.js'
import type {} from './mdast.js'
import type { Converted, MarkdownOptions } from './options.js'
import { Outline } from './outline.js'

/**
 * Converts any mdast tree to a tree that the dialect can write. Nothing visible is lost: a construct that the dialect lacks
 * is degraded in the way that loses least, and each loss is a diagnostic.
 *
 * @param mdast - the tree; it is not changed
 * @param options - as for `fromMarkdown`
 * @param diagnostics - the diagnostics of its parser
 * @param html - the reader of HTML, if the tree may contain any
 */
export function fromMdast(
  mdast: MdastRoot,
  options: MarkdownOptions = {},
  diagnostics: readonly Diagnostic[] = [],
  html: HtmlReader | null = null,
): Converted {
  const conversion = createConversion(options, new Set(), html)
  collectDefinitions(conversion, [mdast])
  const children = blocksOf(conversion, mdast.children).concat(endOf(conversion))
  return {
    tree: { type: 'root', children },
    diagnostics: [...diagnostics, ...conversion.diagnostics].toSorted(byOffset),
  }
}

/** Converts blocks outside of all containers. */
export function blocksOf(conversion: Conversion, nodes: readonly RootContent[]): Block[] {
  const outline = new Outline()
  for (const node of nodes) {
    addBlocks(conversion, outline, [node], 'blank')
    outline.end()
  }
  return outline.blocks
}

/** Returns the blocks after all others: the footnotes. Reports definitions without a reference. */
export function endOf(conversion: Conversion): Block[] {
  const outline = new Outline()
  addFootnotes(conversion, outline)
  addHidden(conversion, outline)
  reportUnused(conversion)
  return outline.blocks
}

/** Adds the footnotes in the order of their numbers. A footnote may refer to further ones. */
function addFootnotes(conversion: Conversion, outline: Outline): void {
  // An iteration over a map includes the entries that are added meanwhile.
  for (const [name, number] of conversion.numbers) {
    const footnote = conversion.footnotes.get(name)
    if (footnote === undefined) continue
    addFootnote(conversion, outline, footnote, `[${number}] `)
    outline.end()
  }
}

/** Adds late definitions in a footnote that has no reference and is left out. */
function addHidden(conversion: Conversion, outline: Outline): void {
  for (const node of conversion.lateDefinitions) {
    if (conversion.writtenDefinitions.has(node)) continue
    addBlocks(conversion, outline, [node], 'blank')
    outline.end()
  }
}

function reportUnused(conversion: Conversion): void {
  const { definitions, used, footnotes, numbers, lateDefinitions } = conversion
  const isUnused = (node: Definition | FootnoteDefinition, names: { has(name: string): boolean }): boolean =>
    !names.has(nameOf(node)) && !lateDefinitions.has(node)
  for (const node of definitions.values()) if (isUnused(node, used)) report(conversion, 'definition-unused', node)
  for (const node of footnotes.values()) if (isUnused(node, numbers)) report(conversion, 'footnote-unused', node)
}

/** Compares diagnostics by their positions in the source. */
export function byOffset(one: Diagnostic, other: Diagnostic): number {
  return offsetOf(one) - offsetOf(other)
}

function offsetOf({ place }: Diagnostic): number {
  const point = place !== undefined && 'start' in place ? place.start : place
  return point?.offset ?? 0
}
