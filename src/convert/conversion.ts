/** What a conversion from mdast knows while it runs. */
import type { Definition, FootnoteDefinition, Nodes } from 'mdast'
import type { Message } from '../message.js'
import type { Position } from '../tree.js'
import type {} from './mdast.js'
import { idsIn, type MarkdownOptions, type Rules, rulesFrom } from './options.js'
import { type ConversionRule, messageOf } from './rules.js'

export interface Conversion {
  readonly messages: Message[]
  readonly mentions: ReadonlySet<string>
  readonly rules: Rules
  /** By their identifiers; of several the first counts. */
  readonly definitions: Map<string, Definition>
  readonly footnotes: Map<string, FootnoteDefinition>
  /** The definitions and footnotes that came behind what refers to them: they stay where they are. */
  readonly late: ReadonlySet<Definition | FootnoteDefinition>
  /** Those of them that have been shown there. */
  readonly shown: Set<Definition | FootnoteDefinition>
  /** The definitions that something refers to. */
  readonly used: Set<string>
  /** The identifiers of the footnotes that something refers to, and their numbers. */
  readonly numbers: Map<string, number>
}

export function createConversion(options: MarkdownOptions, late: Conversion['late'] = new Set()): Conversion {
  return {
    messages: [],
    rules: rulesFrom(options),
    mentions: idsIn(options),
    definitions: new Map(),
    footnotes: new Map(),
    late,
    shown: new Set(),
    used: new Set(),
    numbers: new Map(),
  }
}

/** Takes note of what blocks define. */
export function learn({ definitions, footnotes }: Conversion, blocks: readonly Nodes[]): void {
  // Without recursion: a tree that somebody else made may be as deep as it likes.
  const open: Nodes[] = blocks.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition') addFirst(definitions, node)
    if (node.type === 'footnoteDefinition') addFirst(footnotes, node)
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
}

function addFirst<Node extends Definition | FootnoteDefinition>(known: Map<string, Node>, node: Node): void {
  const name = nameOf(node)
  if (!known.has(name)) known.set(name, node)
}

/** What a reference and its definition have in common. */
export function nameOf({ identifier }: { identifier: string }): string {
  return identifier.toUpperCase()
}

/** A reference, or a definition, as it was typed between brackets. */
export function labelOf({ label, identifier }: { label?: string | null | undefined; identifier: string }): string {
  return label ?? identifier
}

/** What an image shows where it is none. */
export function altOf({ alt }: { alt?: string | null | undefined }): string {
  return alt ?? ''
}

export function report(
  conversion: Conversion,
  ruleId: ConversionRule,
  node: { position?: Position | undefined },
): void {
  conversion.messages.push(messageOf(ruleId, node.position))
}
