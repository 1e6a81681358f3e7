/** The names of link and footnote definitions, which the parser looks up. */
import type { Nodes, RootContent } from 'mdast'
import { altOf } from '../conversion.js'
import type { Construct, Extension } from '../micromark.js'

/** Names in the form in which they are compared. */
export interface Names {
  readonly links: NameSet
  readonly footnotes: NameSet
  /** Names used before any definition (footnotes with `^`); null if all definitions are known before. */
  readonly unresolved: Set<string> | null
}

/** A set or a map of names. */
export type NameSet = Pick<ReadonlySet<string>, 'has' | 'size'>

/** Returns a label in the form in which labels are compared (CommonMark 4.7). */
export function normalizedLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}

/** Creates the extension that gives the parser the names before it reads the first bracket that may refer to one. */
export function knowing({ links, footnotes }: Names): Extension {
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

/** The parser's list of names, extended by a set: the names are not copied for each text. */
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

/** Collects the names in brackets that stayed text: references without a definition before them. */
export function awaitNames(block: RootContent, source: string, unresolved: Set<string>): void {
  const add = (text: string, start = 0, end = text.length): void => {
    for (const name of namesIn(text, start, end)) unresolved.add(name)
  }
  const open: Nodes[] = [block]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!('children' in node)) continue
    // The text around a literal autolink has no position, and the autolink may include a bracket: they are one text here.
    let found = ''
    for (const child of node.children) {
      if (child.position === undefined) {
        found += textOf(child)
        continue
      }
      add(found)
      found = ''
      // For all other text, the source tells which characters are escaped.
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

/** Returns the names in brackets that begin in a range. The search ends with the range: there may be many names. */
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
