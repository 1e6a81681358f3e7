/** What a conversion from mdast knows while it runs. */
import type { Definition, FootnoteDefinition, Nodes, Root } from 'mdast'
import type { Message } from '../message.js'
import type { Position } from '../tree.js'
import type {} from './mdast.js'
import type { ConversionOptions } from './options.js'
import { type ConversionRule, messageOf } from './rules.js'

export interface Conversion {
  readonly messages: Message[]
  readonly mentions: ReadonlySet<string>
  /** By their identifiers; of several the first counts. */
  readonly definitions: ReadonlyMap<string, Definition>
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>
  /** The definitions that something refers to. */
  readonly used: Set<string>
  /** The identifiers of the footnotes that something refers to, and their numbers. */
  readonly numbers: Map<string, number>
}

export function createConversion(tree: Root, { mentions = 'none' }: ConversionOptions): Conversion {
  const definitions = new Map<string, Definition>()
  const footnotes = new Map<string, FootnoteDefinition>()
  // Without recursion: a tree that somebody else made may be as deep as it likes.
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'definition') addFirst(definitions, node)
    if (node.type === 'footnoteDefinition') addFirst(footnotes, node)
    if ('children' in node) for (const child of node.children.toReversed()) open.push(child)
  }
  return {
    messages: [],
    mentions: new Set(mentions === 'none' ? [] : mentions),
    definitions,
    footnotes,
    used: new Set(),
    numbers: new Map(),
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

export function report(
  conversion: Conversion,
  ruleId: ConversionRule,
  node: { position?: Position | undefined },
): void {
  conversion.messages.push(messageOf(ruleId, node.position))
}
