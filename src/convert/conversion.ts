/** State of a conversion from mdast. */
import type { Definition, FootnoteDefinition, Html, Nodes, PhrasingContent, RootContent } from 'mdast'
import type { Diagnostic } from '../diagnostic.js'
import type { Block, Phrasing, Position } from '../tree.js'
import type {} from './mdast.js'
import { type MarkdownOptions, type Rules, rulesFrom } from './options.js'
import { type ConversionRule, diagnosticOf } from './rules.js'

export interface Conversion {
  readonly diagnostics: Diagnostic[]
  readonly rules: Rules
  /** Reads HTML; null if the source cannot contain any. */
  readonly html: HtmlReader | null
  /** The definitions by identifier; the first one with an identifier counts. */
  readonly definitions: Map<string, Definition>
  readonly footnotes: Map<string, FootnoteDefinition>
  /** The definitions and footnotes that come after their references. They are shown at their own positions. */
  readonly definitionsAfterUse: ReadonlySet<Definition | FootnoteDefinition>
  /** The identifiers of the footnotes that something refers to, and their numbers. */
  readonly numbers: Map<string, number>
}

/** Parses Markdown into mdast. */
export type MarkdownParser = (markdown: string) => RootContent[]

/** Converts HTML to mdast. It is passed in, so that conversions without HTML, such as Slack's, do not load its code. */
export interface HtmlReader {
  /** Parses Markdown; null if the source has no parser. */
  readonly parse: MarkdownParser | null
  /** Returns the blocks in a block of HTML, with tags of phrasing as `html` nodes; null if Markdown cannot express it. */
  readonly blocksOf: (conversion: Conversion, html: Html) => RootContent[] | null
  /** Returns siblings with a node for each element, in place of its tags. */
  readonly withElements: (conversion: Conversion, nodes: readonly PhrasingContent[]) => readonly PhrasingContent[]
}

export function createConversion(
  options: MarkdownOptions,
  definitionsAfterUse: Conversion['definitionsAfterUse'] = new Set(),
  html: HtmlReader | null = null,
): Conversion {
  return {
    diagnostics: [],
    rules: rulesFrom(options),
    html,
    definitions: new Map(),
    footnotes: new Map(),
    definitionsAfterUse,
    numbers: new Map(),
  }
}

/** Collects the definitions and footnotes in nodes. */
export function collectDefinitions(conversion: Conversion, nodes: readonly Nodes[]): void {
  for (const node of nodes) {
    if (node.type === 'definition') addFirst(conversion.definitions, node)
    if (node.type === 'footnoteDefinition') addFirst(conversion.footnotes, node)
    if ('children' in node) collectDefinitions(conversion, node.children)
  }
}

function addFirst<Node extends Definition | FootnoteDefinition>(known: Map<string, Node>, node: Node): void {
  const name = nameOf(node)
  if (!known.has(name)) known.set(name, node)
}

/** Returns the name that a reference and its definition share. */
export function nameOf({ identifier }: { identifier: string }): string {
  return identifier.toUpperCase()
}

/** Returns the label of a reference or a definition as it was typed between brackets. */
export function labelOf({ label, identifier }: { label?: string | null | undefined; identifier: string }): string {
  return label ?? identifier
}

/** Whether HTML is a line break. */
export function isBreak(html: string): boolean {
  return /^<br[\s/]*>$/i.test(html)
}

/** Returns the text in a node. */
export function textIn(node: Nodes): string {
  if (node.type === 'break') return '\n'
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textIn).join('') : 'alt' in node ? (node.alt ?? '') : ''
}

export function report(
  conversion: Conversion,
  ruleId: ConversionRule,
  node: { position?: Position | undefined },
): void {
  conversion.diagnostics.push(diagnosticOf(ruleId, node.position))
}

/** Gives a node the position of the node that it was made from. */
export function placed<Node extends Phrasing | Block>(
  node: Node,
  { position }: { position?: Position | undefined },
): Node {
  return position === undefined ? node : { ...node, position }
}
