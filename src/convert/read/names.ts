/** The names of link and footnote definitions, which the parser looks up. */
import type { Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Construct, Extension } from '../micromark.js'

/** Names in the form in which they are compared. */
export interface Names {
  readonly links: NameSet
  readonly footnotes: NameSet
  /** Names used before any definition (footnotes with `^`); null if all definitions are known before. */
  readonly unresolved: Set<string> | null
}

/** A set or a map of names. */
export type NameSet = Pick<ReadonlySet<string>, 'has'>

/** Returns a label in the form in which labels are compared (CommonMark 4.7). */
export function normalizedLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
}

/** The extensions for one parse. */
export interface Lookups {
  readonly extension: Extension
  readonly treeExtension: TreeExtension
  /** The names that the parser has looked up without success, by the offset of the bracket that ends the label. */
  readonly missed: ReadonlyMap<number, readonly string[]>
}

/** Makes extensions that give the parser the names before it reads the first bracket, and collect the names that it misses. */
export function lookupsIn({ links, footnotes }: Names): Lookups {
  const missed = new Map<number, string[]>()
  let isDone = false
  let offset = 0
  const construct: Construct = {
    name: 'knownNames',
    tokenize(_effects, _ok, nok) {
      const { parser } = this
      offset = this.now().offset
      if (!isDone) {
        const miss = (name: string): unknown => missed.set(offset, [...(missed.get(offset) ?? []), name])
        parser.defined = new Known(parser.defined, links, miss)
        parser.gfmFootnotes = new Known(parser.gfmFootnotes ?? [], footnotes)
      }
      isDone = true
      return nok
    },
  }
  // A label before a URL, or before the label of a definition, is not a name.
  const isLabel = ({ start }: { readonly start: { readonly offset: number } }): void => {
    missed.delete(start.offset - 1)
  }
  return {
    extension: { text: { [LEFT_BRACKET]: construct, [RIGHT_BRACKET]: construct } },
    treeExtension: { enter: { resource: isLabel }, exit: { reference: isLabel } },
    missed,
  }
}

const [LEFT_BRACKET, RIGHT_BRACKET] = ['['.charCodeAt(0), ']'.charCodeAt(0)]

/** The parser's list of names, extended by a set: the names are not copied for each text. */
class Known extends Array<string> {
  private readonly names: NameSet
  private readonly miss: ((name: string) => unknown) | undefined

  constructor(own: readonly string[], names: NameSet, miss?: (name: string) => unknown) {
    super()
    this.names = names
    this.miss = miss
    for (const name of own) this.push(name)
  }

  override includes(name: string): boolean {
    const isKnown = this.names.has(name) || super.includes(name)
    if (!isKnown) this.miss?.(name)
    return isKnown
  }
}
