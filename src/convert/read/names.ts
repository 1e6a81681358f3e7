/** The names that definitions of links and of footnotes give, for the parser to look them up. */
import type { Nodes, RootContent } from 'mdast'
import type { Options } from 'mdast-util-from-markdown'
import { altOf } from '../conversion.js'

type MicromarkExtension = NonNullable<Options['extensions']>[number]
type Construct = Extract<NonNullable<MicromarkExtension['text']>[string], { tokenize: unknown }>

/** Names in the form in which they are compared. */
export interface Names {
  readonly links: NameSet
  readonly footnotes: NameSet
  /** What texts referred to in vain, a footnote's name with its `^`; null where all that is defined is known before. */
  readonly awaited: Set<string> | null
}

/** What is asked of names. */
export type NameSet = Pick<Set<string>, 'has' | 'size'> & { add(name: string): unknown }

/** All that is known, to which names can be added that only the result knows; nothing is copied. */
export function namesOver({ links, footnotes }: Names): Names {
  return { links: setOver(links), footnotes: setOver(footnotes), awaited: null }
}

function setOver(below: NameSet): NameSet {
  const own = new Set<string>()
  return {
    has: (name) => own.has(name) || below.has(name),
    add: (name) => own.add(name),
    get size() {
      return own.size + below.size
    },
  }
}

/** What a reference and its definition have in common (CommonMark 4.7). */
export function normalizedLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}

/** Makes names known before the first bracket is looked at that may refer to them; definitions have been read by then. */
export function knowing({ links, footnotes }: Names): MicromarkExtension {
  let isDone = links.size + footnotes.size === 0
  const construct: Construct = {
    name: 'knownNames',
    tokenize(_effects, _ok, nok) {
      const { parser } = this
      if (!isDone) {
        parser.defined = new Known(parser.defined, links)
        parser.gfmFootnotes = new Known(parser.gfmFootnotes ?? [], footnotes)
      }
      isDone = true
      return nok
    },
  }
  return { text: { [LEFT_BRACKET]: construct, [RIGHT_BRACKET]: construct } }
}

const [LEFT_BRACKET, RIGHT_BRACKET] = ['['.charCodeAt(0), ']'.charCodeAt(0)]

/** A list, as the parser wants one, that has more names in it than its elements: nobody copies them for each text. */
class Known extends Array<string> {
  private readonly names: NameSet

  constructor(own: readonly string[], names: NameSet) {
    super()
    this.names = names
    for (const name of own) this.push(name)
  }

  override includes(name: string): boolean {
    return this.names.has(name) || super.includes(name)
  }
}

/** Takes note of the names in brackets that stayed text in a block: references to what nobody has defined before it. */
export function awaitNames(block: RootContent, source: string, awaited: Set<string>): void {
  const add = (text: string, start = 0, end = text.length): void => {
    for (const name of namesIn(text, start, end)) awaited.add(name)
  }
  const open: Nodes[] = [block]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('children' in node)) continue
    // What an address was found in has no place, and the address may have taken in a bracket: they are one text here.
    let found = ''
    for (const child of node.children) {
      if (child.position === undefined) {
        found += textOf(child)
        continue
      }
      add(found)
      found = ''
      // Of all other text the source tells what is escaped.
      if (child.type === 'text') add(source, child.position.start.offset, child.position.end.offset)
      else if ('alt' in child) add(altOf(child))
      else open.push(child)
    }
    add(found)
  }
}

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

/** The names in brackets that begin in a range of a text. Nothing is looked for behind the range: there may be many. */
function namesIn(text: string, start: number, end: number): string[] {
  const names: string[] = []
  const range = text.slice(start, end)
  for (let found = range.indexOf('['); found >= 0; found = range.indexOf('[', found + 1)) {
    const at = start + found
    LABEL.lastIndex = at
    const label = isEscaped(text, at) ? undefined : LABEL.exec(text)?.[1]
    if (label !== undefined) names.push(normalizedLabel(label))
  }
  return names
}

const LABEL = /\[((?:[^[\]\\]|\\[^\n]){1,999})\]/y

function isEscaped(source: string, at: number): boolean {
  let start = at
  while (source[start - 1] === '\\') start -= 1
  return (at - start) % 2 === 1
}
