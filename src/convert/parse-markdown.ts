/** From Markdown to mdast, part by part: what one part defines the others know. */
import type { Nodes, Paragraph, Root, RootContent, Text } from 'mdast'
import { fromMarkdown, type Options } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Message } from '../message.js'
import type { Point, Position } from '../tree.js'
import { DEFINITION, type Part, partsOf } from './bound.js'
import { nameOf } from './conversion.js'
import { messageOf } from './rules.js'
import { linesOf } from './sections.js'

type MicromarkExtension = NonNullable<Options['extensions']>[number]
type Construct = Extract<NonNullable<MicromarkExtension['text']>[string], { tokenize: unknown }>

/** A tree, and a message for each of its blocks that is plain text. */
export interface Parsed {
  readonly tree: Root
  readonly messages: readonly Message[]
}

/**
 * Parses CommonMark with GFM.
 *
 * @param markdown - any string
 */
export function parseMarkdown(markdown: string): Parsed {
  const parts = partsOf(markdown)
  // One part finds its own names.
  const known = namesIn(markdown, parts.length > 1 ? parts : [])
  const children: RootContent[] = []
  const messages: Message[] = []
  for (const part of parts) {
    const source = markdown.slice(part.start, part.end)
    if (part.isPlain) {
      const paragraphs = paragraphsOf(source, part)
      children.push(...paragraphs)
      messages.push(messageOf('block-limit', placeOf(paragraphs)))
    } else {
      // What is open at the end of a part is closed by the next one: it does not hold the blank lines between them.
      const isLast = part.end === markdown.length
      addAll(children, moved(parse(isLast ? source : withoutEnd(source), known), part).children, part)
    }
  }
  return { tree: { type: 'root', children }, messages }
}

/** The names that are defined, in any part. */
interface Names {
  readonly definitions: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
}

function namesIn(markdown: string, parts: readonly Part[]): Names {
  const [definitions, footnotes] = [new Set<string>(), new Set<string>()]
  for (const { start, end, isPlain } of parts) {
    const source = markdown.slice(start, end)
    if (isPlain || !source.includes(DEFINITION)) continue
    for (const node of nodesOf(fromMarkdown(source, blockOptions))) {
      if (node.type === 'definition') definitions.add(nameOf(node))
      if (node.type === 'footnoteDefinition') footnotes.add(nameOf(node))
    }
  }
  return { definitions, footnotes }
}

/** The constructs of phrasing, and tables, which hold it: without them a parse finds blocks only. */
const phrasingConstructs: readonly string[] = ['attention', 'autolink', 'characterEscape', 'characterReference']
  .concat(['codeText', 'hardBreakEscape', 'htmlText', 'labelEnd', 'labelStartImage', 'labelStartLink'])
  .concat(['strikethrough', 'wwwAutolink', 'protocolAutolink', 'emailAutolink', 'tasklistCheck'])
  .concat(['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'table'])

const blockOptions: Options = {
  extensions: [gfm(), { disable: { null: [...phrasingConstructs] } }],
  // What would look for addresses in the text.
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
}

const [markdownExtensions, treeExtensions] = [gfm(), gfmFromMarkdown()]

function parse(markdown: string, known: Names): Root {
  return fromMarkdown(markdown, {
    extensions: [markdownExtensions, knowing(known)],
    mdastExtensions: [treeExtensions],
  })
}

/** Makes names known before the first bracket is looked at that may refer to them. */
function knowing({ definitions, footnotes }: Names): MicromarkExtension {
  let isDone = definitions.size + footnotes.size === 0
  const construct: Construct = {
    name: 'knownNames',
    tokenize(_effects, _ok, nok) {
      if (!isDone) {
        this.parser.defined.push(...definitions)
        this.parser.gfmFootnotes = [...(this.parser.gfmFootnotes ?? []), ...footnotes]
      }
      isDone = true
      return nok
    },
  }
  return { text: { [LEFT_BRACKET]: construct, [RIGHT_BRACKET]: construct } }
}

const [LEFT_BRACKET, RIGHT_BRACKET] = ['['.charCodeAt(0), ']'.charCodeAt(0)]

/** Without line endings at its end. */
function withoutEnd(source: string): string {
  let end = source.length
  while (source[end - 1] === '\n' || source[end - 1] === '\r') end -= 1
  return source.slice(0, end)
}

/** Gives the nodes the places that they have in the whole. */
function moved(tree: Root, { start, line }: Part): Root {
  if (start > 0) {
    for (const { position } of nodesOf(tree)) {
      for (const point of position === undefined ? [] : [position.start, position.end]) {
        point.line += line - 1
        if (point.offset !== undefined) point.offset += start
      }
    }
  }
  return tree
}

function nodesOf(tree: Root): Nodes[] {
  const nodes: Nodes[] = [tree]
  // A list that grows while it is walked is walked to its end.
  for (const node of nodes) if ('children' in node) nodes.push(...node.children)
  return nodes
}

/** Adds blocks. Items of a list that goes on are its items. */
function addAll(children: RootContent[], [first, ...others]: readonly RootContent[], { isContinued }: Part): void {
  const last = children.at(-1)
  const isOne = isContinued && last?.type === 'list' && first?.type === 'list' && last.ordered === first.ordered
  if (isOne) {
    last.children.push(...first.children)
    const [before, behind] = [last.position, first.position]
    last.spread ||= first.spread || (before && behind && behind.start.line - before.end.line > 1)
    if (before && behind) before.end = behind.end
  } else if (first !== undefined) children.push(first)
  children.push(...others)
}

/** The paragraphs of plain text; each line stays one. */
function paragraphsOf(source: string, part: Part): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let isFresh = true
  let { line, start: offset } = part
  for (const [text] of linesOf(source)) {
    const value = text.replace(/[\r\n]+$/, '')
    const isBlank = /^[ \t]*$/.test(value)
    if (!isBlank) addLine(paragraphs, value, isFresh, { line, column: 1, offset })
    isFresh = isBlank
    line += 1
    offset += text.length
  }
  return paragraphs
}

function placeOf(paragraphs: readonly Paragraph[]): Position | undefined {
  const [first, last] = [paragraphs[0]?.position, paragraphs.at(-1)?.position]
  return first && last && { start: first.start, end: last.end }
}

function addLine(paragraphs: Paragraph[], value: string, isFresh: boolean, start: Point): void {
  const end = { ...start, column: value.length + 1, offset: (start.offset ?? 0) + value.length }
  const text: Text = { type: 'text', value, position: { start, end } }
  const last = paragraphs.at(-1)
  if (isFresh || last?.position === undefined) {
    paragraphs.push({ type: 'paragraph', children: [text], position: { start, end } })
  } else {
    last.children.push({ type: 'break' }, text)
    last.position.end = end
  }
}
