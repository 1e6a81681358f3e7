/** The state and the diagnostics of a conversion from mdast. */
import type { Definition, FootnoteDefinition, Html, Nodes, PhrasingContent, RootContent } from 'mdast'
import { type Diagnostic, printable } from '../diagnostic.js'
import type { Block, Phrasing, Position } from '../tree.js'
import type {} from './mdast.js'
import { type MarkdownOptions, type Rules, rulesFrom } from './options.js'

export interface Conversion {
  readonly diagnostics: Diagnostic[]
  readonly rules: Rules
  /** Reads HTML; null if the source cannot contain any. */
  readonly html: HtmlReader | null
  /** The definitions and footnotes by `nameOf`; the first one with a name counts. */
  readonly definitions: Map<string, AnyDefinition>
  /** The definitions and footnotes that came after their references. They become text, because the references are text already. */
  readonly definitionsAfterUse: Set<AnyDefinition>
  /** The numbers of the footnotes that have references, by name. */
  readonly numbers: Map<string, number>
}

export type AnyDefinition = Definition | FootnoteDefinition

/** Parses Markdown into mdast. */
export type MarkdownParser = (markdown: string) => RootContent[]

/** A converter from HTML to mdast. Callers pass it in, so that conversions without HTML, such as Slack's, do not load its code. */
export interface HtmlReader {
  /** Parses the Markdown and the character references inside HTML; null if a chain of unified has no parser. */
  readonly parse: MarkdownParser | null
  /** Converts a block of HTML, except tags of phrasing; null if the HTML is too long or has no counterpart, or `parse` is null. */
  readonly blocksOf: (conversion: Conversion, html: Html) => RootContent[] | null
  /** Returns siblings with a node for each element, in place of its tags. */
  readonly withElements: (conversion: Conversion, nodes: readonly PhrasingContent[]) => readonly PhrasingContent[]
}

export function createConversion(options: MarkdownOptions, html: HtmlReader | null = null): Conversion {
  return {
    diagnostics: [],
    rules: rulesFrom(options),
    html,
    definitions: new Map(),
    definitionsAfterUse: new Set(),
    numbers: new Map(),
  }
}

/** Adds the definitions and footnotes in nodes to a conversion. */
export function collectDefinitions({ definitions }: Conversion, nodes: readonly Nodes[]): void {
  for (const node of definitionsIn(nodes)) if (!definitions.has(nameOf(node))) definitions.set(nameOf(node), node)
}

/** Returns the definitions and footnotes in nodes. */
export function definitionsIn(nodes: readonly Nodes[], definitions: AnyDefinition[] = []): AnyDefinition[] {
  for (const node of nodes) {
    if (node.type === 'definition' || node.type === 'footnoteDefinition') definitions.push(node)
    if ('children' in node) definitionsIn(node.children, definitions)
  }
  return definitions
}

/** Returns the name that a reference and its definition share. The names of footnotes begin with `^`. */
export function nameOf({ type, identifier }: { type: string; identifier: string }): string {
  return (type.startsWith('footnote') ? '^' : '') + identifier.toUpperCase()
}

/** Whether HTML is a line break. */
export function isBreak(html: string): boolean {
  return /^<\/?br[\s/]*>$/i.test(html)
}

/** Returns the text in a node. */
export function textIn(node: Nodes): string {
  if (node.type === 'break') return '\n'
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textIn).join('') : 'alt' in node ? (node.alt ?? '') : ''
}

export function report(conversion: Conversion, ruleId: ConversionRule, node: Nodes): void {
  conversion.diagnostics.push(diagnosticOf(ruleId, positionOf(node)))
}

/** Returns the position of a node, or from the start of its first descendant with a position to the end of its last one. */
export function positionOf(node: Nodes): Position | undefined {
  if (node.position !== undefined || !('children' in node)) return node.position
  const positions = node.children.map(positionOf).filter((position) => position !== undefined)
  const [first] = positions
  const last = positions.at(-1)
  return first && last && { start: first.start, end: last.end }
}

/** The kinds of loss. Each sentence names a construct that the dialect lacks, and its replacement. */
export const conversionRules = {
  'block-limit':
    'a text with more than 20 KB, 2,000 delimiters or 2,000 lines stays as typed, as do too many closed containers',
  'break-place': 'a heading or a cell has only one line: the line break becomes a space',
  'code-place': 'code in a quote or a list becomes a block between the lines',
  footnote: 'a footnote becomes its number in brackets, with its text at the end',
  'heading-depth': 'a heading of depth 3 to 6 becomes a bold paragraph',
  'heading-place': 'a heading in a quote or a list becomes a bold line',
  html: 'HTML without a counterpart stays as typed',
  'html-comment': 'a comment is left out',
  'html-tag': 'tags that only arrange their content are left out',
  image: 'an image becomes a link with its alternative text',
  'image-in-link': 'an image in a link becomes its alternative text: its URL is left out',
  'link-target': 'the URL of a link begins with a scheme: this one becomes text after the link text, or is left out',
  'link-title': 'a link has no title: it is left out',
  math: 'a formula becomes code: its characters stay as typed',
  mention: 'a mention of a user who is not in `mentions` stays text, so that it does not notify anyone',
  'nested-list': 'a list with items of several lines, or inside a list or quote, becomes lines of text',
  'ordered-list': 'an ordered list becomes lines of text with its numbers',
  quote: 'a quote becomes lines of text that start with >',
  'reference-late': 'this definition came after its reference, which had already been returned: both stay as typed',
  rule: 'a thematic break becomes a line of dashes',
  'slack-block': 'a block without a counterpart is left out, or replaced by its text',
  'slack-color': 'the color of an attachment becomes a square before its first line',
  'slack-element': 'an element without a counterpart stays text',
  'slack-file': 'a file becomes a link to Slack',
  table: 'a table becomes code with aligned columns, or a list with an item for each row',
  tag: 'an element that `tags` names is left out',
  'task-item': 'a task becomes an item with a box',
  unknown: 'an unknown node is replaced by its content',
} as const

/** The id of a kind of loss. */
export type ConversionRule = keyof typeof conversionRules

/**
 * Returns a diagnostic about a construct that was degraded.
 *
 * @param ruleId - the rule
 * @param position - the position in the source, if known
 * @param name - the kind of node, if the rule is about several kinds
 */
export function diagnosticOf(ruleId: ConversionRule, position: Position | undefined, name = ''): Diagnostic {
  const reason = name === '' ? conversionRules[ruleId] : `${conversionRules[ruleId]}: ${name}`
  const message: Diagnostic = { reason, ruleId, source: 'blockmark', fatal: false }
  if (position !== undefined) message.place = position
  return printable(message)
}

/** Gives a node the position of the node that it was made from. */
export function withPositionOf<Node extends Phrasing | Block>(
  node: Node,
  { position }: { position?: Position | undefined },
): Node {
  return position === undefined ? node : { ...node, position }
}
